"""Two rule sets compared on the same decks, with paired differences.

Each deck is played once under each rule set by the same policies in the same seats. A figure is a number for each game;
the sums of both numbers, of their difference and of its square are exact integers, added chunk by chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import sqrt
from os import sched_getaffinity
from typing import TYPE_CHECKING

from fsm.bulk.runner import Runner
from fsm.registry import game_class
from rules.ending import Ending
from study.errors import StudyError
from study.intervals import Fixed, holm, paired_p_value
from study.summary import Mean

if TYPE_CHECKING:
    from fsm.compiler.kernel import Notify
    from fsm.compiler.results import Array, Results
    from study.spec import StudySpec

CHUNK = 1 << 16
"""Decks in a chunk."""


@dataclass(frozen=True)
class RuleDifference:
    """A figure under both rule sets. figure: its name. one, other: its means. difference: other minus one.

    adjusted: the p-value of the paired test of no difference, adjusted for all figures, by Holm.
    """

    figure: str
    one: float
    other: float
    difference: Mean
    adjusted: float | None


@dataclass(frozen=True)
class RuleComparison:
    """The comparison of two rule sets. one, other: the names of the games with their rules.

    changed: the number of decks whose laid cards or scores differ.
    """

    spec: StudySpec
    one: str
    other: str
    changed: int
    differences: tuple[RuleDifference, ...]


def compare_rules(
    spec: StudySpec, other: str, threads: int | None = None, notify: Notify | None = None
) -> RuleComparison:
    """Play the games of `spec` also as the game called `other`, and compare.

    Raises StudyError if the games have different decks.
    """
    import numpy as np

    if game_class(spec.game).full_deck() != game_class(other).full_deck():
        raise StudyError(f"{spec.game} and {other} are played with different decks")
    runners = [_runner(spec, game, notify) for game in (spec.game, other)]
    starts = range(0, spec.games, CHUNK)
    workers = threads or len(sched_getaffinity(0))
    with ThreadPoolExecutor(workers) as pool:
        sums: Array = np.sum(list(pool.map(partial(_sums, spec, runners), starts)), axis=0)
    return RuleComparison(spec, spec.game, other, int(sums[0, 0]), tuple(_differences(spec, sums[1:])))


def _runner(spec: StudySpec, game: str, notify: Notify | None) -> Runner:
    kind = game_class(game)
    return Runner(kind.declaration, spec.players, spec.policies, spec.seed, tally=False, log=False, notify=notify)


def _sums(spec: StudySpec, runners: list[Runner], start: int) -> Array:
    """A row for each figure of a chunk of decks: the sums of one, other, difference and its square.

    The first row counts the decks whose laid cards or scores differ.
    """
    import numpy as np

    games = min(CHUNK, spec.games - start)
    one, other = (runner.play(None, spec.first + start, games, threads=1) for runner in runners)
    differ = (one.games["trail"] != other.games["trail"]) | (one.scores != other.scores).any(axis=1)
    rows = [[int(differ.sum()), 0, 0, 0]]
    for _, figure in _figures(spec.players):
        first, second = figure(one).astype(np.int64), figure(other).astype(np.int64)
        difference = second - first
        rows.append([int(first.sum()), int(second.sum()), int(difference.sum()), int((difference * difference).sum())])
    return np.array(rows, np.int64)


def _figures(players: int) -> Iterator[tuple[str, Callable[[Results], Array]]]:
    """The name of every figure, and the function that computes it from the results: a number for each game."""
    for seat in range(players):
        yield f"wins of player {seat + 1}", partial(_wins, seat)
    for seat in range(players):
        yield f"points of player {seat + 1}", partial(_points, seat)
    yield "turns", lambda results: results.games["turns"]
    yield "cards laid", lambda results: results.games["laid"]
    yield "cards drawn", lambda results: results.games["taken"]
    yield "games without a winner", lambda results: results.games["ending"] != Ending.WON


def _wins(seat: int, results: Results) -> Array:
    return results.games["winner"] == seat  # type: ignore[no-any-return]


def _points(seat: int, results: Results) -> Array:
    return results.scores[:, seat]


def _differences(spec: StudySpec, sums: Array) -> Iterator[RuleDifference]:
    games, method = spec.games, Fixed(spec.confidence)
    means, tests = [], []
    for total, squares in sums[:, 2:].tolist():
        mean = total / games
        variance = max(0.0, (squares - total * mean) / (games - 1)) if games > 1 else 0.0
        means.append(Mean(mean, *method.mean(mean, sqrt(variance), games), sqrt(variance)))
        tests.append(paired_p_value(mean, sqrt(variance), games))
    adjusted = iter(holm([p_value for p_value in tests if p_value is not None]))
    for (figure, _), row, mean, test in zip(_figures(spec.players), sums.tolist(), means, tests, strict=True):
        yield RuleDifference(figure, row[0] / games, row[1] / games, mean, None if test is None else next(adjusted))
