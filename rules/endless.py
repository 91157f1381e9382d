"""Endless games: where a whole position returns at the start of a turn, the game is over without a winner."""

from __future__ import annotations

from typing import Protocol

from rules.ending import ENDLESS
from rules.rule import effect, guard


class Returning(Protocol):
    """The fields of a table whose positions may return."""

    returned: int
    ending: int


@guard("this position was not there before")
def position_returns(table: Returning) -> bool:
    """The whole position was there before, at the start of an earlier turn, so it would return for ever."""
    return table.returned == 1


@effect
def stop_endless(table: Returning) -> None:
    """The game would never end: nobody wins."""
    table.ending = ENDLESS
