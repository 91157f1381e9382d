"""Matches played straight from the rules, without a machine: the witness for the tests. It imports only the witness of
Mau-Mau.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple


class Scored(NamedTuple):
    """A round: its points by seat; None if nobody won it and it scores nothing."""

    points: Sequence[int] | None


class Played(NamedTuple):
    """A match: the totals, the number of rounds, the winner's seat or None, and the dealers of its rounds, from 0."""

    totals: list[int]
    rounds: int
    winner: int | None
    dealers: list[int]


def play(
    players: int,
    rounds: Iterable[Callable[[int], Scored]],
    target: int,
    best: Callable[[Iterable[int]], int],
) -> Played:
    """Play `rounds`, each a function of the dealer (from 0), until somebody has the target. best: min or max."""
    totals, dealers = [0] * players, []
    for number, round in enumerate(rounds):
        dealers.append(number % players)
        if points := round(number % players).points:
            totals = [total + scored for total, scored in zip(totals, points, strict=True)]
        if max(totals) >= target:
            ahead = [seat for seat, total in enumerate(totals) if total == best(totals)]
            return Played(totals, number + 1, ahead[0] if len(ahead) == 1 else None, dealers)
    return Played(totals, len(dealers), None, dealers)
