"""Positions packed into rows of integers, as `fsm.check.packing` lays them out: equal rows are equal positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsm.check.packing import PER_WORD

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import (
        Array,
        Row,
        Table,
        in_range,
        pack_heads,
        pack_lists,
        reset,
        unpack_heads,
        unpack_lists,
    )

SMALL = 0x7F
"""The bits of a small number or of a card."""


def pack(table: Table, phase: int, row: Array, cards: int) -> bool:
    """Write a position into `row`; whether all facts are in range, and no more than `cards` lie in the piles."""
    size = table.tail - table.head
    if not (in_range(table) and 0 <= table.stock <= size <= cards):
        return False
    pack_heads(table, phase, size, row)
    at = pack_lists(table, row)
    for word in range(at, len(row)):
        row[word] = 0
    for place in range(size):
        card = table.ring[table.head + place & len(table.ring) - 1]
        row[at + place // PER_WORD] |= card << 8 * (place % PER_WORD)
    return True


def unpack(table: Table, row: Array, players: int) -> int:
    """Set a table to the position of `row`; its phase. Counters start anew, the open card lies there to be played."""
    phase: int = row[0] & SMALL
    reset(table)
    table.players = players
    size = unpack_heads(table, row)
    at = unpack_lists(table, row)
    for place in range(size):
        table.ring[place] = row[at + place // PER_WORD] >> 8 * (place % PER_WORD) & SMALL
    table.tail, table.bottom = size, table.stock
    table.open_card = table.card = table.ring[size - 1] if size > table.stock else -1
    return phase


def put(row: Array, at: int, values: Row, players: int) -> int:
    """Write the numbers of all seats into `row`, from word `at` on; the word after them."""
    for seat in range(players):
        row[at + seat] = values[seat]
    return at + players


def get(row: Array, at: int, values: Row, players: int) -> int:
    """Read the numbers of all seats from where `put` wrote them; the word after them."""
    for seat in range(players):
        values[seat] = row[at + seat]
    return at + players
