"""Histograms of the results of many games, counted by compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from maumau.kernels.compiled.sums import count_values
from maumau.kernels.compiler.machine_code import numbers
from maumau.kernels.compiler.naming import Source
from maumau.kernels.compiler.program import Program
from maumau.kernels.compiler.results import MEASURED, Results, blank_rows
from rules.ending import Ending

if TYPE_CHECKING:
    from maumau.kernels.compiler.results import Array

    Distribution = Callable[[Array, Array, Array, Array, Array], int]

CELLS = 1024
"""Cells of a histogram; the last one counts all larger values."""


def _no_results(subject: None) -> tuple[Any, ...]:
    return (*blank_rows(0, 2), numbers(3), numbers(3), numbers((0, 4)))


COUNT_VALUES = Program("count_values", lambda subject: Source("", {"count_values": count_values}), None, _no_results)
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
