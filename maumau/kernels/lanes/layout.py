"""Where the facts of the games of all lanes lie in memory: one vector for each fact, the widest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from maumau.kernels.lanes.intervals import Range, width_of

LINE = 64
"""Bytes of a cache line."""


def line_of(lanes: int) -> int:
    """The alignment of vectors in bytes: the size of a vector of the widest numbers, at most a cache line."""
    return min(8 * lanes, LINE)


def aligned(size: int, line: int) -> int:
    """The size rounded up to a multiple of the alignment."""
    return (size + line - 1) // line * line


@dataclass(frozen=True)
class LaneLayout:
    """Vectors of facts. lanes: elements of each. fields: the bits and the offset in bytes of each fact. size: in
    bytes.
    """

    lanes: int
    fields: Mapping[str, tuple[int, int]]
    size: int

    @classmethod
    def of(cls, lanes: int, facts: Iterable[str], ranges: Mapping[str, Range]) -> LaneLayout:
        """A layout of some facts."""
        bits = {name: width_of(ranges[name]) for name in facts}
        fields, end = {}, 0
        for name in sorted(bits, key=lambda name: -bits[name]):
            fields[name] = bits[name], end
            end = aligned(end + lanes * bits[name] // 8, line_of(lanes))
        return cls(lanes, fields, end)

    def vector(self, name: str) -> str:
        """The type of the vector of a fact."""
        return f"<{self.lanes} x i{self.fields[name][0]}>"
