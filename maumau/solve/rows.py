"""Positions as rows of numbers, as machine code packs them (`fsm.check.packing`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fsm.check.packing import PER_WORD, PositionLayout, least, words
from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import Declaration
from maumau.kernels.compiled.rows import SMALL
from rules.cards import NO_CARD
from rules.piles import discard_pile, draw_pile
from rules.queues import QUEUE_BYTES


def row_of(game: Declaration, phase: Phase, table: Any, cards: int) -> list[int]:
    """A position as the row that stands for it in a graph. cards: those of the deck."""
    layout = PositionLayout.of(game)
    size = table.tail - table.head
    heads = [list(game.phases).index(phase), *(getattr(table, fact.field) + least(fact) for fact in layout.scalars)]
    lists = [value for name in layout.lists for value in getattr(table, name)[: table.players]]
    lists += [
        word for name, size in _queues(layout, table) for word in _words(getattr(table, name)[:size], words(size))
    ]
    piles = [*draw_pile(table), *discard_pile(table)]
    row = _words([*heads, table.stock, size], layout.heads) + lists
    return row + _words(piles, layout.width(table.players, cards) - len(row))


def _queues(layout: PositionLayout, table: Any) -> Iterator[tuple[str, int]]:
    """The fields of the queues, and how many bytes of them are in use."""
    return ((fact.field, len(fact.piles(table.players)) * QUEUE_BYTES) for fact in layout.queues)


def _words(small: Sequence[int], count: int) -> list[int]:
    """Small numbers in words."""
    row = [0] * count
    for place, value in enumerate(small):
        row[place // PER_WORD] |= value << 8 * (place % PER_WORD)
    return row


def _small(row: Sequence[int]) -> list[int]:
    """The small numbers in words."""
    return [word >> 8 * place & SMALL for word in row for place in range(PER_WORD)]


def unpacked(game: Declaration, row: Sequence[int], players: int) -> tuple[Phase, Any]:
    """The phase and the table of a row: what `row_of` has made."""
    layout, table = PositionLayout.of(game), game.table()
    small = _small(row[: layout.heads])
    table.players = players
    for fact, value in zip(layout.scalars, small[1:], strict=False):
        setattr(table, fact.field, value - least(fact))
    table.stock, size = small[len(layout.scalars) + 1 : len(layout.scalars) + 3]
    at = layout.heads
    for name in layout.lists:
        getattr(table, name)[:players] = row[at : at + players]
        at += players
    for name, length in _queues(layout, table):
        getattr(table, name)[:length] = bytes(_small(row[at : at + words(length)])[:length])
        at += words(length)
    table.ring[:size] = bytes(_small(row[at:])[:size])
    table.tail, table.bottom = size, table.stock
    table.open_card = table.card = table.ring[size - 1] if size > table.stock else NO_CARD
    return list(game.phases)[small[0]], table
