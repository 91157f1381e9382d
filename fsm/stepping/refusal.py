"""Why a move is refused, in the words of the guards, and what may be done instead."""

from __future__ import annotations

from typing import Any

from fsm.declaration.arcs import Arc, Offer
from fsm.declaration.declaration import Declaration
from fsm.declaration.values import ValueKind, value_text
from fsm.stepping.moves import NONE, Plan, bits, listed, move_of
from fsm.stepping.position import fact_text
from fsm.stepping.steps import Move
from rules.rule import RuleFunction, docstring_of, refusal_of


def refused(game: Declaration, plan: Plan, table: Any, move: str, fault: str) -> str:
    """The whole message for a move that is refused because of `fault`."""
    moves = [move_of(game, code) for code in plan.legal(table)]
    if not moves:
        return f"player {table.player + 1} cannot {move}: {fault}"
    first = {each.trigger: str(each) for each in moves[::-1]}
    texts = [each.short if str(each) != first[each.trigger] else str(each) for each in moves]
    return f"player {table.player + 1} cannot {move}: {fault}; may {listed(tuple(dict.fromkeys(texts)), ' or ')}"


def bad_arguments(game: Declaration, offer: Offer | None, move: Move, players: int) -> str | None:
    """Why what is named cannot be meant for an event, if so, before the rules are applied."""
    notation, trigger = game.codec.notation, move.trigger
    if offer is None or (offer.cards is None and offer.kind is None):
        return _names_something(game, move)
    kind = game.value_kind(trigger)
    if other := next((other for other in move.named if other is not kind), None):
        return f"{trigger} takes no {other.word(notation)}"
    if offer.cards is None and move.card is not None:
        return f"{trigger} takes no {notation.card_word}"
    if offer.cards is not None and move.card is None:
        return f"a {notation.card_word} must be named"
    if offer.cards is None and not move.named:
        return f"{_a(kind.word(notation))} must be named"
    try:
        if move.card is not None:
            notation.card(move.card)
        for value in move.named.values():
            kind.to_code(notation, value, players)
    except ValueError as error:
        return str(error)
    return None


def bad_value(game: Declaration, offer: Offer, table: Any) -> str | None:
    """Why the value on the table cannot be named, or cannot go with the card on the table, if so."""
    notation, kind = game.codec.notation, game.value_kind(offer.trigger)
    if offer.cards and (not offer.cards(table) or table.card not in _equal_cards(game, offer, table)):
        return None  # the guards give the reason
    codes = list(bits(offer.values(table))) if offer.values else []
    named = getattr(table, kind)
    if offer.cards is None and not codes:
        return nothing_to_name(game, kind)
    if codes and named not in codes:
        values = ", ".join(value_text(kind.from_code(notation, code)) for code in codes)
        return f"it must name {_a(kind.word(notation))}, one of {values}"
    return f"it names no {kind.word(notation)}" if named != NONE and not codes else None


def _names_something(game: Declaration, move: Move) -> str | None:
    """Why nothing can be meant by what is named with an event that takes nothing, if something is."""
    if other := next((kind for kind in move.named if kind is not ValueKind.SUIT), None):
        return f"{move.trigger} takes no {other}"
    if move.card is None and move.suit is None:
        return None
    return f"{move.trigger} takes neither a card nor a {game.codec.notation.suit_word}"


def nothing_to_name(game: Declaration, kind: ValueKind | None) -> str:
    """Why an event is refused with which none of its values, or of its cards, may be named now."""
    notation = game.codec.notation
    return f"there is no {kind.word(notation) if kind else notation.card_word} to name"


def _a(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def guarded(game: Declaration, arcs: tuple[Arc, ...], table: Any, card: str | None) -> str:
    """Why none of an event's arcs is enabled: the first guard that disables all of them."""
    first, *others = arcs
    demanded = [guard for guard in first.when if not guard(table)]
    excluding = [guard for guard in first.unless if guard(table)]
    for guard in demanded:
        if all(guard in arc.when for arc in others):
            return _refusal_text(game, guard, table, card)
    for guard in excluding:
        if all(guard in arc.unless for arc in others):
            return excluded(guard)
    return _refusal_text(game, demanded[0], table, card) if demanded else excluded(excluding[0])


def out_of_place(plan: Plan, table: Any) -> str:
    """Why an event cannot be fired in a phase that no arc of it leaves."""
    if plan.asks:
        offers = [offer.trigger for offer in plan.offers]
        return f"not an event of {plan.phase}, where player {table.player + 1} is asked to {listed(offers, ' or ')}"
    return f"not an event of {plan.phase}, where it is time to {listed(tuple(plan.arcs), ' or ')}"


def _equal_cards(game: Declaration, offer: Offer, table: Any) -> list[int]:
    """The codes of all cards that go by the name of one that is offered."""
    assert offer.cards is not None
    cards = game.codec.notation.cards
    names = {cards[code] for code in bits(offer.cards(table))}
    return [code for code, name in enumerate(cards) if name in names]


def _refusal_text(game: Declaration, guard: RuleFunction, table: Any, card: str | None) -> str:
    """The sentence for a move that is refused because a guard does not hold."""
    return refusal_of(guard).format_map(FactTexts(game, table, card))


def _open_card(game: Declaration, table: Any) -> str:
    return "the open card" if table.open_card < 0 else game.codec.notation.cards[table.open_card]


class FactTexts(dict[str, str]):
    """What refusals may name: the card that is played, the open card, and facts of the position, looked up on use."""

    def __init__(self, game: Declaration, table: Any, card: str | None) -> None:
        super().__init__(card=card or "the card", open_card=_open_card(game, table))
        self._game, self._table = game, table

    def __missing__(self, field: str) -> str:
        facts = {fact.field: fact for fact in self._game.codec.facts}
        return fact_text(self._game, facts[field], self._table)


def excluded(guard: RuleFunction) -> str:
    """Why an event is refused that no arc lets be fired while `guard` holds."""
    return f"not while {docstring_of(guard).split('.')[0].lower()}"
