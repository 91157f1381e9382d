"""Turns bytes of games: from a row for each game to a vector for each column, and back."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.lanes.emit import Emitter

COLUMNS = 16
"""Columns that are turned at a time."""


def transposed(emitter: Emitter, vectors: Sequence[str]) -> list[str]:
    """16 vectors turned, in each part of 16 bytes for itself: byte k of vector j becomes byte j of vector k.

    Four perfect shuffles of 256 bytes turn a square of 16 times 16.
    """
    found = list(vectors)
    for _ in range(4):
        halves = zip(found[: COLUMNS // 2], found[COLUMNS // 2 :], strict=True)
        found = [_interleaved(emitter, one, other, upper) for one, other in halves for upper in (False, True)]
    return found


def _interleaved(emitter: Emitter, one: str, other: str, upper: bool) -> str:
    """The bytes of the lower or upper halves of all parts of two vectors, in turn."""
    lanes, half = emitter.lanes, COLUMNS // 2
    places = [
        start + half * upper + place + second * lanes
        for start in range(0, lanes, COLUMNS)
        for place in range(half)
        for second in (0, 1)
    ]
    kind, listed = emitter.vector(8), ", ".join(f"i32 {place}" for place in places)
    return emitter.out(f"shufflevector {kind} {one}, {kind} {other}, <{lanes} x i32> <{listed}>")
