"""Policies compared on the same decks: what is kept so that the luck of the deck cancels.

Each deck is played in every seating, so each policy meets each deck in each seat. For a deck and a seat let x(a) be how
often policy a won there, or how many points it was left with. All that a paired test of a against b needs, are the sums
of x(a), and of x(a) x(b), over the decks: exact integers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from study.spec import StudySpec

if TYPE_CHECKING:
    from fsm.compiler.results import Array, Results

MEASURES = ("wins", "points")
ALL_SEATS = 0
"""In place of a seat, which are numbered from 1."""


def paired(spec: StudySpec, results: Sequence[Results]) -> dict[str, Array]:
    """The rows `MEASURE of seat S`: the sums of the policies compared, then those of their products, row by row."""
    import numpy as np

    policies = spec.compared
    if not policies:
        return {}
    rows: dict[str, Array] = {}
    for measure in MEASURES:
        whole = np.zeros((len(policies), len(results[0])))
        for seat in range(spec.players):
            told = _by_policy(spec, results, measure, seat)
            rows[row_name(measure, seat + 1)] = _moments(told)
            whole += told
        rows[row_name(measure, ALL_SEATS)] = _moments(whole)
    return rows


def row_name(measure: str, seat: int) -> str:
    """How the sums of a seat are called; ALL_SEATS for the sum of all seats."""
    return f"{measure} of seat {seat}" if seat else f"{measure} of all seats"


def shares(spec: StudySpec) -> Mapping[str, int]:
    """In how many seatings each compared policy sits in a given seat, the same for each seat."""
    return {name: sum(seating[0] == name for seating in spec.seatings) for name in spec.compared}


def _by_policy(spec: StudySpec, results: Sequence[Results], measure: str, seat: int) -> Array:
    """What each policy got in a seat, a row a policy, a column a deck."""
    import numpy as np

    told = np.zeros((len(spec.compared), len(results[0])))
    for seating, played in zip(spec.seatings, results, strict=True):
        row = told[spec.compared.index(seating[seat])]
        row += played.games["winner"] == seat if measure == "wins" else played.scores[:, seat]
    return told


def _moments(told: Array) -> Array:
    """The sums of the rows and of their products.

    Floating point is exact here: a chunk's sums of squares of points stay far below 2**53.
    """
    import numpy as np

    moments: Array = np.rint(np.concatenate([told.sum(axis=1), (told @ told.T).ravel()])).astype(np.int64)
    return moments
