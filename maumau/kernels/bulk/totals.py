"""Sums and histograms of the results of many games, counted by compiled code."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from itertools import pairwise
from operator import add

from fsm.declaration.chain import Counter, fired_of
from fsm.declaration.declaration import Declaration, rule_names
from maumau.kernels.compiled.loop import add_up, count_values
from maumau.kernels.compiler.program import of_any_game
from maumau.kernels.compiler.results import MEASURED, Array, Results, Totals, blank_rows, numbers
from rules.ending import Ending

AddUp = Callable[[Array, Array, Array, Array, Array, Array], object]
Distribution = Callable[[Array, Array, Array, Array, Array], int]


APART = 16
"""Words between the counters of two threads, so that they share no cache line."""


ADD_UP = of_any_game(add_up, lambda: (*blank_rows(0, 2), *(numbers(2) for _ in range(4))))
"""Adds results up. It depends on the layout of a result only, not on a game."""


class Counts:
    """Counters of arcs, of decision rules and of results for one thread, in memory of the standard library."""

    def __init__(self, game: Declaration, players: int) -> None:
        self.players = players
        counters, rules, sums = len(game.counters), len(rule_names(game)), len(Ending) + 2 * players + 6
        starts = APART, 2 * APART + counters, 3 * APART + counters + rules
        self.words = array("q", bytes(8 * (starts[-1] + sums + APART)))
        self._parts = [slice(*part) for part in zip(starts, map(add, starts, (counters, rules, sums)), strict=True)]

    @property
    def addresses(self) -> dict[str, int]:
        """The addresses of the counters by the names of the arguments of a worker."""
        start, _ = self.words.buffer_info()
        return {name: start + 8 * part.start for name, part in zip(("fired", "used", "sums"), self._parts, strict=True)}

    @property
    def arrays(self) -> tuple[Array, Array]:
        """The counters of arcs and of rules, in the same memory."""
        fired, used, *_ = self._arrays()
        return fired, used

    @property
    def named(self) -> tuple[list[int], list[int]]:
        """How often each arc was fired, and each rule used."""
        fired, used, _ = self._parts
        return self.words[fired].tolist(), self.words[used].tolist()

    @property
    def parts(self) -> list[slice]:
        """Where the counters are among the words: of arcs, of rules, of endings, wins, points, and the other sums."""
        fired, used, sums = self._parts
        ends = [0, len(Ending), len(Ending) + self.players, len(Ending) + 2 * self.players, sums.stop - sums.start]
        return [fired, used, *(slice(sums.start + start, sums.start + end) for start, end in pairwise(ends))]

    def _arrays(self) -> list[Array]:
        import numpy as np

        words = np.frombuffer(self.words, np.int64)
        return [words[part] for part in self.parts]

    def change(self, other: Counts, sign: int = 1) -> None:
        """Add what another counted, or subtract it. The last sum is a maximum."""
        longest = self._parts[2].stop - 1
        for index, value in enumerate(other.words):
            self.words[index] = max(self.words[index], value) if index == longest else self.words[index] + sign * value

    def add(self, add_up: AddUp, results: Array, scores: Array) -> None:
        """Add the results of some games to the sums."""
        _, _, *sums = self._arrays()
        add_up(results, scores, *sums)

    def totals(self, games: int, counted: Mapping[Counter, int] | None, used: Mapping[str, int] | None) -> Totals:
        """The sums by name, with the counts of arcs and decision rules."""
        ended, wins, points, sums = (self.words[part].tolist() for part in self.parts[2:])
        endings = {str(ending): ended[ending] for ending in Ending if ending != Ending.RUNNING}
        turns, laid, taken, reshuffles, reshuffled, longest = sums
        return Totals(
            *(games, endings, tuple(wins), tuple(points)),
            *(turns, laid, taken, reshuffles, reshuffled, longest),
            *(fired_of(counted or {}), used or {}),
        )


def totals_of(game: Declaration, players: int, games: int, words: list[int]) -> Totals:
    """The totals of games from the words of their counters, where another machine has counted them."""
    counts = Counts(game, players)
    counts.words[:] = array("q", words)
    fired, used = counts.named
    counted = dict(zip(game.counters, fired, strict=True))
    return counts.totals(games, counted, dict(zip(rule_names(game), used, strict=True)))


# ---------------------------------------------------------------- histograms

CELLS = 1024
"""Cells of a histogram; the last one counts all larger values."""


COUNT_VALUES = of_any_game(count_values, lambda: (*blank_rows(0, 2), numbers(3), numbers(3), numbers((0, 4))))
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
