"""The wild draw four: fits if nothing else does, names a colour; the next player draws four and loses the turn."""

from __future__ import annotations

from rules.rule import effect, guard
from rules.uno.cards import WILD_DRAW_FOURS
from rules.uno.table import UnoTable


@guard("{card} is no wild draw four")
def wild_draw_four(table: UnoTable) -> bool:
    """The card that is dropped is a wild draw four."""
    return (WILD_DRAW_FOURS >> table.card & 1) == 1


@effect
def add_four(table: UnoTable) -> None:
    """Four cards are due."""
    table.due = 4
