"""Positions as rows of numbers, as machine code packs them (`fsm.check.packing`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fsm.check.packing import PER_WORD, PositionLayout, least
from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import Declaration
from maumau.kernels.compiled.rows import SMALL
from rules.cards import NO_CARD
from rules.piles import discard_pile, draw_pile


def row_of(game: Declaration, phase: Phase, table: Any, cards: int) -> list[int]:
    """A position as the row that stands for it in a graph. cards: those of the deck."""
    layout = PositionLayout.of(game)
    size = table.tail - table.head
    heads = [list(game.phases).index(phase), *(getattr(table, fact.field) + least(fact) for fact in layout.scalars)]
    lists = [value for name in layout.lists for value in getattr(table, name)[: table.players]]
    piles = [*draw_pile(table), *discard_pile(table)]
    row = _words([*heads, table.stock, size], layout.heads) + lists
    return row + _words(piles, layout.width(table.players, cards) - len(row))


def _words(small: Sequence[int], count: int) -> list[int]:
    """Small numbers in words."""
    words = [0] * count
    for place, value in enumerate(small):
        words[place // PER_WORD] |= value << 8 * (place % PER_WORD)
    return words


def unpacked(game: Declaration, row: Sequence[int], players: int) -> tuple[Phase, Any]:
    """The phase and the table of a row: what `row_of` has made."""
    layout, table = PositionLayout.of(game), game.table()
    small = [row[place // PER_WORD] >> 8 * (place % PER_WORD) & SMALL for place in range(layout.heads * PER_WORD)]
    table.players = players
    for fact, value in zip(layout.scalars, small[1:], strict=False):
        setattr(table, fact.field, value - least(fact))
    table.stock, size = small[len(layout.scalars) + 1 : len(layout.scalars) + 3]
    at = layout.heads
    for name in layout.lists:
        getattr(table, name)[:players] = row[at : at + players]
        at += players
    table.ring[:size] = bytes(row[at + place // PER_WORD] >> 8 * (place % PER_WORD) & SMALL for place in range(size))
    table.tail, table.bottom = size, table.stock
    table.open_card = table.card = table.ring[size - 1] if size > table.stock else NO_CARD
    return list(game.phases)[small[0]], table
