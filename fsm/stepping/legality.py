"""Which moves are legal in a position, and why every other is refused."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.declaration.values import value_text
from fsm.stepping.moves import NONE, Events, Plan, move_of, put_on_table
from fsm.stepping.refusal import bad_arguments, bad_value, guarded, nothing_to_name, out_of_place
from fsm.stepping.steps import Move, Outcome
from rules.notation import named


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
        offer = plan.offer(trigger)
        takes_card = offer is not None and offer.cards is not None
        if offer is not None and takes_card and not offer.from_hand and trigger in legal_triggers:
            continue
        for card in dict.fromkeys(hand) if offer and takes_card and offer.from_hand else [None]:
            if (trigger, card) not in may:
                refused[str(Move(trigger, card))] = reason_against(game, plan, table, trigger, card)
    return Events(legal, MappingProxyType(refused))


def put_move(game: Declaration, plan: Plan, table: Any, move: Move) -> str | None:
    """Put on the table what is named with an event; the reason, if it cannot be named."""
    trigger, card = move.trigger, move.card
    if trigger not in plan.arcs:
        return reason_against(game, plan, table, trigger, card)
    offer = plan.offer(trigger)
    fault = bad_arguments(game, offer, move, table.players)
    if fault or offer is None or (card is None and not move.named):
        return fault
    held = held_cards(game, table) if card else {}
    if card and offer.from_hand and card not in held:
        return f"player {table.player + 1} does not hold it"
    codes = (kind.to_code(game.codec.notation, value, table.players) for kind, value in move.named.items())
    code = held.get(card, game.codec.notation.card(card)) if card else NONE
    put_on_table(game, table, (trigger, code, next(codes, NONE)))
    return bad_value(game, offer, table)


def reason_against(game: Declaration, plan: Plan, table: Any, trigger: str, card: str | None) -> str:
    """Why no arc of an event is enabled, in words. card: the name of the card that would be played."""
    if plan.phase is game.final:
        return f"the game is over: {Outcome.of(game, table)}"
    if trigger not in plan.arcs:
        return out_of_place(plan, table)
    offer = plan.offer(trigger)
    if offer and offer.kind and offer.values and offer.cards is None and not offer.values(table):
        return nothing_to_name(game, offer.kind)
    if offer and offer.cards and not offer.from_hand and card is None:
        return nothing_to_name(game, None)
    before = table.card
    if card is not None:
        table.card = held_cards(game, table).get(card, game.codec.notation.card(card))
    reason = forced_first(plan, table, trigger) or guarded(game, plan.arcs[trigger], table, card)
    table.card = before
    return reason


def refused_move(move: Move, open_card: str) -> str:
    """A move that is refused, which may name anything at all, for its message."""
    where = f" on {open_card}" if open_card else ""
    if move.card:
        return f"{named(move.trigger)} {named(move.card)}{where}"
    return " ".join([named(move.trigger), *(named(value_text(value)) for value in move.named.values())])


def forced_first(plan: Plan, table: Any, trigger: str) -> str | None:
    """Why an event cannot be chosen that no guard refuses: another one is forced."""
    if not any(arc.enabled(table) for arc in plan.arcs[trigger]):
        return None
    forced = (arc.trigger for name, arcs in plan.forced for arc in arcs if name != trigger and arc.enabled(table))
    return next((f"{other} is forced" for other in forced), None)
