"""Sums and histograms of the results of many games, counted by compiled code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from fsm.declaration.chain import Counter, fired_of
from maumau.kernels.compiled.loop import add_up, count_values
from maumau.kernels.compiler.naming import Source
from maumau.kernels.compiler.program import Program
from maumau.kernels.compiler.results import MEASURED, Results, Totals, blank_rows, numbers
from rules.ending import Ending

if TYPE_CHECKING:
    from maumau.kernels.compiler.results import Array

    AddUp = Callable[[Array, Array, Array, Array, Array, Array], object]
    Distribution = Callable[[Array, Array, Array, Array, Array], int]


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


# ---------------------------------------------------------------- histograms

CELLS = 1024
"""Cells of a histogram; the last one counts all larger values."""


def _none_counted(subject: None) -> tuple[Any, ...]:
    return (*blank_rows(0, 2), numbers(3), numbers(3), numbers((0, 4)))


COUNT_VALUES = Program("count_values", lambda subject: Source("", {"count_values": count_values}), None, _none_counted)
"""Counts results by value. It depends on the layout of a result only, not on a game."""


def histograms(count_values: Distribution, played: Results) -> dict[str, Array]:
    """The counts by name, 64-bit integers: `endings` by code, `wins` by seat, `turns` and the other measures and
    `score 1`, `score 2`, ... by value, up to the largest that came, and `trails`, the sum of the trails. Scores below
    zero are counted in `loss 1`, `loss 2`, ... by their size, for seats that have some.
    """
    import numpy as np

    games, scores = played.games, played.scores
    seats = scores.shape[1]
    endings, winners = np.zeros(len(Ending), np.int64), np.zeros(seats + 1, np.int64)
    cells = np.zeros((len(MEASURED) + seats, CELLS), np.int64)
    trails = count_values(games, scores, endings, winners, cells)
    counted = {"endings": endings, "wins": winners[1:]}
    columns = {name: games[name] for name in MEASURED}
    columns |= {f"score {seat + 1}": scores[:, seat] for seat in range(seats)}
    for (name, column), row in zip(columns.items(), cells, strict=True):
        counted[name] = np.bincount(column.clip(0)) if row[-1] else np.trim_zeros(row, "b").copy()
    for seat in range(seats):
        if (losses := -scores[:, seat].clip(max=0)).any():
            counted[f"score {seat + 1}"][0] -= np.count_nonzero(losses)
            counted[f"loss {seat + 1}"] = np.bincount(losses[losses > 0])
    return counted | {"trails": np.array([trails], np.int64)}
