"""Positions as rows of words: equal rows are equal positions. Packed, a row has only the bits in use.

A layout says for each word how to pack it. Its rows: the bits in use, the same number of low bits, the word of the
packed row in which they lie and from which bit on, and the bits that are moved down by 1, 2, 4, ... places to close the
gaps (Warren, Hacker's Delight, 7-4).
"""

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

SMALL = 0xFF
"""The bits of a small number or of a card."""
USED, LOW, WORD, FROM, MOVED = range(5)
"""Rows of a layout; those of the bits that are moved are the last ones."""
STEPS = 6
"""How often bits are moved: each time twice as far."""


def pack(table: Table, phase: int, row: Array, cards: int) -> bool:
    """Write a position into `row`; whether all facts are in range, and no more than `cards` lie in the piles."""
    size = table.tail - table.head
    if not (in_range(table) and 0 <= table.stock <= size <= cards):
        return False
    pack_heads(table, phase, size, row)
    place = table.head
    for word in range(pack_lists(table, row), len(row)):
        row[word] = 0
        for shift in range(0, 8 * min(table.tail - place, PER_WORD), 8):
            row[word] |= table.ring[place & len(table.ring) - 1] << shift
            place += 1
    return True


def unpack(table: Table, row: Array, players: int) -> int:
    """Set a table to the position of `row`; its phase. Counters start anew, the open card lies there to be played."""
    phase: int = row[0] & SMALL
    reset(table)
    table.players = players
    size = unpack_heads(table, row)
    place = 0
    for word in range(unpack_lists(table, row), len(row)):
        for shift in range(0, 8 * min(size - place, PER_WORD), 8):
            table.ring[place] = row[word] >> shift & SMALL
            place += 1
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


def put_bytes(row: Array, at: int, values: Row, size: int) -> int:
    """Write bytes into `row`, from word `at` on; the word after them."""
    for first in range(0, size, PER_WORD):
        row[at] = 0
        for index in range(first, min(first + PER_WORD, size)):
            row[at] |= values[index] << 8 * (index - first)
        at += 1
    return at


def get_bytes(row: Array, at: int, values: Row, size: int) -> int:
    """Read bytes from where `put_bytes` wrote them; the word after them."""
    for first in range(0, size, PER_WORD):
        for index in range(first, min(first + PER_WORD, size)):
            values[index] = row[at] >> 8 * (index - first) & SMALL
        at += 1
    return at


def hashed(row: Array) -> int:
    """A hash of a position."""
    mixed = 0
    for word in row:
        mixed = (mixed ^ word) * 0x1E3779B97F4A7C15
        mixed ^= mixed >> 29
    return mixed


def equal(one: Array, other: Array) -> bool:
    """Whether two rows are equal."""
    for word in range(len(one)):
        if one[word] != other[word]:
            return False
    return True


# ---------------------------------------------------------------- the bits in use


def compress(row: Array, layout: Array, outside: Array, packed: Array) -> None:
    """Pack a row; its bits for which there is no room are added to `outside`."""
    for word in range(len(packed)):
        packed[word] = 0
    for word in range(len(row)):
        outside[word] |= row[word] & ~layout[USED, word]
        bits = row[word] & layout[USED, word]
        for step in range(STEPS):
            moved = bits & layout[MOVED + step, word]
            bits = bits ^ moved | moved >> (1 << step)
        packed[layout[WORD, word]] |= (bits & layout[LOW, word]) << layout[FROM, word]


def expand(packed: Array, layout: Array, row: Array) -> None:
    """Undo `compress`."""
    for word in range(len(row)):
        bits = packed[layout[WORD, word]] >> layout[FROM, word] & layout[LOW, word]
        for step in range(STEPS - 1, -1, -1):
            moved = layout[MOVED + step, word]
            bits = bits & ~moved | bits << (1 << step) & moved
        row[word] = bits & layout[USED, word]
