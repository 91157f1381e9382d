"""The question to the seat that acts: its legal moves, the reason against every other, the time to answer; answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fsm.edge.fields import TEXT, Types, check_names, check_types
from fsm.edge.numbers import as_int
from fsm.stepping.game import Game
from fsm.stepping.moves import Events
from fsm.stepping.steps import Move
from maumau.play.table.setup import Setup, is_claim

Data = dict[str, Any]


class Refused(ValueError):
    """A table refuses a request; the message says why and what was expected. Nothing has changed then."""


class Stale(Refused):
    """The table has gone on since the seat has seen it."""


class NotAsked(Refused):
    """The seat is not asked for a move now."""


def question_data(game: Game, events: Events, setup: Setup) -> Data:
    """The question to the player who acts, as plain data. events: those of the game as the player knows it.

    unplayable: for each card of the hand that no legal move names, why. refused: why each other event that players
    choose here is refused, by its text. seconds: the time to answer; None for any time.
    """
    control = game.declaration.control[game.phase]
    offered = [offer.trigger for offer in control.offers]
    from_hand = [offer.trigger for offer in control.offers if offer.cards is not None and offer.from_hand]
    named = {move.card for move in events.legal if move.trigger in from_hand}
    unplayable: dict[str, str] = {}
    for card in dict.fromkeys(game.hands[game.player - 1]):
        if card not in named:
            texts = (events.refused.get(str(Move(trigger, card)), "") for trigger in from_hand)
            no_card = f"no card is asked for, it is time to {' or '.join(offered)}"
            unplayable[card] = "; ".join(dict.fromkeys(filter(None, texts))) or no_card
    return {
        "kind": "claim" if is_claim(control) else "turn",
        "seconds": setup.seconds(control),
        "moves": [move_data(move) for move in events.legal],
        "unplayable": unplayable,
        "refused": {text: why for text, why in events.refused.items() if text.split()[0] in offered},
    }


def move_data(move: Move) -> Data:
    """A move as plain data: its fields, those without a value left out, and its text as `label`."""
    return move_fields(move) | {"label": str(move)}


def move_fields(move: Move) -> Data:
    """The fields of a move, those without a value left out."""
    return {name: value for name, value in move._asdict().items() if value is not None}


def checked_move(given: Move | Mapping[str, Any]) -> Move:
    """A move, or that of plain data, with plain numbers: it is entered in the journal. Raises Refused."""
    try:
        if not isinstance(given, Move):
            return move_of_data(given)
        numbers = {"seat": given.seat, "amount": given.amount}
        plain: Data = {name: as_int(name, value) for name, value in numbers.items() if value is not None}
        return given._replace(**plain)
    except (TypeError, ValueError) as error:
        raise Refused(str(error)) from None


TYPES: Types = {
    **dict.fromkeys(Move._fields, TEXT),
    "seat": (int, "a number"),
    "amount": (int, "a number"),
    "answer": (bool, "true or false"),
}


def move_of_data(data: object) -> Move:
    """The move of plain data; the game looks at the values. Raises ValueError."""
    if not isinstance(data, Mapping) or not isinstance(data.get("trigger"), str):
        raise ValueError('expected a move: an object with "trigger"')
    fields = {name: value for name, value in data.items() if name != "label"}
    check_names(fields, Move._fields, " of a move")
    check_types(fields, TYPES)
    return Move(**fields)
