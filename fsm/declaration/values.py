"""What a player names with an event, with a card or without one: a suit, a seat, a rank, an amount or an answer.

A form is only named with a card, the lowest of a set of cards (`rules.sets`): outside, the set is named as its cards.
Inside, a value is the code of its kind: suits and ranks as in the notation, seats from 0, amounts as they are, and 0 or
1 for no or yes. Outside it is what people use: letters, seats from 1, numbers, False or True.
"""

from __future__ import annotations

from enum import StrEnum

from fsm.edge.numbers import as_int
from rules.notation import Notation, shown

Value = str | int | bool
"""A value as people use it."""
NO_VALUE = -1
"""In place of a code: nothing is named."""
MAX_AMOUNT = 62
"""The greatest amount: an offer is a mask of amounts, a positive number of 64 bits."""


class ValueKind(StrEnum):
    """The kind of a value: the name of the field that holds it on the table, and but for FORM in moves, steps and
    records.
    """

    SUIT = "suit"
    SEAT = "seat"
    RANK = "rank"
    AMOUNT = "amount"
    ANSWER = "answer"
    FORM = "form"

    @property
    def masks(self) -> str:
        """The field of an offer with the mask of the values of this kind."""
        return f"{self}s"

    @property
    def type_name(self) -> str:
        """The type of such a value, as an annotation."""
        return {ValueKind.SUIT: "str", ValueKind.RANK: "str", ValueKind.ANSWER: "bool"}.get(self, "int")

    def word(self, notation: Notation) -> str:
        """What the game calls such a value in its messages: `suit`, `colour`, `seat`."""
        return notation.suit_word if self is ValueKind.SUIT else str(self)

    def how_many(self, notation: Notation, players: int) -> int:
        """How many values of this kind there are, among so many players."""
        counts = {ValueKind.SUIT: len(notation.suits), ValueKind.SEAT: players, ValueKind.RANK: len(notation.ranks)}
        return counts.get(self, 2 if self is ValueKind.ANSWER else MAX_AMOUNT + 1)

    def from_code(self, notation: Notation, code: int) -> Value:
        """The value of a code."""
        if self is ValueKind.SUIT:
            return notation.suits[code]
        if self is ValueKind.RANK:
            return notation.ranks[code]
        if self is ValueKind.ANSWER:
            return bool(code)
        return int(code) + (self is ValueKind.SEAT)

    def to_code(self, notation: Notation, value: object, players: int) -> int:
        """The code of a value. Raises ValueError, which names what is expected."""
        if self is ValueKind.SUIT:
            return notation.suit(value)  # type: ignore[arg-type]  # it refuses what is no text
        if self is ValueKind.RANK:
            return notation.rank(value)  # type: ignore[arg-type]
        if self is ValueKind.ANSWER:
            if isinstance(value, bool):
                return int(value)
            raise ValueError(f"unknown answer {shown(value)}, expected True (yes) or False (no)")
        least, most = (1, players) if self is ValueKind.SEAT else (0, MAX_AMOUNT)
        try:
            plain = as_int(self, value)  # type: ignore[arg-type]
        except TypeError:
            plain = least - 1
        if least <= plain <= most:
            return plain - least
        raise ValueError(f"unknown {self} {shown(value)}, expected a number from {least} to {most}")


def value_text(value: object) -> str:
    """A value as messages and moves show it: `H`, `2`, `yes`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
