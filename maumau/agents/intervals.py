"""Confidence intervals of shares of games and of means."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from fsm.edge.numbers import Array

CONFIDENCE = 0.95
"""The confidence of an interval where none is asked for."""


class Estimate(NamedTuple):
    """A figure with the ends of its 95 % interval; not numbers where it is not known."""

    value: float
    low: float
    high: float


def mean_of(values: Array) -> Estimate:
    """Return the mean of at least two independent values, with its interval by the normal distribution."""
    mean = float(values.mean())
    reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * float(values.std(ddof=1)) / sqrt(len(values))
    return Estimate(mean, mean - reach, mean + reach)


def wilson(count: int, games: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The ends of the interval of a share of at least one game (E. B. Wilson 1927, JASA 22:209-212)."""
    z = -NormalDist().inv_cdf((1 - confidence) / 2)
    share, weight = count / games, z * z / games
    middle = (share + weight / 2) / (1 + weight)
    reach = z * sqrt(share * (1 - share) / games + weight / games / 4) / (1 + weight)
    return 0.0 if count == 0 else max(0.0, middle - reach), 1.0 if count == games else min(1.0, middle + reach)
