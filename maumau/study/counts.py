"""Counts over many games: exact integers that can be added in any order, by any number of workers.

Every figure of a report is computed from these counts, never from averages of averages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, NamedTuple, Self

if TYPE_CHECKING:
    from maumau.kernels.compiler.results import Array

LISTED = 1000
"""The number of games without a winner that are listed for each ending: those with the lowest game numbers."""


class Unwon(NamedTuple):
    """A game without a winner: its ending (rules.ending), its number, and the index of its seating."""

    ending: int
    number: int
    seating: int


@dataclass(frozen=True)
class Counts:
    """Sums over games.

    sums: rows of 64-bit integers by name: histograms by value, and other sums. A missing row is all zeros; a shorter
    row is padded with zeros. unwon: games without a winner, at most LISTED for each ending, sorted.
    """

    sums: Mapping[str, Array] = field(default_factory=dict)
    unwon: tuple[Unwon, ...] = ()

    def __add__(self, other: Counts) -> Counts:
        both = dict(self.sums)
        for name, row in other.sums.items():
            both[name] = _added(both[name], row) if name in both else row
        return Counts(both, lowest((*self.unwon, *other.unwon)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counts) and self.as_json() == other.as_json()

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Self:
        """The counts from the output of `as_json`."""
        import numpy as np

        sums = {name: np.array(row, np.int64) for name, row in plain["sums"].items()}
        return cls(sums, tuple(Unwon(*game) for game in plain["unwon"]))

    def row(self, name: str) -> Array:
        """The sums called `name`."""
        import numpy as np

        return self.sums.get(name, np.zeros(0, np.int64))

    def as_json(self) -> dict[str, Any]:
        """The counts as plain lists; equal counts give equal lists."""
        sums = {name: row.tolist() for name, row in sorted(self.sums.items())}
        return {"sums": sums, "unwon": [list(game) for game in self.unwon]}


def lowest(games: Sequence[Unwon]) -> tuple[Unwon, ...]:
    """The games that are listed by number, sorted."""
    by_ending = groupby(sorted(games), key=lambda game: game.ending)
    return tuple(game for _, group in by_ending for game in islice(group, LISTED))


def _added(one: Array, other: Array) -> Array:
    """The sum of two rows; the shorter one is padded with zeros."""
    long, short = (one, other) if len(one) >= len(other) else (other, one)
    total = long.copy()
    total[: len(short)] += short
    return total
