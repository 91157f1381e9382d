"""Who plays at each seat, as the programs of batches read it."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.edge.numbers import Array, np
from maumau.agents.compiled.batches import CERTAIN, SeatArrays


def everybody_learns(players: int) -> SeatArrays:
    """Return who plays where all seats learn, as batches read it."""
    return SeatArrays(np.ones((players, players), np.int64), np.zeros((players, 1), np.int64), _certain(players))


def fixed_seats(deciders: Sequence[int]) -> SeatArrays:
    """Return who plays where no seat learns, as batches read it. deciders: that of each seat."""
    players = len(deciders)
    return SeatArrays(np.zeros((players, players), np.int64), np.array(deciders)[:, None], _certain(players))


def _certain(players: int) -> Array:
    return np.full((players, 1), CERTAIN)
