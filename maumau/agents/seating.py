"""Who plays at each seat, as the programs of batches read it."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.edge.numbers import np
from maumau.agents.compiled.batches import CERTAIN, LEARNING, SeatArrays


def fixed_seats(deciders: Sequence[int]) -> SeatArrays:
    """Return who plays where each seat has the same player in all games, as batches read it.

    deciders: that of each seat; LEARNING for one that learns.
    """
    players = len(deciders)
    learning = np.tile(np.array(deciders) == LEARNING, (players, 1)).astype(np.int64)
    return SeatArrays(learning, np.array(deciders)[:, None], np.full((players, 1), CERTAIN))
