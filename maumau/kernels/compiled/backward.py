"""The backward pass through a graph of positions: which of them a side can win, from the ends back to the deals.

The ways of position n lead to `ends` from place `first[n]` to before place `first[n + 1]`. A negative number is no
position: -1 is worth nothing, -2 - n is what a win of seat n is worth; those below `lowest` are not ways at all.
"""

from __future__ import annotations

from typing import NamedTuple

from fsm.edge.arrays import Array1D, Array2D
from fsm.edge.numbers import np

WON, LOST = 1, 2
"""What a position is worth to the first side; 0 if nobody can force a win."""
FRESH = 4
"""Added to what a position is worth until the sweep that has found it ends."""
NUMBER = (1 << 31) - 1
"""The bits of the number of a position, by which the compiler knows that it does not count from the end."""
SEATS = 127
"""The bits of the seat that chooses in a position."""


class Sweep(NamedTuple):
    """What is swept.

    first, ends: the ways. movers: the seat that chooses in each position; without any, one side alone does. sides: for
    each seat WON or LOST, what its win is to the first side. follows: for each seat the row of `chosen`, the places of
    its moves, or -1 if it makes any. worth: what positions are worth. length: in how many moves that is reached, if
    that matters. left: the undecided positions, or room for them. lowest: ways to lower numbers do not count.
    """

    first: Array1D[np.int64]
    ends: Array1D[np.int32]
    movers: Array1D[np.int32]
    sides: Array1D[np.int64]
    follows: Array1D[np.int64]
    chosen: Array2D[np.uint8]
    worth: Array1D[np.uint8]
    length: Array1D[np.int32]
    left: Array1D[np.int32]
    lowest: int


def sweep(work: Sweep, listed: int, step: int, fresh: int) -> int:  # noqa: PLR0912
    """Settle the positions that are won or lost in `step` moves; how many are left undecided.

    The first `listed` of those that are left are looked at; with 0, all positions from the last one on, except for
    those that are worth anything. The ones that stay undecided are listed where there is room. fresh: FRESH if what
    this sweep finds does not count before the next one, which takes a list; else 0.
    """
    first, ends, sides, worth = work.first, work.ends, work.sides, work.worth
    length, left, movers = work.length, work.left, work.movers
    kept, count = 0, listed if listed > 0 else len(worth)
    side, row = sides[0], work.follows[0]
    for place in range(count):
        here = count - 1 - place
        if listed > 0:
            here = left[place] & NUMBER
        elif worth[here] != 0:
            continue
        if len(movers) > 0:
            seat = movers[here] & SEATS
            side, row = sides[seat], work.follows[seat]
        other = side ^ 3
        begin, end = first[here], first[here + 1]
        if row >= 0:
            begin += work.chosen[row, here]
            end = begin + 1
        found = losing = elsewhere = 0
        for number in range(begin, end):
            there = ends[number]
            if there >= 0:
                value = int(worth[there])
            elif there < work.lowest:
                continue
            else:
                value = sides[-2 - there] if there < -1 else 0
            if value == side:
                found = side
                break
            if value == other:
                losing = 1
            else:
                elsewhere = 1
        if found == 0 and losing == 1 and elsewhere == 0:
            found = other
        if found != 0:
            worth[here] = found | fresh
            if len(length) > 0:
                length[here] = step
        else:
            if listed > 0:
                left[place] = left[kept]
            if len(left) > 0:
                left[kept] = here
            kept += 1
    if fresh != 0:
        for place in range(kept, count):
            worth[left[place] & NUMBER] &= WON | LOST
    return kept
