"""Draw two: the next player draws two cards and loses the turn."""

from __future__ import annotations

from rules.rule import effect, guard
from rules.uno.cards import DRAW_TWOS
from rules.uno.table import UnoTable


@guard("{card} is no draw two")
def draw_two(table: UnoTable) -> bool:
    """The card that is dropped is a draw two."""
    return (DRAW_TWOS >> table.card & 1) == 1


@effect
def add_two(table: UnoTable) -> None:
    """Two cards are due."""
    table.due = 2
