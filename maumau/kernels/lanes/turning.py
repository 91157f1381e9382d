"""Rows of bytes, one for each lane, turned into vectors with a byte of each lane, and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from maumau.kernels.lanes.emit import Emitter

COLUMNS = 16
"""Columns that are turned at a time."""


def columns_of(emitter: Emitter, rows: Sequence[str]) -> list[str]:
    """16 vectors with a byte of each lane, from 16 bytes of each lane."""
    if len(rows) % COLUMNS:
        return [_gathered(emitter, rows, column) for column in range(COLUMNS)]
    return _transposed(emitter, [emitter.joined(list(rows[first::COLUMNS]), COLUMNS, 8) for first in range(COLUMNS)])


def rows_of(emitter: Emitter, columns: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lanes, in no order, each with its 16 bytes, from 16 vectors with a byte of each lane."""
    if emitter.lanes % COLUMNS:
        for lane in range(emitter.lanes):
            found = (emitter.out(f"extractelement {emitter.vector(8)} {each}, i32 {lane}") for each in columns)
            yield lane, _collected(emitter, list(found))
        return
    for first, vector in enumerate(_transposed(emitter, columns)):
        for start in range(0, emitter.lanes, COLUMNS):
            indices = ", ".join(f"i32 {start + index}" for index in range(COLUMNS))
            kind = emitter.vector(8)
            piece = emitter.out(f"shufflevector {kind} {vector}, {kind} poison, <{COLUMNS} x i32> <{indices}>")
            yield start + first, piece


def _gathered(emitter: Emitter, rows: Sequence[str], column: int) -> str:
    """One byte of each row, for so few lanes that there is nothing to shuffle."""
    bytes_ = [emitter.out(f"extractelement <{COLUMNS} x i8> {row}, i32 {column}") for row in rows]
    return _collected(emitter, bytes_)


def _collected(emitter: Emitter, bytes_: Sequence[str]) -> str:
    kind, found = f"<{len(bytes_)} x i8>", "poison"
    for index, each in enumerate(bytes_):
        found = emitter.out(f"insertelement {kind} {found}, i8 {each}, i32 {index}")
    return found


def _transposed(emitter: Emitter, vectors: Sequence[str]) -> list[str]:
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
    indices = [
        start + half * upper + index + second * lanes
        for start in range(0, lanes, COLUMNS)
        for index in range(half)
        for second in (0, 1)
    ]
    kind, listed = emitter.vector(8), ", ".join(f"i32 {index}" for index in indices)
    return emitter.out(f"shufflevector {kind} {one}, {kind} {other}, <{lanes} x i32> <{listed}>")
