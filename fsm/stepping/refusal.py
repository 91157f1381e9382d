"""Why a move is refused, in the words of the guards, and what may be done instead."""

from __future__ import annotations

from typing import Any

from fsm.arcs import Arc, Offer, Phase
from fsm.declaration import Declaration
from fsm.stepping.moves import NONE, Plan, bits, listed, move_of
from fsm.stepping.position import fact_text
from rules.rule import RuleFunction, refusal_of


def refused(game: Declaration, plan: Plan, table: Any, move: str, fault: str) -> str:
    """The whole message for a move that is refused because of `fault`."""
    moves = [move_of(game, code) for code in plan.legal(table)]
    if not moves:
        return f"player {table.player + 1} cannot {move}: {fault}"
    first = {each.trigger: str(each) for each in moves[::-1]}
    told = [each.card or each.trigger if str(each) != first[each.trigger] else str(each) for each in moves]
    return f"player {table.player + 1} cannot {move}: {fault}; may {listed(tuple(dict.fromkeys(told)), ' or ')}"


def bad_arguments(
    game: Declaration, offer: Offer | None, trigger: str, card: str | None, suit: str | None
) -> str | None:
    """Why card and suit cannot be meant for an event, if so, before they are held against the rules."""
    suit_word = game.codec.notation.suit_word
    if offer is None or offer.cards is None:
        return None if card is None and suit is None else f"{trigger} takes neither a card nor a {suit_word}"
    if card is None:
        return "a card must be named"
    try:
        game.codec.notation.card(card)
        if suit is not None:
            game.codec.notation.suit(suit)
    except ValueError as error:
        return str(error)
    return None


def bad_suit(game: Declaration, offer: Offer, table: Any) -> str | None:
    """Why the suit on the table cannot go with the card on the table, if so."""
    assert offer.cards is not None
    notation = game.codec.notation
    if not offer.cards(table) or table.card not in _equal_cards(game, offer, table):
        return None  # the guards say why
    suits = list(bits(offer.suits(table))) if offer.suits else []
    if suits and table.suit not in suits:
        letters = ", ".join(notation.suits[code] for code in suits)
        return f"it must name a {notation.suit_word}, one of {letters}"
    return f"it names no {notation.suit_word}" if table.suit != NONE and not suits else None


def guarded(game: Declaration, arcs: tuple[Arc, ...], table: Any, card: str | None) -> str:
    """Why none of an event's arcs is enabled: the first guard that keeps all of them back."""
    first, *others = arcs
    demanded = [guard for guard in first.when if not guard(table)]
    excluding = [guard for guard in first.unless if guard(table)]
    for guard in demanded:
        if all(guard in arc.when for arc in others):
            return _told(game, guard, table, card)
    for guard in excluding:
        if all(guard in arc.unless for arc in others):
            return excluded(guard)
    return _told(game, demanded[0], table, card) if demanded else excluded(excluding[0])


def out_of_place(phase: Phase, plan: Plan) -> str:
    """Why an event cannot be fired in a phase that no arc of it leaves."""
    return f"not an event of {phase}, where it is time to {listed(tuple(plan.arcs), ' or ')}"


def _equal_cards(game: Declaration, offer: Offer, table: Any) -> list[int]:
    """The codes of all cards that go by the name of one that is offered."""
    assert offer.cards is not None
    cards = game.codec.notation.cards
    names = {cards[code] for code in bits(offer.cards(table))}
    return [code for code, name in enumerate(cards) if name in names]


def _told(game: Declaration, guard: RuleFunction, table: Any, card: str | None) -> str:
    """The sentence for a move that a guard refuses because it does not hold."""
    return refusal_of(guard).format_map(ToldFacts(game, table, card))


def _open_card(game: Declaration, table: Any) -> str:
    return "the open card" if table.open_card < 0 else game.codec.notation.cards[table.open_card]


class ToldFacts(dict[str, str]):
    """What refusals may name: the card that is played, the open card, and the facts of the position, when asked."""

    def __init__(self, game: Declaration, table: Any, card: str | None) -> None:
        super().__init__(card=card or "the card", open_card=_open_card(game, table))
        self._game, self._table = game, table

    def __missing__(self, field: str) -> str:
        facts = {fact.field: fact for fact in self._game.codec.facts}
        return fact_text(self._game, facts[field], self._table)


def excluded(guard: RuleFunction) -> str:
    """Why an event is refused that no arc lets be fired while `guard` holds."""
    return f"not while {(guard.__doc__ or '').split('.')[0].lower()}"
