"""What a search finds: the worth of each move."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import NamedTuple

from fsm.declaration.rewards import Reward
from fsm.stepping.steps import Move
from maumau.agents.intervals import wilson


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
    """What each action gained in some worlds.

    tried: in how many games each was taken; None: in each world once. good: the more, the better an action is; None: as
    it gained.
    """

    wins: list[int]
    worlds: int
    differing: float | None = None
    tried: list[int] | None = None
    good: list[float] | None = None

    def value(self, action: int, move: Move, reward: Reward) -> Value:
        """Return the worth of an action. move: the action as an event. reward: what is played for."""
        wins, worlds = self.wins[action], self.tried[action] if self.tried else self.worlds
        interval = (0.0, 1.0)
        if reward is not Reward.WIN:
            interval = (nan, nan)
        elif worlds:
            interval = wilson(wins, worlds)
        return Value(move, wins, worlds, *interval)
