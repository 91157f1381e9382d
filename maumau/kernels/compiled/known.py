"""The rows that are known, in the order in which they were found, and a hash table of their numbers.

A slot holds 1 + the number of a row below bits of its hash, or 0. There are more slots than rows, and their number is a
power of two, so that the bits above those of a number are free.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from maumau.kernels.compiled.rows import compress, equal, expand, hashed

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import Array

AHEAD = 32
"""Rows whose slots are read before they are looked for, so that memory is waited for once."""
WHOLE = 0xFFFFFFFF
"""The bits of a slot."""


def admit(
    staged: Array, count: int, its_notes: Array, its_numbers: Array, keys: Array, slots: Array, notes: Array, known: int
) -> int:
    """Add those of `count` rows that are not among the `known` ones, in their order; how many are known then.

    staged, its_notes: the rows, and what is noted of each. its_numbers: their numbers, which are written. keys, notes:
    the same of the known ones.
    """
    numbers = len(slots) - 1
    for place in range(count):
        if place % AHEAD == 0:
            for following in range(place, min(place + AHEAD, count)):
                its_numbers[following] = slots[hashed(staged[following]) >> 32 & numbers]
        slot = slot_of(staged[place], keys, slots)
        if slots[slot] == 0:
            for word in range(keys.shape[1]):
                keys[known, word] = staged[place, word]
            for column in range(notes.shape[1]):
                notes[known, column] = its_notes[place, column]
            enter(slots, slot, keys[known], known)
            known += 1
        its_numbers[place] = number_in(slots, slot)
    return known


def slot_of(row: Array, keys: Array, slots: Array) -> int:
    """The slot in which the number of a row is, or the empty one in which it belongs."""
    numbers = len(slots) - 1
    mixed = hashed(row)
    tag, slot = mixed & ~numbers & WHOLE, mixed >> 32 & numbers
    while slots[slot] != 0:
        if slots[slot] & ~numbers == tag and equal(row, keys[(slots[slot] & numbers) - 1]):
            break
        slot = slot + 1 & numbers
    return slot


def number_in(slots: Array, slot: int) -> int:
    """The number of the row in a slot."""
    return int(slots[slot] & len(slots) - 1) - 1


def enter(slots: Array, slot: int, row: Array, number: int) -> None:
    """Write the number of a row into a slot."""
    slots[slot] = hashed(row) & ~(len(slots) - 1) & WHOLE | number + 1


def index_all(keys: Array, slots: Array) -> None:
    """Put all rows into an empty hash table."""
    numbers = len(slots) - 1
    for place in range(len(keys)):
        slot = hashed(keys[place]) >> 32 & numbers
        while slots[slot] != 0:
            slot = slot + 1 & numbers
        enter(slots, slot, keys[place], place)


def repack(keys: Array, layout: Array, row: Array, in_use: Array, packed: Array, its_layout: Array) -> None:
    """Pack rows by another layout.

    keys, layout: as they are; packed, its_layout: as they will be. row: room for one. in_use: their bits are added.
    """
    for place in range(len(keys)):
        expand(keys[place], layout, row)
        compress(row, its_layout, in_use, packed[place])
