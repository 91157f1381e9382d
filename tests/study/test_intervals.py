"""Intervals and tests: checked against published figures, against scipy, and, where they promise to hold, by trying."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from maumau.study.counts import Anytime, Fixed, holm, paired_p_value

SLEEP = [-1.2, -2.4, -1.3, -1.3, 0.0, -1.0, -1.8, -0.8, -4.6, -1.4]
"""Hours of sleep under one drug less those under another, ten patients (Student 1908, Biometrika 6:1-25)."""


@pytest.mark.parametrize(
    ("count", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_as_published(count: int, games: int, low: float, high: float) -> None:
    """R. G. Newcombe 1998, Statistics in Medicine 17:857-872, table I, method 3."""
    assert Fixed(0.95).share(count, games) == pytest.approx((low, high), abs=0.00005)


@given(st.integers(1, 10**9).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.9999))
def test_wilson_as_scipy_computes_it(counted: tuple[int, int], confidence: float) -> None:
    count, games = counted
    expected = stats.binomtest(count, games).proportion_ci(confidence, method="wilson")
    assert Fixed(confidence).share(count, games) == pytest.approx((expected.low, expected.high), rel=1e-9, abs=1e-12)


def test_students_paired_test_as_published() -> None:
    mean, deviation = float(np.mean(SLEEP)), float(np.std(SLEEP, ddof=1))
    assert Fixed(0.95).mean(mean, deviation, 10) == pytest.approx((-2.4598858, -0.7001142), abs=1e-6)
    assert paired_p_value(mean, deviation, 10) == pytest.approx(0.002833, abs=1e-6)


def test_a_single_game_has_no_deviation() -> None:
    for method in (Fixed(0.95), Anytime(0.95)):
        assert method.mean(3.0, 0.0, 1) == (-inf, inf)
    assert paired_p_value(1.0, 0.0, 50) is None
    assert paired_p_value(1.0, 1.0, 1) is None


@pytest.mark.parametrize("method", [Fixed(0.95), Anytime(0.95)])
def test_what_never_happened_has_the_bound_of_its_share(method: Fixed | Anytime) -> None:
    """2,000 games without a reshuffle: the share of games with one is at most 0.19 %, so is their mean number."""
    low, high = method.mean(0.0, 0.0, 2000)
    assert (-low, high) == (method.share(0, 2000)[1],) * 2
    assert method.mean(3.0, 0.0, 2000) == pytest.approx((3 - high, 3 + high))
    assert Fixed(0.95).mean(0.0, 0.0, 2000)[1] == pytest.approx(0.0019, abs=5e-5)


def test_holm_as_published() -> None:
    """The example of R's p.adjust: Holm multiplies the least p-value by the number of tests, the next by one less."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@pytest.mark.parametrize("games", [1, 10, 1000, 10**9])
def test_the_mixture_in_closed_form(games: int) -> None:
    """Without a hit the mixture is 1 / (games + 1), so the bound solves (1 - p)**games = alpha / (games + 1)."""
    low, high = Anytime(0.95).share(0, games)
    assert (low, high) == (0.0, pytest.approx(1 - (0.05 / (games + 1)) ** (1 / games), rel=1e-6))
    assert Anytime(0.95).share(games, games) == (pytest.approx(1 - high, rel=1e-9, abs=1e-12), 1.0)


@given(st.integers(2, 10**8).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_what_holds_at_all_times_is_wider_than_what_holds_once(counted: tuple[int, int]) -> None:
    count, games = counted
    low, high = Anytime(0.95).share(count, games)
    once = Fixed(0.95).share(count, games)
    assert low <= count / games <= high
    assert high - low > once[1] - once[0] - 1e-9 or count in (0, games)


@pytest.mark.slow
def test_the_interval_is_valid_at_every_look() -> None:
    """Of 1,000 rows of 1,000 games at most a fifth may ever exclude the truth; Wilson's, looked at often, do more."""
    games, truth, confidence = 1000, 0.25, 0.8
    hits = (np.random.default_rng(1).random((1000, games)) < truth).cumsum(axis=1)
    excluded = {}
    for method in (Anytime(confidence), Fixed(confidence)):
        limits = np.zeros((games + 1, 2))
        ever = np.zeros(len(hits), bool)
        for seen in range(20, games + 1, 20):
            column = hits[:, seen - 1]
            for count in np.unique(column).tolist():
                limits[count] = method.share(count, seen)
            ever |= (truth < limits[column, 0]) | (truth > limits[column, 1])
        excluded[type(method)] = float(ever.mean())
    assert excluded[Anytime] <= 1 - confidence
    assert excluded[Fixed] > 1 - confidence


def test_the_mean_may_be_looked_at_all_the_time_too() -> None:
    confidence, looks = 0.8, (100, 200, 400, 800, 1600, 3200)
    drawn = np.random.default_rng(2).exponential(size=(1000, looks[-1]))
    method = Anytime(confidence, tuned=1000)
    missed = 0
    for row in drawn:
        bounds = [method.mean(row[:seen].mean(), row[:seen].std(ddof=1), seen) for seen in looks]
        missed += any(not low <= 1 <= high for low, high in bounds)
    assert missed / len(drawn) <= 1 - confidence
    assert bounds[-1][1] - bounds[-1][0] < 10 / sqrt(looks[-1])


@given(
    st.integers(2, 10**9).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from((Fixed, Anytime))
)
def test_more_confidence_makes_intervals_wider_up_to_the_last_number_below_one(
    counted: tuple[int, int], method: type[Fixed] | type[Anytime]
) -> None:
    (count, games), levels = counted, (1e-6, 0.5, 0.95, 1 - 1e-12, 0.9999999999999999)
    for found in (
        [method(level).share(count, games) for level in levels],
        [method(level).mean(0.0, 1.0, games) for level in levels],
    ):
        lows, highs = zip(*found, strict=True)
        assert list(lows) == sorted(lows, reverse=True)
        assert list(highs) == sorted(highs)
        assert -inf < lows[-1] <= highs[-1] < inf
