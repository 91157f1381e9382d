"""Confidence intervals for shares and means, and tests of differences.

There are two methods. `Fixed` is for a number of games that was chosen in advance: Wilson's score interval for shares
(E. B. Wilson 1927, JASA 22:209-212), Student's for means. `Anytime` is for studies that stop early: these are
confidence sequences, which hold for all numbers of games at once. For shares it is Robbins' beta-binomial mixture (H.
Robbins 1970, Annals of Mathematical Statistics 41:1397-1409; S. R. Howard, A. Ramdas, J. McAuliffe, J. Sekhon 2021,
Annals of Statistics 49:1055-1080), exact for every number of games; for means it is the normal mixture with the
variance estimated, an asymptotic confidence sequence (I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas
2024, Annals of Statistics 52:2613-2640).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, log, sqrt
from typing import Any

from fsm.edge.extras import Later
from maumau.agents.intervals import wilson

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
        """Student's interval; infinite for a single game."""
        if games < 2:
            return -inf, inf
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
        """The asymptotic confidence sequence; infinite for a single game."""
        if games < 2:
            return -inf, inf
        alpha = 1 - self.confidence
        rho = sqrt((-2 * log(alpha) + log(-2 * log(alpha) + 1)) / self.tuned)
        scaled = games * rho * rho + 1
        reach = deviation * sqrt(2 * scaled / (games * rho) ** 2 * log(sqrt(scaled) / alpha))
        return mean - reach, mean + reach


Method = Fixed | Anytime
"""A method for confidence intervals."""


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

    One that is undefined is no test, and stays so.
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
