"""What the positions of a game are worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fsm.edge.numbers import Array
from maumau.solve.compiled.graph import RETURNED


@dataclass(frozen=True)
class Worth:
    """What positions are worth to the first side. length: in how many moves a win is reached, else UNDECIDED.

    sides: for each seat 1 or -1: what its win is to the first side.
    """

    points: Array
    length: Array
    sides: Array

    def of(self, places: Array) -> Array:
        """The values of positions, and of ends, by their numbers."""
        ended = np.concatenate([[0], self.sides]).astype(self.points.dtype)  # nobody, then the seats
        inside = self.points[np.maximum(places, 0)] if len(self.points) else np.zeros(len(places))
        won = ended[np.clip(-1 - places, 0, len(self.sides))]
        return np.where(places >= 0, inside, np.where(places <= -(RETURNED >> 1), places + RETURNED, won))


# ---------------------------------------------------------------- a perfect player against others

# Others' moves are known by their chances: policy iteration (R. Howard, 1960). Value iteration overstates what waiting
# is worth: it counts a loss that is put off beyond its last round as none. Here a plan is worth what it gets, endless
# play included, which counts 0. The last plan is optimal: no other move is worth more than it is, and where it loses,
# there is no way to wait for ever.


SURE = 1e-9
"""By how much a move must be better to be chosen instead."""


def best_against(
    evaluate: Callable[[Array], Worth], first: Array, moves: Array, free: Array, side: int, chances: Array
) -> Worth:
    """What positions are worth if the perfect player makes the moves of those that are `free`.

    evaluate: what they are worth by the chances of all moves. first, moves: see `Positions`. side: 1 or -1, what a win
    of the perfect player is to the first side. chances: those of the moves of the others, and of a plan to begin with.
    """
    begins, here = first[:-1], np.repeat(np.arange(len(free)), np.diff(first))
    while True:
        worth = evaluate(chances)
        now, values = side * worth.points, side * worth.of(moves)
        best = np.maximum.reduceat(values, begins) if len(free) else now
        changed, wanted = free & (best > now + SURE), values >= best[here]
        if not changed.any():
            equal = np.where(free[here], values >= now[here] - SURE, chances > 0)
            changed, wanted = _waiting(now < -SURE, moves, free, equal, here)
            if not changed.any():
                return worth
        numbers = np.where(wanted, np.arange(len(moves)), len(moves))
        chances[changed[here]] = 0
        chances[np.minimum.reduceat(numbers, begins)[changed]] = 1


def _waiting(losing: Array, moves: Array, free: Array, equal: Array, here: Array) -> tuple[Array, Array]:
    """Which of the positions that are lost can be played on for ever, and which moves stay in them.

    equal: the moves that the perfect player may make without loss, and those that the others do.
    """
    count = len(free)
    while True:
        inside = (moves >= 0) & losing[np.maximum(moves, 0)]
        stays = np.bincount(here[inside & equal], minlength=count) > 0
        leaves = np.bincount(here[~inside & equal], minlength=count) > 0
        if not (losing & (~stays | leaves & ~free)).any():
            return losing & free, inside & equal
        losing = losing & stays & (free | ~leaves)
