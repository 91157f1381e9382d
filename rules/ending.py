"""How games end: the codes in tables and results."""

from __future__ import annotations

from enum import IntEnum

NO_WINNER = -1


class Ending(IntEnum):
    """The end of a game; RUNNING while there is none."""

    RUNNING = 0
    WON = 1
    OUT_OF_CARDS = 2
    ENDLESS = 3

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


RUNNING, WON, OUT_OF_CARDS, ENDLESS = map(int, Ending)
"""The same as plain integers, for rule functions."""
