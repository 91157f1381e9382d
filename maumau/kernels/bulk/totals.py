"""Sums over many games, computed by compiled code, a chunk of games at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from fsm.declaration.chain import Counter, fired_of
from maumau.kernels.compiled.sums import add_up
from maumau.kernels.compiler.machine_code import numbers
from maumau.kernels.compiler.naming import Source
from maumau.kernels.compiler.program import Program
from maumau.kernels.compiler.results import Totals, blank_rows
from rules.ending import Ending

if TYPE_CHECKING:
    from maumau.kernels.compiler.results import Array

    AddUp = Callable[[Array, Array, Array, Array, Array, Array], object]


def _no_results(subject: None) -> tuple[Any, ...]:
    return (*blank_rows(0, 2), *(numbers(2) for _ in range(4)))


ADD_UP = Program("add_up", lambda subject: Source("", {"add_up": add_up}), None, _no_results)
"""Adds results up. It depends on the layout of a result only, not on a game."""


class RunningTotals:
    """The sums of one thread."""

    def __init__(self, players: int) -> None:
        import numpy as np

        self.games = 0
        self.endings = np.zeros(len(Ending), np.int64)
        self.wins = np.zeros(players, np.int64)
        self.points = np.zeros(players, np.int64)
        self.sums = np.zeros(6, np.int64)  # turns, laid, taken, reshuffles, games with a reshuffle, the longest

    def add(self, add_up: AddUp, results: Array, scores: Array) -> None:
        """Add the rows of some games."""
        self.games += len(results)
        add_up(results, scores, self.endings, self.wins, self.points, self.sums)

    def join(self, other: RunningTotals) -> None:
        """Add the sums of another thread."""
        self.games += other.games
        self.endings += other.endings
        self.wins += other.wins
        self.points += other.points
        self.sums[:5] += other.sums[:5]
        self.sums[5] = max(self.sums[5], other.sums[5])

    def totals(self, counted: Mapping[Counter, int] | None, used: Mapping[str, int] | None) -> Totals:
        """The sums by name, with the counts of arcs and decision rules."""
        turns, laid, taken, reshuffles, reshuffled, longest = map(int, self.sums)
        return Totals(
            games=self.games,
            endings={str(ending): int(self.endings[ending]) for ending in Ending if ending != Ending.RUNNING},
            wins=tuple(map(int, self.wins)),
            points=tuple(map(int, self.points)),
            turns=turns,
            laid=laid,
            taken=taken,
            reshuffles=reshuffles,
            reshuffled=reshuffled,
            longest=longest,
            fired=fired_of(counted or {}),
            used=used or {},
        )
