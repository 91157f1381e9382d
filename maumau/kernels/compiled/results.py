"""The result of a game, as a row of an array that a kernel fills."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from fsm.edge.numbers import np

MEASURED = ("turns", "laid", "taken", "reshuffles")
"""What is counted in each game: turns, cards laid (with the opening card) and taken, reshuffles."""
RESULT = {"ending": "b", "winner": "b", "winners": "h", **dict.fromkeys(MEASURED, "i"), "trail": "I"}
"""One game's result: ending (rules.ending), winner (seat from 0, -1 for none), winners (a mask of seats, where several
can win, else 0), what is MEASURED, and the trail, a 32-bit hash of the laid cards; the types are named as by `struct`.
"""


@cache
def result_type() -> np.dtype[Any]:
    """Return the NumPy type of a result."""
    return np.dtype(list(RESULT.items()), align=True)


ResultRows = Annotated[Any, result_type, 1]
"""An array of results, as a field of a workspace."""
