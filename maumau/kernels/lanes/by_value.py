"""Where lanes count the results of games by value: a word of 64 bits for each value that a result may have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from maumau.kernels.lanes.intervals import Range
from rules.ending import Ending

MOST_WORDS = 1 << 15
"""Words of one thread, at most: what is written often should stay in the caches of its processor."""


@dataclass(frozen=True)
class ByValue:
    """The words of games of so many players: of endings, of wins by seat, the sum of the trails, then the columns.

    columns: the least and the greatest value of what is measured and of the score of each seat; none where there are
    too many values.
    """

    players: int
    columns: Sequence[Range]

    @classmethod
    def of(cls, players: int, columns: Sequence[Range]) -> ByValue:
        """The words for results in these ranges."""
        found = cls(players, columns)
        return found if found.size <= MOST_WORDS else cls(players, ())

    @property
    def wins(self) -> int:
        """Where the wins of the first seat are."""
        return len(Ending)

    @property
    def trails(self) -> int:
        """Where the sum of the trails is."""
        return len(Ending) + self.players

    @property
    def starts(self) -> list[int]:
        """Where each column begins, and where the last one ends."""
        return list(accumulate((high - low + 1 for low, high in self.columns), initial=self.trails + 1))

    @property
    def size(self) -> int:
        """How many words there are."""
        return self.starts[-1]
