"""Drawing cards, as all games share it: a number of cards is due, and they come from the draw pile."""

from __future__ import annotations

from typing import Protocol

from rules.rule import effect, guard


class Drawing(Protocol):
    """The fields of a table that drawing needs."""

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
