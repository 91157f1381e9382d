"""Positions that are kept, looked up and forgotten: a table of slots has the row of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import (
        POSITION_BYTES,
        Array,
        Table,
        hash_of,
        load,
        same_position,
        save,
    )

EMPTY = -1
"""What stands in a slot without a position."""


def slot_of(table: Table, phase: int, mixed: int, other: Table, seen: Array, hashes: Array, slots: Array) -> int:
    """Where in `slots` the row of a position stands, or where it belongs: EMPTY is there then."""
    slot = mixed & len(slots) - 1
    while slots[slot] >= 0:
        row = slots[slot]
        if hashes[row] == mixed and seen[row, -1] == phase:
            load(other, seen.ctypes.data + row * POSITION_BYTES)
            if same_position(table, other):
                break
        slot = slot + 1 & len(slots) - 1
    return slot


def keep_position(table: Table, phase: int, other: Table, seen: Array, hashes: Array, slots: Array, known: int) -> int:
    """Set `returned` if the position is among the `known` ones that are kept, else keep it; how many are kept now."""
    mixed = hash_of(table, phase)
    slot = slot_of(table, phase, mixed, other, seen, hashes, slots)
    table.returned = 1 if slots[slot] >= 0 else 0
    if table.returned == 0:
        save(table, seen.ctypes.data + known * POSITION_BYTES)
        seen[known, -1] = phase
        hashes[known] = mixed
        slots[slot] = known
        known += 1
    return known


def forget(hashes: Array, slots: Array, known: int) -> None:
    """Empty the slots of the `known` positions that are kept."""
    for row in range(known):
        slot = hashes[row] & len(slots) - 1
        while slots[slot] >= 0:
            slots[slot] = EMPTY
            slot = slot + 1 & len(slots) - 1
