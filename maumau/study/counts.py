"""Counts over many games: exact integers that can be added in any order, by any number of workers, also those of pairs
of seatings on the same decks; and whether they are enough.

Every figure of a report is computed from these counts, never from averages of averages.

There are two methods for confidence intervals of shares and means, and for tests of differences. `Fixed` is for a
number of games that was chosen in advance: Wilson's score interval for shares (E. B. Wilson 1927, JASA 22:209-212),
Student's for means. `Anytime` is for studies that stop early: these are confidence sequences, which hold for all
numbers of games at once. For shares it is Robbins' beta-binomial mixture (H. Robbins 1970, Annals of Mathematical
Statistics 41:1397-1409; S. R. Howard, A. Ramdas, J. McAuliffe, J. Sekhon 2021, Annals of Statistics 49:1055-1080),
exact for every number of games; for means it is the normal mixture with the variance estimated, an asymptotic
confidence sequence (I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas 2024, Annals of Statistics
52:2613-2640).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from math import inf, isqrt, log, sqrt
from typing import Any, NamedTuple, Self

from fsm.edge.extras import Later
from fsm.edge.numbers import Array, np
from maumau.agents.intervals import wilson
from maumau.kernels.bulk.by_value import added_rows
from maumau.kernels.compiled.results import MEASURED
from maumau.kernels.compiler.program import Results
from maumau.kernels.engine import program_of
from maumau.study.compiled.moments import by_policy, sums_of_products
from maumau.study.spec import StudySpec

special: Any = Later("scipy.special")
Interval = tuple[float, float]


@dataclass(frozen=True)
class Fixed:
    """Intervals for a number of games that does not depend on what they show."""

    confidence: float

    named = "shares: Wilson's score interval; means: Student's interval"

    def share(self, count: int, games: int) -> Interval:
        """Wilson's score interval."""
        return wilson(count, games, self.confidence)

    def mean(self, mean: float, deviation: float, games: int) -> Interval:
        """Student's interval; infinite for a single game, and as `unvaried` says where all games have one value."""
        if games < 2:
            return -inf, inf
        if deviation == 0:
            return unvaried(self, mean, games)
        reach = -float(special.stdtrit(games - 1, (1 - self.confidence) / 2)) * deviation / sqrt(games)
        return mean - reach, mean + reach


@dataclass(frozen=True)
class Anytime:
    """Intervals that hold for all numbers of games at once, so the study may stop at any time.

    tuned: the number of games for which the intervals of means are narrowest.
    """

    confidence: float
    tuned: int = 100_000

    named = "valid at every look: shares: Robbins' beta-binomial mixture; means: asymptotic normal mixture"

    def share(self, count: int, games: int) -> Interval:
        """The probabilities p for which the mixture of all others, each equally likely, explains the games less than
        1 / (1 - confidence) times as well. The bound is Ville's inequality.
        """
        mixture = float(special.betaln(1 + count, 1 + games - count))
        limit = -log(1 - self.confidence)

        def excess(p: float) -> float:
            return mixture - float(special.xlogy(count, p)) - float(special.xlog1py(games - count, -p)) - limit

        share = count / games
        return (
            0.0 if count == 0 else _crossing(excess, share, 0.0),
            1.0 if count == games else _crossing(excess, share, 1.0),
        )

    def mean(self, mean: float, deviation: float, games: int) -> Interval:
        """The asymptotic confidence sequence; infinite for a single game, and as `unvaried` says where all games have
        one value.
        """
        if games < 2:
            return -inf, inf
        if deviation == 0:
            return unvaried(self, mean, games)
        alpha = 1 - self.confidence
        rho = sqrt((-2 * log(alpha) + log(-2 * log(alpha) + 1)) / self.tuned)
        scaled = games * rho * rho + 1
        reach = deviation * sqrt(2 * scaled / (games * rho) ** 2 * log(sqrt(scaled) / alpha))
        return mean - reach, mean + reach


Method = Fixed | Anytime
"""A method for confidence intervals."""


def unvaried(method: Method, mean: float, games: int) -> Interval:
    """Return the interval of a mean where all games have the same value.

    What has not happened in these games may happen in as many as the interval of its share allows: the value of such
    games is taken to differ by 1. So a count that was always 0 has an upper bound, as its share has.
    """
    _, most = method.share(0, games)
    return mean - most, mean + most


def moments(games: int, total: int, squares: int, scale: int = 1) -> tuple[float, float]:
    """The mean and the standard deviation of whole numbers, divided by `scale`, from their sum and that of their
    squares.
    """
    variance = (squares * games - total * total) / (games * max(games - 1, 1)) / scale**2
    return total / games / scale, sqrt(variance)


def paired_p_value(mean: float, deviation: float, decks: int) -> float | None:
    """The two-sided p-value of Student's paired test of an expected difference of zero; None if it is undefined."""
    if decks < 2 or deviation == 0:
        return None
    return float(2 * special.stdtr(decks - 1, -abs(mean) / deviation * sqrt(decks)))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """The p-values of several tests at once, adjusted (S. Holm 1979, Scandinavian Journal of Statistics 6:65-70).

    One that is undefined is not a test, and stays so.
    """
    tests = sorted((p_value, index) for index, p_value in enumerate(p_values) if p_value is not None)
    adjusted, most = list(p_values), 0.0
    for rank, (p_value, index) in enumerate(tests):
        adjusted[index] = most = max(most, min(1.0, (len(tests) - rank) * p_value))
    return adjusted


def _crossing(excess: Callable[[float], float], inside: float, outside: float) -> float:
    """Where `excess` changes its sign, by bisection to the last bit; the outer of the two numbers is returned."""
    while True:
        middle = (inside + outside) / 2
        if middle in (inside, outside):
            return outside
        if excess(middle) < 0:
            inside = middle
        else:
            outside = middle


# ---------------------------------------------------------------- counts


CHANGED = "rules/changed"
"""The row with the number of decks that are played or score differently under the other rules."""
ALL_SEATS = 0
"""Stands for all seats; seats are numbered from 1."""


def paired(spec: StudySpec, results: Sequence[Results]) -> dict[str, Array]:
    """The rows `MEASURE of seat S`: the sums of the compared policies, then the sums of their products, row by row."""
    if not spec.compared:
        return {}
    compared = [[spec.compared.index(policy) for policy in seating] for seating in spec.seatings]
    rows: dict[str, Array] = {}
    for measure, by_seat in zip(MEASURES, _by_seat(results, compared), strict=True):
        each = enumerate((by_seat.sum(axis=0, dtype=np.int32), *by_seat), ALL_SEATS)
        rows |= {row_name(measure, seat): _moments(of_seat) for seat, of_seat in each}
    return rows


def paired_rules(spec: StudySpec, results: Sequence[Results]) -> dict[str, Array]:
    """The rows `rules/FIGURE`: the sums of both games, then those of their products; and how many games differ."""
    games = [played.games for played in results]
    of_seats = _by_seat(results, [[index] * spec.players for index in range(len(results))])
    one, other = of_seats[:, :, 0], of_seats[:, :, 1]
    differ = np.not_equal(*(each["trail"] for each in games)) | (one != other).any(axis=(0, 1))
    others = [[played.rounds for played in results]] if spec.target else []
    others += [[each[name] for each in games] for name in ("turns", "laid", "taken")]
    others += [[each["ending"] != spec.unit.endings.WON for each in games]]
    pairs = *of_seats.reshape(-1, *of_seats.shape[2:]), *(np.array(pair, np.int32) for pair in others)
    rows = {f"rules/{name}": _moments(pair) for name, pair in zip(figures(spec), pairs, strict=True)}
    return rows | {CHANGED: np.array([differ.sum()], np.int64)}


def figures(spec: StudySpec) -> list[str]:
    """The names of what is compared: a number for each game or match."""
    measures = "wins", "points" if spec.target is None else "total"
    of_seats = [f"{measure} of player {seat}" for measure in measures for seat in range(1, spec.players + 1)]
    others = ["rounds"] if spec.target else []
    return [*of_seats, *others, "turns", "cards laid", "cards drawn", f"{spec.unit.many} without a winner"]


def sums_of_difference(row: Array, one: int, other: int, plus: int = 1, minus: int = 1) -> tuple[int, int]:
    """The sums of `plus x(one) - minus x(other)` and of its square over the decks.

    row: the sums of all x, then those of their products. one, other: indices among what is compared.
    """
    sums = row.tolist()
    compared = isqrt(len(sums))
    products = sums[compared:]
    squares = plus**2 * products[compared * one + one] - 2 * plus * minus * products[compared * one + other]
    return plus * sums[one] - minus * sums[other], squares + minus**2 * products[compared * other + other]


MEASURES = "wins", "points"
"""What is compared of policies, in the order of the arguments of `by_policy`."""
BY_POLICY, MOMENTS = program_of(by_policy), program_of(sums_of_products)
"""They depend on the layout of a result only, not on a game."""


def row_name(measure: str, seat: int) -> str:
    """The name of the sums of a seat; ALL_SEATS for all seats."""
    return f"{measure} of seat {seat}" if seat else f"{measure} of all seats"


def _by_seat(results: Sequence[Results], compared: Sequence[Sequence[int]]) -> Array:
    """The wins and the points by seat, what is compared, and deck: shape (2, players, compared, decks).

    compared: for each play, the number of what is compared by seat.
    """
    shape = len(MEASURES), len(compared[0]), 1 + max(map(max, compared)), len(results[0])
    values = np.zeros(shape, np.int32)
    for played, numbers_by_seat in zip(results, compared, strict=True):
        BY_POLICY.code()(played.games, played.scores, np.array(numbers_by_seat, np.int64), *values)
    return values


def _moments(values: Array) -> Array:
    """The sums of the rows and of their products; over many chunks they may be larger than 64 bits."""
    sums = np.zeros(len(values) * (len(values) + 1), np.int64)
    MOMENTS.code()(values, sums)
    return sums.astype(object)


LISTED = 1000
"""The number of games without a winner that are listed for each ending: those with the lowest game numbers."""


class Unwon(NamedTuple):
    """A game without a winner: its ending (rules.ending), its number, and the index of its seating."""

    ending: int
    number: int
    seating: int


OF_PLAYS = ("arcs", "rules", "endings", "wins", "trails", *MEASURED)
"""The rows of every play. It has others for each seat, in matches one of the rounds, and rows of what is compared."""


def rows_of(spec: StudySpec) -> list[str]:
    """The names of all rows that the counts of a study have, besides losses, which only seats have that lose points."""
    of_seats = [f"score {seat}" for seat in range(1, spec.players + 1)]
    of_plays = [*OF_PLAYS, *["rounds"] * (spec.target is not None), *of_seats]
    rows = [f"{index}/{name}" for index in range(len(spec.plays)) for name in of_plays]
    if spec.compared_with is not None:
        return [*rows, CHANGED, *(f"rules/{name}" for name in figures(spec))]
    seats = range(ALL_SEATS, spec.players + 1) if spec.compared else ()
    return [*rows, *(row_name(measure, seat) for measure in MEASURES for seat in seats)]


@dataclass(frozen=True)
class Counts:
    """Sums over games.

    sums: rows of integers by name: of 64 bits the histograms by value and other sums of a play, which begin with its
    number, and of any size what is compared. A shorter row is padded with zeros; only losses may be missing. unwon:
    games without a winner, at most LISTED for each ending, sorted.
    """

    sums: Mapping[str, Array] = field(default_factory=dict)
    unwon: tuple[Unwon, ...] = ()

    def __add__(self, other: Counts) -> Counts:
        return Counts(added_rows(self.sums, other.sums), lowest((*self.unwon, *other.unwon)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counts) and self.as_json() == other.as_json()

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Self:
        """The counts from the output of `as_json`."""
        sums = {name: np.array(row, np.int64 if name[0].isdigit() else object) for name, row in plain["sums"].items()}
        return cls(sums, tuple(Unwon(*game) for game in plain["unwon"]))

    def row(self, name: str) -> Array:
        """The sums called `name`."""
        return self.sums.get(name, np.zeros(0, np.int64))

    def as_json(self) -> dict[str, Any]:
        """The counts as plain lists; equal counts give equal lists."""
        sums = {name: row.tolist() for name, row in sorted(self.sums.items())}
        return {"sums": sums, "unwon": [list(game) for game in self.unwon]}


def lowest(games: Sequence[Unwon]) -> tuple[Unwon, ...]:
    """The games that are listed by number, sorted."""
    by_ending = groupby(sorted(games), key=lambda game: game.ending)
    return tuple(game for _, group in by_ending for game in islice(group, LISTED))


@dataclass
class StudyProgress:
    """The progress of a study. counts: of the first `chunks` chunks. waiting: of later chunks that are completed."""

    spec: StudySpec
    counts: Counts = field(default_factory=Counts)
    chunks: int = 0
    waiting: dict[int, Counts] = field(default_factory=dict)
    narrow: bool = False

    @property
    def finished(self) -> bool:
        """Whether the study is complete."""
        return self.narrow or self.chunks == self.spec.chunks

    @property
    def games(self) -> int:
        """The number of game numbers that are counted."""
        return min(self.chunks * self.spec.chunk, self.spec.games)

    @property
    def done(self) -> int:
        """The number of game numbers that are counted or wait for earlier chunks."""
        return self.games + sum(self.spec.cut(index).games for index in self.waiting)

    def add(self, index: int, counts: Counts) -> None:
        """Add a chunk; count all consecutive chunks until the intervals are narrow."""
        if self.finished:
            return
        self.waiting[index] = counts
        while self.chunks in self.waiting and not self.finished:
            self.counts, self.chunks = self.counts + self.waiting.pop(self.chunks), self.chunks + 1
            self.narrow = is_narrow(self.spec, self.counts, self.games)


def is_narrow(spec: StudySpec, counts: Counts, games: int) -> bool:
    """Whether the intervals of the wins of all seats, in all seatings, are at most `until_width` wide; if rules are
    compared, those of the differences of wins.
    """
    if spec.until_width is None:
        return False
    method, rows = Anytime(spec.confidence), counts.row
    if spec.compared_with is None:
        won = (wins for index in range(len(spec.seatings)) for wins in rows(f"{index}/wins").tolist())
        intervals = (method.share(wins, games) for wins in won)
    else:
        differences = (rows(f"rules/wins of player {seat}") for seat in range(1, spec.players + 1))
        found = (moments(games, *sums_of_difference(row, 1, 0)) for row in differences)
        intervals = (method.mean(*each, games) for each in found)
    return all(high - low <= spec.until_width for low, high in intervals)
