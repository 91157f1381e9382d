"""What a search finds: the worth of each move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from fsm.edge.numbers import Array, np
from fsm.stepping.steps import Move


class Value(NamedTuple):
    """The worth of a `move`, as a search estimates it.

    wins: in how many of `worlds` games that began with it its player wins; in a game that declares returns, what the
    player gains in them together. low, high: the ends of the 95 % interval of the share of wins, not a number with
    returns. Inferred worlds depend on each other, so the interval is too narrow for them.
    """

    move: Move
    wins: int
    worlds: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share of wins, or the mean return."""
        return self.wins / self.worlds if self.worlds else 0.0


@dataclass(frozen=True)
class Found:
    """The result of a search: the best move, and what each legal move is worth.

    move: the best one. values: those of all legal moves, the best first. Where only one move is legal nothing is
    searched, and its value has no worlds. differing: how many moves of the other players differ from their policy in
    the mean of the worlds; None if nothing was inferred from them.
    """

    move: Move
    values: tuple[Value, ...]
    differing: float | None = None


class Counted(NamedTuple):
    """What each action gained in some worlds. tried: in how many games each was taken; None: in each world once."""

    wins: list[int]
    worlds: int
    differing: float | None = None
    tried: list[int] | None = None

    def rank(self, action: int) -> float:
        """Return the less, the better an action is."""
        if self.tried is None:
            return -self.wins[action]
        return float(-worth_of(np.array(self.tried), np.array(self.wins))[action])


def worth_of(tried: Array, wins: Array) -> Array:
    """Return what actions are worth on average; those that were given up come last, by how often they were tried.

    tried: how often each action was; wins: what it gained then, the actions along the last axis.
    """
    often = 2 * tried >= tried.max(axis=-1, keepdims=True)
    return np.where(often, wins / np.maximum(tried, 1), tried - GIVEN_UP)


GIVEN_UP = 1e200
"""How much less an action is worth that was given up."""
