"""Which moves are legal in a position, and why every other is refused, in the words of the guards."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from fsm.declaration.arcs import Arc, Offer
from fsm.declaration.declaration import Declaration
from fsm.declaration.values import ValueKind, value_text
from fsm.stepping.moves import Events, Plan, bits, listed, move_of
from fsm.stepping.position import fact_text
from fsm.stepping.steps import Move, Outcome
from rules.notation import named
from rules.rule import RuleFunction, docstring_of, refusal_of


class Fault(Exception):
    """Why an event is refused."""


def held_cards(game: Declaration, table: Any) -> dict[str, int]:
    """The names of the cards of the player who acts, each with the code of the first that has it."""
    names = game.codec.notation.cards
    return {names[code]: code for code in game.codec.held(table, table.player)[::-1]}


def events_of(game: Declaration, plan: Plan, table: Any, hand: Sequence[str]) -> Events:
    """The legal moves, and the reason against each other event, for those with a card of the hand against each one."""
    legal = tuple(move_of(game, code) for code in plan.legal(table))
    may = {(move.trigger, move.card) for move in legal}
    legal_triggers = {move.trigger for move in legal}
    refused: dict[str, str] = {}
    for trigger in game.triggers:
        offer = plan.offer.get(trigger)
        takes_card = offer is not None and offer.cards is not None
        if offer is not None and takes_card and not offer.from_hand and trigger in legal_triggers:
            continue
        for card in dict.fromkeys(hand) if offer and takes_card and offer.from_hand else [None]:
            if (trigger, card) not in may:
                refused[str(Move(trigger, card))] = reason_against(game, plan, table, trigger, card)
    return Events(legal, MappingProxyType(refused))


def refused(game: Declaration, plan: Plan, table: Any, move: str, fault: str) -> str:
    """The whole message for a move that is refused because of `fault`."""
    moves = [move_of(game, code) for code in plan.legal(table)]
    if not moves:
        return f"player {table.player + 1} cannot {move}: {fault}"
    first = {each.trigger: str(each) for each in moves[::-1]}
    texts = [each.short if str(each) != first[each.trigger] else str(each) for each in moves]
    return f"player {table.player + 1} cannot {move}: {fault}; may {listed(tuple(dict.fromkeys(texts)), ' or ')}"


def refused_move(move: Move, open_card: str) -> str:
    """A move that is refused, which may name anything at all, for its message."""
    where = f" on {open_card}" if open_card else ""
    if move.card:
        return f"{named(move.trigger)} {named(move.card)}{where}"
    return " ".join([named(move.trigger), *(named(value_text(value)) for value in move.named.values())])


def misnamed(game: Declaration, offer: Offer | None, move: Move) -> str:
    """Why what is named, or not, cannot be meant for an event, which takes something else."""
    notation, trigger = game.codec.notation, move.trigger
    if offer is None or (offer.cards is None and offer.kind is None):
        others = [kind for kind in move.named if kind is not ValueKind.SUIT]
        return f"{trigger} takes {f'no {others[0]}' if others else f'neither a card nor a {notation.suit_word}'}"
    kind = game.value_kind(trigger)
    if other := next((other for other in move.named if other is not kind), None):
        return f"{trigger} takes no {other.word(notation)}"
    if offer.cards is None and move.card is not None:
        return f"{trigger} takes no {notation.card_word}"
    return f"{_a(kind.word(notation)) if offer.cards is None else f'a {notation.card_word}'} must be named"


def refuse_value(game: Declaration, offer: Offer, table: Any, allowed: int) -> None:
    """Raise Fault for the value on the table, which is none of `allowed`, unless the guards refuse the card there."""
    notation, kind = game.codec.notation, game.value_kind(offer.trigger)
    if offer.cards is None and not allowed:
        raise Fault(nothing_to_name(game, kind))
    if offer.cards is not None:
        names = {notation.cards[code] for code in bits(offer.cards(table))}
        if notation.cards[table.card] not in names:
            return
    if not allowed:
        raise Fault(f"it names no {kind.word(notation)}")
    values = ", ".join(value_text(kind.from_code(notation, code)) for code in bits(allowed))
    raise Fault(f"it must name {_a(kind.word(notation))}, one of {values}")


def reason_against(game: Declaration, plan: Plan, table: Any, trigger: str, card: str | None) -> str:
    """Why no arc of an event is enabled, in words. card: the name of the card that would be played."""
    if plan.phase is game.final:
        return f"the game is over: {Outcome.of(game, table)}"
    if trigger not in plan.arcs:
        return out_of_place(plan, table)
    offer = plan.offer.get(trigger)
    if offer and offer.kind and offer.values and offer.cards is None and not offer.values(table):
        return nothing_to_name(game, offer.kind)
    if offer and offer.cards and not offer.from_hand and card is None:
        return nothing_to_name(game, None)
    before, arcs = table.card, plan.arcs[trigger]
    if card is not None:
        table.card = held_cards(game, table).get(card, game.codec.notation.card(card))
    other = next((forced for forced in plan.forced_now(table) if forced != trigger), None)
    is_second = other is not None and any(arc.enabled(table) for arc in arcs)
    reason = f"{other} is forced" if is_second else guarded(game, arcs, table, card)
    table.card = before
    return reason


def nothing_to_name(game: Declaration, kind: ValueKind | None) -> str:
    """Why an event is refused with which none of its values, or of its cards, may be named now."""
    notation = game.codec.notation
    return f"there is no {kind.word(notation) if kind else notation.card_word} to name"


def _a(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def guarded(game: Declaration, arcs: tuple[Arc, ...], table: Any, card: str | None) -> str:
    """Why none of an event's arcs is enabled: the first guard that disables all of them."""
    first, *others = arcs
    demanded = [guard for guard in first.conditions if not guard(table)]
    excluding = [guard for guard in first.unless if guard(table)]
    for guard in demanded:
        if all(guard in arc.conditions for arc in others):
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
