"""Positions as rows of words: equal rows are equal positions. Packed, a row has only the bits in use.

A layout has a row for each piece of a packed row, in the order in which they lie there: the word of the whole row and
its bits that are in use, the word of the packed row in which they lie without gaps, and from which bit on.
"""

from __future__ import annotations

from fsm.edge.numbers import Array
from maumau.kernels.compiled.given import given
from maumau.kernels.compiled.interface import Table
from rules.queues import QUEUE_BYTES

PER_WORD, SMALL = 7, 0xFF
"""Small numbers or cards in a word of a row, so that no word is negative by them; and the bits of one."""
WORD, USED, PACKED, FROM = range(4)
"""Columns of a layout."""
LAST_SHIFT = 8 * (PER_WORD - 1)
"""The bit of the last small number in a word."""
PLACE = 0xFFFF
"""The bits of the place of a word, by which the compiler knows that it does not count from the end."""


def pack(table: Table, phase: int, row: Array, cards: int) -> bool:
    """Write a position into `row`; whether all facts are in range, and no more than `cards` lie in the piles."""
    size = table.tail - table.head
    if not (in_range(table) and 0 <= table.stock <= size <= cards):
        return False
    write_row(table, phase, size, row)
    return True


def write_row(table: Table, phase: int, size: int, row: Array) -> None:
    """Write a position into `row`; size: how many cards lie in the piles."""
    pack_heads(table, phase, size, row)
    place = table.head
    for word in range(pack_lists(table, row), len(row)):
        row[word] = 0
        for shift in range(0, 8 * min(table.tail - place, PER_WORD), 8):
            row[word] |= table.ring[place & len(table.ring) - 1] << shift
            place += 1


def unpack(table: Table, row: Array, players: int) -> int:
    """Set a table to the position of `row`; its phase. Counters start again, the open card lies there to be played."""
    phase: int = row[0] & SMALL
    given.reset(table)
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


def in_range(table: Table) -> bool:
    """Whether all facts are numbers that a row has room for."""
    for name, least, most in given.FACT_RANGES:
        if not least <= getattr(table, name) <= most:
            return False
    return True


def pack_heads(table: Table, phase: int, size: int, row: Array) -> None:
    """Write the phase, the facts, the sizes of the draw pile and of both piles into the first words of `row`."""
    bits = phase
    for name, less, word, shift in given.HEADS:
        bits |= (size if name == "" else getattr(table, name) + less) << shift
        if name == "" or shift == LAST_SHIFT:
            row[word] = bits
            bits = 0


def unpack_heads(table: Table, row: Array) -> int:
    """Read the facts and the size of the draw pile from `row`; the size of both piles."""
    size = 0
    for name, less, word, shift in given.HEADS:
        if name == "":
            size = row[word] >> shift & SMALL
        else:
            setattr(table, name, (row[word] >> shift & SMALL) - less)
    return size


def pack_lists(table: Table, row: Array) -> int:
    """Write the lists of seats and the piles whose cards lie in an order into `row`; the word after them."""
    at = given.HEAD_WORDS
    for name in given.LISTS_PACKED:
        at = put_words(row, at, getattr(table, name), table.players)
    for name, in_middle in given.QUEUES_PACKED:
        at = put_bytes(row, at, getattr(table, name), (1 if in_middle else table.players) * QUEUE_BYTES)
    return at


def unpack_lists(table: Table, row: Array) -> int:
    """Read them from `row`; the word after them."""
    at = given.HEAD_WORDS
    for name in given.LISTS_PACKED:
        at = get_words(row, at, getattr(table, name), table.players)
    for name, in_middle in given.QUEUES_PACKED:
        at = get_bytes(row, at, getattr(table, name), (1 if in_middle else table.players) * QUEUE_BYTES)
    return at


def put_words(row: Array, at: int, values: Array, players: int) -> int:
    """Write the numbers of all seats into `row`, from word `at` on; the word after them."""
    for seat in range(players):
        row[at + seat] = values[seat]
    return at + players


def get_words(row: Array, at: int, values: Array, players: int) -> int:
    """Read the numbers of all seats from where `put_words` wrote them; the word after them."""
    for seat in range(players):
        values[seat] = row[at + seat]
    return at + players


def put_bytes(row: Array, at: int, values: Array, size: int) -> int:
    """Write bytes into `row`, from word `at` on; the word after them."""
    for first in range(0, size, PER_WORD):
        row[at] = 0
        for index in range(first, min(first + PER_WORD, size)):
            row[at] |= values[index] << 8 * (index - first)
        at += 1
    return at


def get_bytes(row: Array, at: int, values: Array, size: int) -> int:
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


def extract(bits: int, mask: int) -> int:
    """The bits of a word where `mask` has some, moved down so that no gap is left between them.

    Compiled code uses an instruction of the processor instead, if it has one.
    """
    found = place = 0
    while mask != 0:
        low = mask & -mask
        found |= (bits & low != 0) << place
        place += 1
        mask &= mask - 1
    return found


def deposit(bits: int, mask: int) -> int:
    """Undo `extract`; the other bits are 0. An instruction in compiled code as well."""
    found = 0
    while mask != 0:
        found |= (mask & -mask) * (bits & 1)
        bits >>= 1
        mask &= mask - 1
    return found


def compress(row: Array, layout: Array, in_use: Array, packed: Array) -> None:
    """Pack a row: its bits for which the layout has room. All its bits are added to `in_use`."""
    for word in range(len(row)):
        in_use[word] |= row[word]
    bits = 0
    for piece in range(len(layout)):
        taken, start = extract(row[layout[piece, WORD] & PLACE], layout[piece, USED]), layout[piece, FROM]
        bits = taken if start == 0 else bits | taken << start
        packed[layout[piece, PACKED] & PLACE] = bits


def expand(packed: Array, layout: Array, row: Array) -> None:
    """Undo `compress`."""
    for word in range(len(row)):
        row[word] = 0
    for piece in range(len(layout)):
        bits = packed[layout[piece, PACKED] & PLACE] >> layout[piece, FROM]
        row[layout[piece, WORD] & PLACE] |= deposit(bits, layout[piece, USED])
