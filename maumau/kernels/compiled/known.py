"""The positions that are known: packed rows in the order in which they were found, and a hash table of their numbers.

A slot holds 1 + the number of a position below bits of its hash, or 0. There are more slots than positions, and their
number is a power of two, so that the bits above those of a number are free.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from maumau.kernels.compiled.rows import compress, equal, expand, hashed

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import Array

WHOLE = 0xFFFFFFFF
"""The bits of a slot."""


def admit(
    staged: Array, count: int, its_parents: Array, its_moves: Array, its_numbers: Array, keys: Array, slots: Array,
    parents: Array, moves: Array, known: int,
) -> int:  # fmt: skip
    """Add those of `count` positions that are not among the `known` ones, in their order; how many are known then.

    staged, its_parents, its_moves: of each position its row, from which one it was found and by which event.
    its_numbers: its number, which is written. keys, parents, moves: the same of the known ones.
    """
    numbers = len(slots) - 1
    for place in range(count):
        mixed = hashed(staged[place])
        tag, slot = mixed & ~numbers & WHOLE, mixed >> 32 & numbers
        while slots[slot] != 0:
            if slots[slot] & ~numbers == tag and equal(keys[(slots[slot] & numbers) - 1], staged[place]):
                break
            slot = slot + 1 & numbers
        if slots[slot] == 0:
            for word in range(keys.shape[1]):
                keys[known, word] = staged[place, word]
            parents[known] = its_parents[place]
            moves[known] = its_moves[place]
            known += 1
            slots[slot] = tag | known
        its_numbers[place] = (slots[slot] & numbers) - 1
    return known


def index_all(keys: Array, slots: Array) -> None:
    """Put all positions into an empty hash table."""
    numbers = len(slots) - 1
    for place in range(len(keys)):
        mixed = hashed(keys[place])
        slot = mixed >> 32 & numbers
        while slots[slot] != 0:
            slot = slot + 1 & numbers
        slots[slot] = mixed & ~numbers & WHOLE | place + 1


def repack(keys: Array, layout: Array, row: Array, outside: Array, wider: Array, its_layout: Array) -> None:
    """Pack rows by another layout, with more bits in use. keys, layout: as they are; wider, its_layout: as they will
    be. row, outside: room for one row.
    """
    for place in range(len(keys)):
        expand(keys[place], layout, row)
        compress(row, its_layout, outside, wider[place])
