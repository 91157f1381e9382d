"""The backward pass through a graph of positions: which of them a side can win, from the ends back to the deals.

The ways of position n lead to `ends` from place `first[n]` to before place `first[n + 1]`. A negative number is no
position: -1 is worth nothing, -2 - n is what a win of seat n is worth; those below `lowest` are not ways at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fsm.edge.arrays import ByteRows, Bytes, Halves, Integers

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import Array

WON, LOST = 1, 2
"""What a position is worth to the first side; 0 if nobody can force a win."""
NUMBER = (1 << 31) - 1
"""The bits of the number of a position, by which the compiler knows that it does not count from the end."""
SEATS = 127
"""The bits of the seat that chooses in a position."""


class Sweep(NamedTuple):
    """What is swept.

    first, ends: the ways. movers: the seat that chooses in each position; without any, one side alone does. sides: for
    each seat WON or LOST, what its win is to the first side. follows: for each seat the row of `chosen`, the places of
    its moves, or -1 if it makes any. worth: what positions are worth. length: in how many moves that is reached, if
    that matters. left: the undecided positions. lowest: ways to lower numbers do not count.
    """

    first: Integers
    ends: Halves
    movers: Halves
    sides: Integers
    follows: Integers
    chosen: ByteRows
    worth: Bytes
    length: Halves
    left: Halves
    lowest: int


def sweep(work: Sweep, count: int, step: int, latest: int) -> int:  # noqa: PLR0912
    """Settle the positions that are won or lost in `step` moves; how many are left undecided.

    Only what was found in at most `latest` moves counts. The first `count` of those that are left are looked at; those
    that stay undecided are kept. Without room for them, the last one of `count` positions comes first, and those that
    are worth anything are passed over.
    """
    first, ends, sides, worth = work.first, work.ends, work.sides, work.worth
    length, left, movers = work.length, work.left, work.movers
    kept = 0
    side, row = sides[0], work.follows[0]
    for place in range(count):
        here = count - 1 - place
        if len(left) > 0:
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
            if there < work.lowest:
                continue
            value = value_there(there, sides, worth, length, latest)
            if value == side:
                found = side
                break
            if value == other:
                losing = 1
            else:
                elsewhere = 1
        if found == 0 and losing == 1 and elsewhere == 0:
            found = other
        if found == 0:
            if len(left) > 0:
                left[kept] = here
            kept += 1
        else:
            worth[here] = found
            if len(length) > 0:
                length[here] = step
    return kept


def value_there(there: int, sides: Array, worth: Array, length: Array, latest: int) -> int:
    """What a way is worth to the first side, as far as it was found in at most `latest` moves."""
    if there < 0:
        return int(sides[-2 - there]) if there < -1 else 0
    value = int(worth[there])
    if value != 0 and len(length) > 0 and length[there] > latest:
        return 0
    return value
