"""Policies or rules compared on the same decks: the sums for paired tests.

Each deck is played in every seating, so each policy plays each deck in each seat. For a deck and a seat let x(a) be the
number of wins, or of points left, of policy a. A paired test of a against b needs only the sums of x(a) and of
x(a) x(b) over the decks: exact integers. If two rule sets are compared, x(a) is a figure of the deck's game under a.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import isqrt
from typing import Any

from maumau.agents.arrays import Array, np
from maumau.kernels.compiler.results import Results, has_won
from maumau.study.spec import StudySpec

CHANGED = "rules/changed"
"""The row with the number of decks that are played or score differently under the other rules."""
ALL_SEATS = 0
"""Stands for all seats; seats are numbered from 1."""


def paired(spec: StudySpec, results: Sequence[Results]) -> dict[str, Array]:
    """The rows `MEASURE of seat S`: the sums of the compared policies, then the sums of their products, row by row."""
    rows: dict[str, Array] = {}
    for measure in MEASURES if spec.compared else ():
        values = _by_policy(spec, results, measure)
        by_seat = enumerate((values.sum(axis=0), *values), ALL_SEATS)
        rows |= {row_name(measure, seat): _moments(each) for seat, each in by_seat}
    return rows


def paired_rules(spec: StudySpec, one: Results, other: Results) -> dict[str, Array]:
    """The rows `rules/FIGURE`: the sums of both games, then those of their products; and how many games differ."""
    differ = (one.games["trail"] != other.games["trail"]) | (one.scores != other.scores).any(axis=1)
    rows = {
        f"rules/{name}": _moments(np.stack([figure(one), figure(other)]).astype(float))
        for name, figure in figures(spec)
    }
    return rows | {CHANGED: np.array([differ.sum()], np.int64)}


def figures(spec: StudySpec) -> Iterator[tuple[str, Callable[[Any], Array]]]:
    """The name of each figure that is compared, and the function that computes it: a number for each game or match."""
    for seat in range(spec.players):
        yield f"wins of player {seat + 1}", partial(_wins, seat)
    for seat in range(spec.players):
        yield f"{'points' if spec.target is None else 'total'} of player {seat + 1}", partial(_points, seat)
    if spec.target is not None:
        yield "rounds", lambda results: results.rounds
    yield "turns", lambda results: results.games["turns"]
    yield "cards laid", lambda results: results.games["laid"]
    yield "cards drawn", lambda results: results.games["taken"]
    yield f"{spec.units} without a winner", lambda results: results.games["ending"] != spec.endings.WON


def sums_of_difference(row: Array, one: int, other: int, plus: int = 1, minus: int = 1) -> tuple[int, int]:
    """The sums of `plus x(one) - minus x(other)` and of its square over the decks.

    row: the sums of all x, then those of their products. one, other: indices among what is compared.
    """
    sums = row.tolist()
    compared = isqrt(len(sums))
    products = sums[compared:]
    squares = plus**2 * products[compared * one + one] - 2 * plus * minus * products[compared * one + other]
    return plus * sums[one] - minus * sums[other], squares + minus**2 * products[compared * other + other]


def _wins(seat: int, results: Results) -> Array:
    return has_won(results.games, seat)


def _points(seat: int, results: Results) -> Array:
    return results.scores[:, seat]


MEASURES = {"wins": _wins, "points": _points}


def row_name(measure: str, seat: int) -> str:
    """The name of the sums of a seat; ALL_SEATS for all seats."""
    return f"{measure} of seat {seat}" if seat else f"{measure} of all seats"


def _by_policy(spec: StudySpec, results: Sequence[Results], measure: str) -> Array:
    """The results of each policy in each seat, by deck: shape (players, policies, decks)."""
    values = np.zeros((spec.players, len(spec.compared), len(results[0])))
    for seating, played in zip(spec.seatings, results, strict=True):
        for seat, policy in enumerate(seating):
            values[seat, spec.compared.index(policy)] += MEASURES[measure](seat, played)
    return values


def _moments(values: Array) -> Array:
    """The sums of the rows and of their products.

    Floating point is exact here: the sums of squares of points of a chunk are far below 2**53.
    """
    moments: Array = np.rint(np.concatenate([values.sum(axis=1), (values @ values.T).ravel()])).astype(np.int64)
    return moments
