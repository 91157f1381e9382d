"""The results of a study, or of rules compared: every figure of its report, computed from the counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import combinations
from shlex import quote
from typing import Any, TypeVar

from fsm.declaration.arcs import Arc
from fsm.declaration.chain import Counter
from fsm.edge.numbers import Array
from fsm.outside import options_of
from fsm.registry import game_class
from maumau.kernels.compiled.results import MEASURED
from maumau.study.counts import (
    ALL_SEATS,
    CHANGED,
    MEASURES,
    Anytime,
    Counts,
    Fixed,
    Method,
    StudyProgress,
    figures,
    holm,
    moments,
    paired_p_value,
    row_name,
    sums_of_difference,
)
from maumau.study.spec import StudySpec

QUANTILES = {"5 %": 0.05, "median": 0.5, "95 %": 0.95, "99 %": 0.99}
"""The least values that at least such a part of all games do not exceed."""
NAMES = {"rounds": "rounds", "turns": "turns", "laid": "cards laid", "taken": "cards drawn", "reshuffles": "reshuffles"}


@dataclass(frozen=True)
class Share:
    """A share of all games or matches, and the interval of the probability."""

    count: int
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Mean:
    """The mean over games, and the interval of the expectation."""

    mean: float
    low: float
    high: float
    deviation: float


@dataclass(frozen=True)
class Seat:
    """The results of a seat, from 1: games won and points left; of matches, those won and the totals."""

    seat: int
    policy: str
    wins: Share
    points: Mean


@dataclass(frozen=True)
class Distribution:
    """The distribution of a number over the games. histogram: games by value, from 0."""

    name: str
    mean: Mean
    least: int
    quantiles: dict[str, int]
    most: int
    histogram: tuple[int, ...]


@dataclass(frozen=True)
class Seating:
    """The results of one seating. policies: one per seat."""

    policies: tuple[str, ...]
    seats: tuple[Seat, ...]
    histograms: tuple[Distribution, ...]
    endings: dict[str, Share]
    reshuffled: Share


@dataclass(frozen=True)
class Unfinished:
    """A game without a winner, and the command that replays it."""

    number: int
    ending: str
    policies: tuple[str, ...]
    command: str


@dataclass(frozen=True)
class Difference:
    """Policy `one` minus policy `other` on the same decks, in a seat (from 1) or over all seats (0).

    measure: wins per game, or points left. adjusted: the p-value adjusted for all tests of the study, by Holm.
    """

    one: str
    other: str
    seat: int
    measure: str
    difference: Mean
    p_value: float | None
    adjusted: float | None


@dataclass(frozen=True)
class Chains:
    """The number of chains by length. things: the name of the cards in a chain, in the plural."""

    lengths: dict[int, int]
    things: str

    @property
    def count(self) -> int:
        """The number of all chains."""
        return sum(self.lengths.values())

    @property
    def mean(self) -> float:
        """The mean length; 0 without chains."""
        return sum(length * count for length, count in self.lengths.items()) / max(self.count, 1)


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
    p_value: float | None
    adjusted: float | None


Compared = TypeVar("Compared", Difference, RuleDifference)


@dataclass(frozen=True)
class Findings:
    """What every report says.

    games: game numbers counted, each played in every seating. finished: whether the study is complete. stopped:
    whether it stopped early, because the intervals were narrow. method: of the intervals, in words.
    """

    spec: StudySpec
    games: int
    finished: bool
    stopped: bool
    method: str

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        report = import_module("maumau.study.report")  # by its name: it is above the figures that it shows
        bundle: dict[str, Any] = report.sheet_of(self).bundle(report.render(self, "markdown"))
        return bundle


@dataclass(frozen=True)
class RuleComparison(Findings):
    """Two rule sets compared on the same decks. changed: how many games differ in cards laid or in scores."""

    changed: int
    differences: tuple[RuleDifference, ...]


@dataclass(frozen=True)
class Summary(Findings):
    """All figures of a study.

    fired, used: counts of arcs and decision rules over all seatings. fingerprint: a sum over all cards laid; equal
    studies have equal fingerprints.
    """

    seatings: tuple[Seating, ...]
    differences: tuple[Difference, ...]
    chains: Chains | None
    unfinished: tuple[Unfinished, ...]
    unlisted: int
    fired: dict[Arc, int]
    used: dict[str, int]
    fingerprint: int

    @property
    def played(self) -> int:
        """Games played: each number in each seating."""
        return self.games * len(self.seatings)


def summary(progress: StudyProgress) -> Summary:
    """The figures of a study up to now, which must have at least one chunk."""
    spec, counts, games = progress.spec, progress.counts, progress.games
    method = _method_of(spec)
    game = game_class(spec.game).declaration
    counted = dict(zip(game.counters, _over_seatings(spec, counts, "arcs", len(game.counters)), strict=True))
    rules = game.rule_names
    times = zip(rules, _over_seatings(spec, counts, "rules", len(rules)), strict=True)
    laying = {policy.name for policy in game.policies if policy.lays_first}  # nearly every game has one
    used = {rule: count for rule, count in times if count or rule not in laying}
    endings = (counts.row(f"{index}/endings").tolist() for index in range(len(spec.seatings)))
    unwon = sum(sum(ended) - ended[spec.unit.endings.WON] for ended in endings)
    return Summary(
        **_findings(progress, method),
        seatings=tuple(
            _seating(spec, counts, index, policies, games, method) for index, policies in enumerate(spec.seatings)
        ),
        differences=_adjusted(_differences(spec, counts, games, method)),
        chains=Chains(Counter.chains(counted), game.chain.things) if game.chain else None,
        unfinished=tuple(
            Unfinished(number, str(spec.unit.endings(ending)), seating, replay_command(spec, number, seating))
            for ending, number, index in counts.unwon
            for seating in [spec.seatings[index]]
        ),
        unlisted=unwon - len(counts.unwon),
        fired=Counter.fired(counted),
        used=used,
        fingerprint=sum(_over_seatings(spec, counts, "trails", 1)),
    )


def comparison(progress: StudyProgress) -> RuleComparison:
    """The figures of a comparison of rules up to now, which must have at least one chunk.

    p-values are valid for a number of games that was chosen in advance.
    """
    spec, counts, games, method = progress.spec, progress.counts, progress.games, _method_of(progress.spec)
    differences, compared = [], figures(spec)
    if isinstance(method, Fixed):  # the intervals of all figures hold at once, as the p-values do (Bonferroni)
        method = replace(method, confidence=1 - (1 - method.confidence) / len(compared))
    for figure in compared:
        row = counts.row(f"rules/{figure}")
        one, other = (total / games for total in row[:2].tolist())
        mean = _mean_of_sums(games, *sums_of_difference(row, 1, 0), method=method)
        p_value = paired_p_value(mean.mean, mean.deviation, games) if spec.until_width is None else None
        differences.append(RuleDifference(figure, one, other, mean, p_value, None))
    changed = int(counts.row(CHANGED)[0])
    return RuleComparison(**_findings(progress, method), changed=changed, differences=_adjusted(differences))


def _method_of(spec: StudySpec) -> Method:
    return (Fixed if spec.until_width is None else Anytime)(spec.confidence)


def _findings(progress: StudyProgress, method: Method) -> dict[str, Any]:
    return {
        "spec": progress.spec,
        "games": progress.games,
        "finished": progress.finished,
        "stopped": progress.narrow and progress.chunks < progress.spec.chunks,
        "method": method.named,
    }


def _adjusted(differences: Iterable[Compared]) -> tuple[Compared, ...]:
    """The differences with their p-values adjusted for all of them."""
    found = list(differences)
    tests = holm([each.p_value for each in found])
    return tuple(replace(each, adjusted=p) for each, p in zip(found, tests, strict=True))


def replay_command(spec: StudySpec, number: int, policies: tuple[str, ...]) -> str:
    """The command that replays one game or match of a study, move by move."""
    game = "".join(f" {quote(word)}" for word in options_of(spec.game))
    known = game_class(spec.game).declaration.policies
    who = "" if set(policies) == {known[0].name} else f" --policy {','.join(policies)}"
    rolls = any(policy.rolls_dice for policy in known if policy.name in policies)
    dice = f" --seed {spec.seed} --number {number}" if rolls else ""
    match, to = ("", "") if spec.target is None else (" --match", f" --match --target {spec.target}")
    deal = f"maumau deal{game}{match} --players {spec.players} --seed {spec.seed} --number {number}"
    return f"{deal} | maumau simulate{game}{to} --trace{who}{dice}"


def _over_seatings(spec: StudySpec, counts: Counts, name: str, length: int) -> list[int]:
    rows = [counts.row(f"{index}/{name}").tolist() for index in range(len(spec.seatings))]
    return [sum(column) for column in zip(*([*row, *[0] * (length - len(row))] for row in rows), strict=True)]


# ---------------------------------------------------------------- a seating


def _seating(
    spec: StudySpec, counts: Counts, index: int, policies: tuple[str, ...], games: int, method: Method
) -> Seating:
    wins = counts.row(f"{index}/wins").tolist()
    points = [
        _mean(counts.row(f"{index}/score {seat}"), method, counts.row(f"{index}/loss {seat}"))
        for seat in range(1, spec.players + 1)
    ]
    endings = counts.row(f"{index}/endings").tolist()
    reshuffles = counts.row(f"{index}/reshuffles").tolist()
    measured = MEASURED if spec.target is None else ("rounds", *MEASURED)
    return Seating(
        policies,
        tuple(
            Seat(seat, policy, _share(won, games, method), mean)
            for seat, policy, won, mean in zip(range(1, spec.players + 1), policies, wins, points, strict=True)
        ),
        tuple(_distribution(NAMES[name], counts.row(f"{index}/{name}"), method) for name in measured),
        {str(end): _share(endings[end], games, method) for end in spec.unit.endings if end},
        _share(games - reshuffles[0], games, method),
    )


def _share(count: int, games: int, method: Method) -> Share:
    return Share(count, count / games, *method.share(count, games))


def _mean(histogram: Array, method: Method, losses: Array | None = None) -> Mean:
    """The mean of a histogram by value. losses: the histogram of the values below zero, by their size."""
    values = list(enumerate(histogram.tolist()))
    values += [(-value, count) for value, count in enumerate([] if losses is None else losses.tolist())]
    games = sum(count for _, count in values)
    total = sum(value * count for value, count in values)
    squares = sum(value * value * count for value, count in values)
    found = _mean_of_sums(games, total, squares, method)
    return found if total < 0 or losses is not None or found.deviation else replace(found, low=max(found.low, 0.0))


def _mean_of_sums(games: int, total: int, squares: int, method: Method, scale: int = 1) -> Mean:
    """The mean of whole numbers from their sum and the sum of their squares, all divided by `scale`."""
    mean, deviation = moments(games, total, squares, scale)
    return Mean(mean, *method.mean(mean, deviation, games), deviation)


def _distribution(name: str, histogram: Array, method: Method) -> Distribution:
    values, counted = histogram.nonzero()[0].tolist(), histogram.cumsum()
    least, most = values[0], values[-1]
    quantiles = {label: int(counted.searchsorted(part * counted[-1])) for label, part in QUANTILES.items()}
    return Distribution(name, _mean(histogram, method), least, quantiles, most, tuple(histogram[: most + 1].tolist()))


# ---------------------------------------------------------------- policies compared


def _differences(spec: StudySpec, counts: Counts, games: int, method: Method) -> Iterator[Difference]:
    """The differences of each pair of policies, over all seats and in each seat, per game there: in each seat a policy
    plays a deck in as many seatings as in the first one.
    """
    times = {name: sum(seating[0] == name for seating in spec.seatings) for name in spec.compared}
    for one, other in combinations(spec.compared, 2):
        for seat in range(ALL_SEATS, spec.players + 1):
            for measure in MEASURES:
                row, scale = counts.row(row_name(measure, seat)), times[one] * times[other]
                first, second = spec.compared.index(one), spec.compared.index(other)
                sums = sums_of_difference(row, first, second, plus=times[other], minus=times[one])
                scale *= spec.players if seat == ALL_SEATS else 1
                mean = _mean_of_sums(games, *sums, method=method, scale=scale)
                p_value = paired_p_value(mean.mean, mean.deviation, games)
                yield Difference(one, other, seat, measure, mean, p_value, None)
