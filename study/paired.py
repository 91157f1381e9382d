"""Policies compared on the same decks: the sums for paired tests.

Each deck is played in every seating, so each policy plays each deck in each seat. For a deck and a seat let x(a) be the
number of wins, or of points left, of policy a. A paired test of a against b needs only the sums of x(a) and of
x(a) x(b) over the decks: exact integers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from study.spec import StudySpec

if TYPE_CHECKING:
    from fsm.compiler.results import Array, Results

MEASURES = ("wins", "points")
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
