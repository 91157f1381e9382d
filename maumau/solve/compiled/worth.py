"""Retrograde analysis: which positions a side can win, from the ends back to the deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import Array

WON, LOST = 1, 2
"""What a position is worth to the first side; 0 if nobody can force a win."""
SEATS = 127


def sweep(
    first: Array, moves: Array, movers: Array, sides: Array, follows: Array, chosen: Array, worth: Array,
    length: Array, left: Array, count: int, step: int, latest: int,
) -> int:  # fmt: skip
    """Settle the positions that are won or lost in `step` moves; how many are left undecided.

    sides: for each seat WON or LOST, what its win is to the first side. follows: for each seat the row of `chosen`
    with the moves that it makes, or -1 if it is free. worth, length: of each position its value and in how many moves
    it is reached; only what was found in at most `latest` moves counts. left: the undecided positions, of which the
    first `count` are looked at; those that stay so are kept.
    """
    kept = 0
    for place in range(count):
        here = left[place]
        seat = movers[here] & SEATS
        side, other = sides[seat], sides[seat] ^ 3
        begin, end = first[here], first[here + 1]
        if follows[seat] >= 0:
            begin += chosen[follows[seat], here]
            end = begin + 1
        losing = 1
        found = 0
        for number in range(begin, end):
            there = moves[number]
            value = 0
            if there < -1:
                value = sides[-2 - there]
            elif there >= 0 and length[there] <= latest:
                value = worth[there]
            if value == side:
                found = side
                break
            if value != other:
                losing = 0
        if found == 0 and losing == 1:
            found = other
        if found == 0:
            left[kept] = here
            kept += 1
        else:
            worth[here] = found
            length[here] = step
    return kept
