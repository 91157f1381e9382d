"""Sums over the results of many games, by what is compared."""

from __future__ import annotations

from fsm.edge.arrays import Array1D, Array2D, Array3D
from fsm.edge.numbers import np
from maumau.kernels.compiled.results import ResultRows


def by_policy(
    results: ResultRows,
    scores: Array2D[np.int32],
    policies: Array1D[np.int64],
    wins: Array3D[np.int32],
    points: Array3D[np.int32],
) -> None:
    """Add the wins and the points of each seat to those of its policy, by seat, policy and game.

    policies: the number of the policy of each seat.
    """
    for seat in range(len(policies)):
        won, gained = wins[seat, policies[seat]], points[seat, policies[seat]]
        for game in range(len(results)):
            won[game] += int(results[game].winner == seat) | results[game].winners >> seat & 1
            gained[game] += scores[game, seat]


def sums_of_products(values: Array2D[np.int32], sums: Array1D[np.int64]) -> None:
    """Write the sums of the rows, then those of the products of each row with each."""
    for one in range(len(values)):
        row, found = values[one], 0
        for column in range(len(row)):
            found += row[column]
        sums[one] = found
        for other in range(len(values)):
            factors, found = values[other], 0
            for column in range(len(row)):
                found += row[column] * factors[column]
            sums[len(values) * (1 + one) + other] = found
