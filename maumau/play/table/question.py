"""The question to the seat that acts: its legal moves, the reason against every other, the time to answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fsm.declaration.arcs import Control
from fsm.edge.fields import TEXT, Types, check_names, check_types
from fsm.edge.numbers import as_int
from fsm.stepping.game import Game
from fsm.stepping.steps import Move
from maumau.play.table.setup import Setup, is_claim

Data = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """A player is asked. unplayable: for each card of the hand that no legal move names, why. refused: why each other
    event that players choose here is refused, by its text. seconds: the time to answer; None for any time.
    """

    player: int
    is_claim: bool
    moves: tuple[Move, ...]
    unplayable: Mapping[str, str]
    refused: Mapping[str, str]
    seconds: int | None

    @classmethod
    def of(cls, game: Game, setup: Setup) -> Question:
        """The question to the player who acts."""
        events, control = game.events(), game.declaration.control[game.phase]
        offered = [offer.trigger for offer in control.offers]
        unplayable = _unplayable(game, control, events.legal, events.refused)
        refused = {text: why for text, why in events.refused.items() if text.split()[0] in offered}
        return cls(game.player, is_claim(control), events.legal, unplayable, refused, setup.seconds(control))

    def data(self) -> Data:
        """The question as plain data."""
        return {
            "kind": "claim" if self.is_claim else "turn",
            "seconds": self.seconds,
            "moves": [move_data(move) for move in self.moves],
            "unplayable": dict(self.unplayable),
            "refused": dict(self.refused),
        }


def _unplayable(game: Game, control: Control, legal: tuple[Move, ...], refused: Mapping[str, str]) -> dict[str, str]:
    """Why each card of the hand cannot be played that no legal move names."""
    from_hand = [offer.trigger for offer in control.offers if offer.cards is not None and offer.from_hand]
    named = {move.card for move in legal if move.trigger in from_hand}
    reasons: dict[str, str] = {}
    for card in dict.fromkeys(game.hands[game.player - 1]):
        if card not in named:
            texts = (refused.get(str(Move(trigger, card)), "") for trigger in from_hand)
            reasons[card] = "; ".join(dict.fromkeys(filter(None, texts))) or _no_card_is_asked(control)
    return reasons


def _no_card_is_asked(control: Control) -> str:
    return f"no card is asked for, it is time to {' or '.join(offer.trigger for offer in control.offers)}"


def move_data(move: Move) -> Data:
    """A move as plain data: its fields, those without a value left out, and its text as `label`."""
    return move_fields(move) | {"label": str(move)}


def move_fields(move: Move) -> Data:
    """The fields of a move, those without a value left out."""
    return {name: value for name, value in move._asdict().items() if value is not None}


def plain_move(move: Move) -> Move:
    """The move with plain integers for those of other types. Raises TypeError for what is no whole number."""
    seat = None if move.seat is None else as_int("seat", move.seat)
    amount = None if move.amount is None else as_int("amount", move.amount)
    return move._replace(seat=seat, amount=amount)


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
