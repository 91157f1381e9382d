"""Two rule sets compared on the same decks: paired differences, computed from the counts of a study.

Each deck, or each match, is played once under each rule set by the same policies in the same seats
(`StudySpec.compared_with`). A figure is a number for each game or match; the sums of both numbers and of their products
are exact integers (maumau.study.paired).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from maumau.study.intervals import Method, holm, paired_p_value
from maumau.study.paired import CHANGED, figures, sums_of_difference
from maumau.study.run import Progress
from maumau.study.spec import StudySpec
from maumau.study.summary import Mean, mean_of_sums, method_of

if TYPE_CHECKING:
    from maumau.kernels.compiler.results import Array


@dataclass(frozen=True)
class RuleDifference:
    """A figure under both rule sets. figure: its name. one, other: its means. difference: other minus one.

    p_value: of the paired test of no difference; None where it is undefined, and for a study that may stop early.
    adjusted: the p-value adjusted for all figures, by Holm.
    """

    figure: str
    one: float
    other: float
    difference: Mean
    p_value: float | None = None
    adjusted: float | None = None


@dataclass(frozen=True)
class RuleComparison:
    """The comparison of two rule sets. one, other: the names of the games with their rules.

    games: decks, or matches, that are counted. finished, stopped: as in `maumau.study.summary.Summary`. changed: how
    many of them differ in cards laid or in scores. method: of the intervals.
    """

    spec: StudySpec
    games: int
    finished: bool
    stopped: bool
    method: str
    one: str
    other: str
    changed: int
    differences: tuple[RuleDifference, ...]


def comparison(progress: Progress) -> RuleComparison:
    """The figures of a comparison of rules up to now, which must have at least one chunk."""
    spec, counts, games, method = progress.spec, progress.counts, progress.games, method_of(progress.spec)
    assert spec.compared_with is not None
    differences = [_difference(spec, name, counts.row(f"rules/{name}"), games, method) for name, _ in figures(spec)]
    tests = holm([each.p_value for each in differences])
    return RuleComparison(
        spec=spec,
        games=games,
        finished=progress.finished,
        stopped=progress.narrow and progress.chunks < spec.chunks,
        method=method.named,
        one=spec.game,
        other=spec.compared_with,
        changed=int(counts.row(CHANGED)[0]),
        differences=tuple(replace(each, adjusted=p) for each, p in zip(differences, tests, strict=True)),
    )


def _difference(spec: StudySpec, figure: str, row: Array, games: int, method: Method) -> RuleDifference:
    """The difference of a figure; its p-value is valid for a number of games that was chosen in advance."""
    one, other = row[:2].tolist()
    mean = mean_of_sums(games, *sums_of_difference(row), method=method)
    p_value = paired_p_value(mean.mean, mean.deviation, games) if spec.until_width is None else None
    return RuleDifference(figure, one / games, other / games, mean, p_value)
