"""What holds over time, in the graph of all positions.

Positions are passed through backwards, as most events lead to positions that were found later.

The ways of position n lead to `targets` from place `first[n]` to before place `first[n + 1]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from maumau.kernels.compiled.rows import expand, unpack

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import Array, conditions, make


def judge(keys: Array, layout: Array, row: Array, players: int, part: int, judged: Array) -> None:
    """Judge positions by a part of the responses. keys, layout: packed rows, and how they are. row: room for a row."""
    table = make()
    for place in range(len(keys)):
        expand(keys[place], layout, row)
        judged[place] = conditions(table, unpack(table, row, players), part)


def leave_out(first: Array, targets: Array, left: Array) -> int:
    """Leave out positions that have ways, of which none leads to one that is left; how many."""
    gone = 0
    for back in range(len(left)):
        place = len(left) - 1 - back
        if left[place] != 0 and first[place] < first[place + 1] and not leads(first, targets, left, place):
            left[place] = 0
            gone += 1
    return gone


def take_in(first: Array, targets: Array, allowed: Array, left: Array) -> int:
    """Take in positions that are allowed and from which a way leads to one that is left; how many."""
    taken = 0
    for back in range(len(left)):
        place = len(left) - 1 - back
        if left[place] == 0 and allowed[place] != 0 and leads(first, targets, left, place):
            left[place] = 1
            taken += 1
    return taken


def leads(first: Array, targets: Array, left: Array, place: int) -> bool:
    """Whether a way leads from a position to one that is left."""
    for way in range(first[place], first[place + 1]):
        if left[targets[way]] != 0:
            return True
    return False
