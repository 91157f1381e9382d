"""Policies or rules compared on the same decks: the sums for paired tests.

Each deck is played in every seating, so each policy plays each deck in each seat. For a deck and a seat let x(a) be the
number of wins, or of points left, of policy a. A paired test of a against b needs only the sums of x(a) and of
x(a) x(b) over the decks: exact integers. If two rule sets are compared, x(a) is a figure of the deck's game under a.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from maumau.study.spec import StudySpec

if TYPE_CHECKING:
    from maumau.kernels.compiler.results import Array, Results

MEASURES = ("wins", "points")
CHANGED = "rules/changed"
"""The row with the number of decks that are played or score differently under the other rules."""
ALL_SEATS = 0
"""Stands for all seats; seats are numbered from 1."""


def paired(spec: StudySpec, results: Sequence[Results]) -> dict[str, Array]:
    """The rows `MEASURE of seat S`: the sums of the compared policies, then the sums of their products, row by row."""
    import numpy as np

    policies = spec.compared
    if not policies:
        return {}
    rows: dict[str, Array] = {}
    for measure in MEASURES:
        total = np.zeros((len(policies), len(results[0])))
        for seat in range(spec.players):
            values = _by_policy(spec, results, measure, seat)
            rows[row_name(measure, seat + 1)] = _moments(values)
            total += values
        rows[row_name(measure, ALL_SEATS)] = _moments(total)
    return rows


def paired_rules(spec: StudySpec, one: Results, other: Results) -> dict[str, Array]:
    """The rows `rules/FIGURE`: the sums of both games, then those of their products; and how many games differ."""
    import numpy as np

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


def sums_of_difference(row: Array) -> tuple[int, int]:
    """The sums of `other - one` and of its square over the decks, from a row of `paired_rules`."""
    one, other, one_one, one_other, _, other_other = row.tolist()
    return other - one, other_other - 2 * one_other + one_one


def _wins(seat: int, results: Results) -> Array:
    return results.games["winner"] == seat  # type: ignore[no-any-return]


def _points(seat: int, results: Results) -> Array:
    return results.scores[:, seat]


def row_name(measure: str, seat: int) -> str:
    """The name of the sums of a seat; ALL_SEATS for all seats."""
    return f"{measure} of seat {seat}" if seat else f"{measure} of all seats"


def shares(spec: StudySpec) -> Mapping[str, int]:
    """The number of seatings in which each compared policy has a given seat; equal for all seats."""
    return {name: sum(seating[0] == name for seating in spec.seatings) for name in spec.compared}


def _by_policy(spec: StudySpec, results: Sequence[Results], measure: str, seat: int) -> Array:
    """The results of each policy in a seat: one row per policy, one column per deck."""
    import numpy as np

    values = np.zeros((len(spec.compared), len(results[0])))
    for seating, played in zip(spec.seatings, results, strict=True):
        row = values[spec.compared.index(seating[seat])]
        row += played.games["winner"] == seat if measure == "wins" else played.scores[:, seat]
    return values


def _moments(values: Array) -> Array:
    """The sums of the rows and of their products.

    Floating point is exact here: the sums of squares of points of a chunk are far below 2**53.
    """
    import numpy as np

    moments: Array = np.rint(np.concatenate([values.sum(axis=1), (values @ values.T).ravel()])).astype(np.int64)
    return moments
