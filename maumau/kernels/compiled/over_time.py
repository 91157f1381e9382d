"""What holds over time, in the graph of all positions.

Positions are passed through backwards, as most events lead to positions that were found later. The ways of position n
lead to `targets` from place `first[n]` to before place `first[n + 1]`; those to negative numbers do not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import Array


def leave_out(first: Array, targets: Array, left: Array) -> int:
    """Leave out positions that have ways, of which none leads to one that is left; how many."""
    gone = 0
    for back in range(len(left)):
        place = len(left) - 1 - back
        if left[place] != 0 and leads(first, targets, left, place) == ELSEWHERE:
            left[place] = 0
            gone += 1
    return gone


def take_in(first: Array, targets: Array, allowed: Array, left: Array) -> int:
    """Take in positions that are allowed and from which a way leads to one that is left; how many."""
    taken = 0
    for back in range(len(left)):
        place = len(left) - 1 - back
        if left[place] == 0 and allowed[place] != 0 and leads(first, targets, left, place) == TO_ONE_LEFT:
            left[place] = 1
            taken += 1
    return taken


NOWHERE, ELSEWHERE, TO_ONE_LEFT = range(3)


def leads(first: Array, targets: Array, left: Array, place: int) -> int:
    """Whether ways lead from a position: to one that is left, or elsewhere."""
    found = NOWHERE
    for way in range(first[place], first[place + 1]):
        there = targets[way]
        if there >= 0:
            if left[there] != 0:
                return TO_ONE_LEFT
            found = ELSEWHERE
    return found
