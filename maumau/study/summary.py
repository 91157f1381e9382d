"""The results of a study: every figure of its report, computed from the counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from shlex import quote
from typing import TYPE_CHECKING

from fsm.declaration.arcs import Arc
from fsm.declaration.chain import chains_of, fired_of
from fsm.declaration.functions import rule_names
from fsm.declaration.policy import RANDOM
from fsm.outside import options_of
from fsm.registry import game_class
from maumau.kernels.compiler.results import MEASURED
from maumau.study.counts import Counts, Unwon
from maumau.study.intervals import Anytime, Fixed, Method, holm, moments, paired_p_value
from maumau.study.paired import ALL_SEATS, MEASURES, row_name, shares
from maumau.study.run import Progress
from maumau.study.spec import StudySpec
from rules.ending import Ending

if TYPE_CHECKING:
    from maumau.kernels.compiler.results import Array

QUANTILES = {"5 %": 0.05, "median": 0.5, "95 %": 0.95, "99 %": 0.99}
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
class Summary:
    """All figures of a study.

    games: game numbers counted, each played in every seating. finished: whether the study is complete. stopped:
    whether it stopped early, because the intervals were narrow. fired, used: counts of arcs and decision rules over
    all seatings. fingerprint: a sum over all cards laid; equal studies have equal fingerprints.
    """

    spec: StudySpec
    games: int
    finished: bool
    stopped: bool
    method: str
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


def summary(progress: Progress) -> Summary:
    """The figures of a study up to now, which must have at least one chunk."""
    spec, counts, games = progress.spec, progress.counts, progress.games
    method = method_of(spec)
    game = game_class(spec.game).declaration
    counted = dict(zip(game.counters, _over_seatings(spec, counts, "arcs", len(game.counters)), strict=True))
    rules = rule_names(game)
    used = dict(zip(rules, _over_seatings(spec, counts, "rules", len(rules)), strict=True))
    endings = (counts.row(f"{index}/endings").tolist() for index in range(len(spec.seatings)))
    unwon = sum(sum(ended) - ended[Ending.WON] for ended in endings)
    differences = list(_differences(spec, counts, games, method))
    tests = holm([each.p_value for each in differences])
    return Summary(
        spec=spec,
        games=games,
        finished=progress.finished,
        stopped=progress.narrow and progress.chunks < spec.chunks,
        method=method.named,
        seatings=tuple(
            _seating(spec, counts, index, policies, games, method) for index, policies in enumerate(spec.seatings)
        ),
        differences=tuple(replace(each, adjusted=p) for each, p in zip(differences, tests, strict=True)),
        chains=Chains(chains_of(counted), game.chain.things) if game.chain else None,
        unfinished=tuple(_unfinished(spec, each) for each in counts.unwon),
        unlisted=unwon - len(counts.unwon),
        fired=fired_of(counted),
        used=used,
        fingerprint=sum(_over_seatings(spec, counts, "trails", 1)),
    )


def method_of(spec: StudySpec) -> Method:
    """The method for the intervals of a study."""
    return (Fixed if spec.until_width is None else Anytime)(spec.confidence)


def replay_command(spec: StudySpec, number: int, policies: tuple[str, ...]) -> str:
    """The command that replays one game or match of a study, move by move."""
    game = "".join(f" {quote(word)}" for word in options_of(spec.game))
    default = game_class(spec.game).declaration.policies[0].name
    who = "" if set(policies) == {default} else f" --policy {','.join(policies)}"
    dice = f" --seed {spec.seed} --number {number}" if RANDOM.name in policies else ""
    match, to = ("", "") if spec.target is None else (" --match", f" --match --target {spec.target}")
    deal = f"maumau deal{game}{match} --players {spec.players} --seed {spec.seed} --number {number}"
    return f"{deal} | maumau simulate{game}{to} --trace{who}{dice}"


def _over_seatings(spec: StudySpec, counts: Counts, name: str, length: int) -> list[int]:
    """The sum of a row over all seatings."""
    rows = [counts.row(f"{index}/{name}").tolist() for index in range(len(spec.seatings))]
    return [sum(column) for column in zip(*rows, strict=True)] if all(map(len, rows)) else [0] * length


def _unfinished(spec: StudySpec, game: Unwon) -> Unfinished:
    policies = spec.seatings[game.seating]
    command = replay_command(spec, game.number, policies)
    return Unfinished(game.number, str(spec.endings(game.ending)), policies, command)


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
        {str(end): _share(endings[end], games, method) for end in spec.endings if end},
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
    return mean_of_sums(games, total, squares, method)


def mean_of_sums(games: int, total: int, squares: int, method: Method, scale: int = 1) -> Mean:
    """The mean of whole numbers from their sum and the sum of their squares, all divided by `scale`."""
    mean, deviation = moments(games, total, squares, scale)
    return Mean(mean, *method.mean(mean, deviation, games), deviation)


def _distribution(name: str, histogram: Array, method: Method) -> Distribution:
    counts = histogram.tolist()
    values = [value for value, count in enumerate(counts) if count]
    quantiles = {label: _quantile(counts, part) for label, part in QUANTILES.items()}
    return Distribution(
        name, _mean(histogram, method), values[0], quantiles, values[-1], tuple(counts[: values[-1] + 1])
    )


def _quantile(counts: list[int], part: float) -> int:
    """The least value that at least `part` of all games do not exceed."""
    left = part * sum(counts)
    for value, count in enumerate(counts):
        left -= count
        if left <= 0:
            return value
    return len(counts) - 1


# ---------------------------------------------------------------- policies compared


def _differences(spec: StudySpec, counts: Counts, games: int, method: Method) -> Iterator[Difference]:
    """The differences of each pair of policies, over all seats and in each seat."""
    for one, other in combinations(spec.compared, 2):
        for seat in range(ALL_SEATS, spec.players + 1):
            for measure in MEASURES:
                mean = _difference(spec, counts.row(row_name(measure, seat)), one, other, games, method, seat)
                p_value = paired_p_value(mean.mean, mean.deviation, games)
                yield Difference(one, other, seat, measure, mean, p_value, None)


def _difference(spec: StudySpec, row: Array, one: str, other: str, games: int, method: Method, seat: int) -> Mean:
    """The mean difference over decks of `one` and `other`, per game in that seat."""
    compared, times = spec.compared, shares(spec)
    first, second = compared.index(one), compared.index(other)
    sums, products = row[: len(compared)].tolist(), row[len(compared) :].reshape(len(compared), -1).tolist()
    plus, minus = times[other], times[one]
    total = plus * sums[first] - minus * sums[second]
    squares = plus**2 * products[first][first] - 2 * plus * minus * products[first][second]
    squares += minus**2 * products[second][second]
    scale = plus * minus * (spec.players if seat == ALL_SEATS else 1)
    return mean_of_sums(games, total, squares, method, scale)
