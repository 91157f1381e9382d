"""Results of many games counted by value: in words by lanes, or from the rows of the games."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from fsm.declaration.chain import Counter
from fsm.edge.numbers import Array, np
from maumau.kernels.bulk.counts import APART
from maumau.kernels.compiled.loop import CELLS, count_values, spread
from maumau.kernels.compiled.results import MEASURED
from maumau.kernels.compiler.machine_code import machine_code
from maumau.kernels.compiler.program import Results, numbers, of_any_game
from maumau.kernels.lanes.by_value import ByValue
from rules.ending import Ending

Histograms = Mapping[str, Array]


COUNT_VALUES = of_any_game(count_values)
"""Counts results by value. It depends on the layout of a result only, not on a game."""
SPREAD = of_any_game(spread)
"""Writes results in columns. It depends on the layout of a result only, not on a game."""


def prepare_counts() -> None:
    """Compile what counts results and writes them in columns."""
    for program in (COUNT_VALUES, SPREAD):
        machine_code(program)


def write_columns(played: Results, endings: Array, winners: Array, measures: Array, points: Array) -> None:
    """Write results in columns: the endings, bytes with a sign; the winners, bytes, from 1 on, 0 for none; what is
    MEASURED, 32 bits without a sign, shape (4, games); and the points, 32 bits, shape (players, games).
    """
    machine_code(SPREAD)(played.games, played.scores, endings, winners, measures, points)


def histograms(played: Results) -> dict[str, Array]:
    """The counts by name, 64-bit integers: `endings` by code, `wins` by seat, `turns` and the other measures and
    `score 1`, `score 2`, ... by value, up to the largest that came, and `trails`, the sum of the trails. Scores below
    zero are counted in `loss 1`, `loss 2`, ... by their size, for seats that have some.
    """
    games, scores = played.games, played.scores
    seats = scores.shape[1]
    endings, winners = numbers(len(Ending)), numbers(seats + 1)
    columns = {name: games[name] for name in MEASURED}
    columns |= {f"score {seat + 1}": scores[:, seat] for seat in range(seats)}
    cells, bits = numbers((len(columns), CELLS)), numbers(len(columns))
    trails = machine_code(COUNT_VALUES)(games, scores, endings, winners, cells, bits)
    counted = {"endings": endings, "wins": winners[1:]}
    for (name, column), row, values in zip(columns.items(), cells, bits.tolist(), strict=True):
        if 0 <= values < CELLS:
            counted[name] = _trimmed(row).copy()
            continue
        counted[name] = np.bincount(column[column >= 0], minlength=1)
        if values < 0:
            counted[name.replace("score", "loss")] = np.bincount(-column[column < 0])
    return counted | {"trails": np.array([trails], np.int64)}


class CountedByValue(NamedTuple):
    """The results of many games, counted by value.

    histograms: see `histograms`. endings: for each game a byte, 0 for one with a winner. counted, used: as of
    `Results`.
    """

    histograms: Histograms
    endings: Array
    counted: Mapping[Counter, int] | None
    used: Mapping[str, int] | None


def added_rows(one: Histograms, other: Histograms) -> dict[str, Array]:
    """The sums of histograms; those that are missing are of nothing."""
    return {
        name: added(one[name], other[name]) if name in one and name in other else row
        for name, row in {**one, **other}.items()
    }


def added(one: Array, other: Array) -> Array:
    """The sum of two rows; the shorter one is padded with zeros."""
    long, short = (one, other) if len(one) >= len(other) else (other, one)
    total = long.copy()
    total[: len(short)] += short
    return total


class ValueCounts:
    """The words in which lanes count the results of one thread.

    left: the results of games that lanes did not play.
    """

    def __init__(self, by_value: ByValue) -> None:
        self.by_value = by_value
        self.left: list[Results] = []
        self.words = numbers(by_value.size + 2 * APART)[APART:-APART]

    @property
    def _ended(self) -> list[Array]:
        """The endings, the wins by seat, and the sum of the trails."""
        return np.split(self.words[: self.by_value.trails + 1], [self.by_value.wins, self.by_value.trails])

    @property
    def _columns(self) -> list[tuple[int, Array]]:
        """The least value of each column, and the number of games for it and those that follow."""
        parts = zip(self.by_value.columns, pairwise(self.by_value.starts), strict=True)
        return [(low, self.words[start:end]) for (low, _), (start, end) in parts]

    @property
    def sums(self) -> list[Array]:
        """The sums of the results, as of `Counts.results`."""
        columns = self._columns
        endings, wins, _ = self._ended
        sums = [int(np.arange(low, low + len(row)) @ row) for low, row in columns]
        by_name = dict(zip(MEASURED, columns, strict=False))
        low, turns = by_name["turns"]
        longest = int(low + turns.nonzero()[0].max(initial=-low))
        low, reshuffles = by_name["reshuffles"]
        reshuffled = int(reshuffles[max(1 - low, 0) :].sum())
        measured = len(MEASURED)
        return [endings, wins, np.array(sums[measured:]), np.array([*sums[:measured], reshuffled, longest])]

    @property
    def histograms(self) -> Histograms:
        """The counts by name, as of `histograms`, with those of the games that lanes did not play."""
        found = dict(zip(("endings", "wins", "trails"), self._ended, strict=True))
        names = *MEASURED, *(f"score {seat + 1}" for seat in range(self.by_value.players))
        for name, (low, row) in zip(names, self._columns, strict=True):
            losses, values = row[: max(-low, 0)], row[max(-low, 0) :]
            found[name] = _trimmed(np.concatenate([numbers(max(low, 0)), values]))
            if losses.any():
                found[name] = added(found[name], numbers(1))
                found[name.replace("score", "loss")] = _trimmed(np.concatenate([numbers(1), losses[::-1]]))
        for results in self.left:
            found = added_rows(found, histograms(results))
        return found


def _trimmed(row: Array) -> Array:
    """A row without the zeros at its end."""
    return row[: row.nonzero()[0].max(initial=-1) + 1]
