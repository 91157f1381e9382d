"""What holds over time, in the graph of all positions.

Positions are passed through backwards, as most events lead to positions that were found later. The ways of position n
lead to `targets` from place `first[n]` to before place `first[n + 1]`; those to negative numbers do not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import Array


def change(first: Array, targets: Array, among: Array, left: Array, leading: int, becomes: int) -> int:
    """Leave positions out, or take them in again; how many.

    among: those that may be. left: those that are left, which are changed. leading: where the ways of a position lead
    by which it is changed, as of `leads`. becomes: 0 to leave out, 1 to take in.
    """
    changed = 0
    for back in range(len(left)):
        place = len(left) - 1 - back
        if left[place] != becomes and among[place] != 0 and leads(first, targets, left, place) == leading:
            left[place] = becomes
            changed += 1
    return changed


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
