"""The backward pass through a graph of positions: which of them a side can win, from the ends back to the deals.

The ways of position n lead to `ends` from place `first[n]` to before place `first[n + 1]`. A negative number is no
position: -1 is worth nothing, -2 - n is what a win of seat n is worth; those below `lowest` are not ways at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import Array

WON, LOST = 1, 2
"""What a position is worth to the first side; 0 if nobody can force a win."""
NUMBER = (1 << 31) - 1
"""The bits of the number of a position, by which the compiler knows that it does not count from the end."""
SEATS = 127
"""The bits of the seat that chooses in a position."""


def sweep(  # noqa: PLR0912
    first: Array, ends: Array, movers: Array, sides: Array, follows: Array, chosen: Array, worth: Array,
    length: Array, left: Array, count: int, step: int, latest: int, lowest: int,
) -> int:  # fmt: skip
    """Settle the positions that are won or lost in `step` moves; how many are left undecided.

    movers: the seat that chooses in each position; empty where one chooses in all. sides: for each seat WON or LOST,
    what its win is to the first side. follows: for each seat the row of `chosen` with the moves that it makes, or -1 if
    it is free. worth, length: of each position its value and in how many moves it is reached, if that matters; only
    what was found in at most `latest` moves counts. left: the undecided positions, of which the first `count` are
    looked at; those that stay so are kept. Without room for them, the last one of `count` positions comes first, and
    those that are worth anything are passed over.
    """
    kept = 0
    side, row = sides[0], follows[0]
    for place in range(count):
        here = count - 1 - place
        if len(left) > 0:
            here = left[place] & NUMBER
        elif worth[here] != 0:
            continue
        if len(movers) > 0:
            seat = movers[here] & SEATS
            side, row = sides[seat], follows[seat]
        other = side ^ 3
        begin, end = first[here], first[here + 1]
        if row >= 0:
            begin += chosen[row, here]
            end = begin + 1
        found = losing = elsewhere = 0
        for number in range(begin, end):
            there = ends[number]
            if there < lowest:
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
