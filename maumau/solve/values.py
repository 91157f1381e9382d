"""What the positions of a game are worth."""

from __future__ import annotations

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
