"""Drawing, as far as all games agree: cards are due, and the draw pile gives them."""

from __future__ import annotations

from typing import Protocol

from rules.rule import effect, guard


class Drawing(Protocol):
    """What a table has where cards are drawn."""

    due: int
    stock: int


@guard("no card is due")
def card_due(table: Drawing) -> bool:
    """A card must be drawn."""
    return table.due > 0


@guard("the draw pile is empty")
def draw_pile_left(table: Drawing) -> bool:
    """The draw pile has a card."""
    return table.stock > 0


@effect
def draw_one(table: Drawing) -> None:
    """One card is due."""
    table.due = 1
