"""Reverse: the direction of play turns; of two players simply the other one is in turn."""

from __future__ import annotations

from rules.rule import effect, guard
from rules.uno.cards import REVERSES
from rules.uno.table import UnoTable


@guard("{card} is no reverse")
def reverse(table: UnoTable) -> bool:
    """The card that is dropped is a reverse."""
    return (REVERSES >> table.card & 1) == 1


@effect
def turn_direction(table: UnoTable) -> None:
    """The turn goes round the other way."""
    table.reversed ^= 1
