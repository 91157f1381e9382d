"""Plays many games side by side in which players choose by observations: the results are those of stepped games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from threading import Event
from typing import TYPE_CHECKING, Any, Protocol

from fsm.declaration.arcs import Policy
from fsm.declaration.endless import MAX_EVENTS
from maumau.agents.arrays import Array, np
from maumau.agents.batch_source import DEAL, BatchPlan
from maumau.agents.compiled.batches import LEARNING, UNNUMBERED
from maumau.agents.finishing import LIMIT, finishing, rows_of
from maumau.agents.hands import UnsupportedGame
from maumau.kernels.bulk.runner import Stopped, StuckError
from maumau.kernels.compiler.machine_code import Notify, machine_code, ready_code
from maumau.kernels.compiler.results import Results, blank_rows

if TYPE_CHECKING:
    from fsm.declaration.declaration import Declaration


SLOTS = 512
"""Games that are played side by side."""
MIN_GAMES = 1000
"""For so many games the program is compiled, which takes seconds; fewer are stepped unless it is there."""


class Chooser(Protocol):
    """A player who chooses in many games at once, as an ObservingPolicy does."""

    def actions(self, players: int, observations: Array, masks: Array) -> Array:
        """A legal action for each row of observations and masks."""


class BatchedGames:
    """Games of one kind and one choice of policies, played side by side in one thread.

    The policies of the game choose in machine code; the others, each a `Chooser`, choose in Python for all
    games at once.
    """

    def __init__(
        self, game: Declaration, players: int, policies: Sequence[Policy], seed: int, notify: Notify | None = None
    ) -> None:
        self.game, self.players, self.policies, self.seed, self.notify = game, players, policies, seed, notify
        compiled = tuple(policy for policy in game.policies if policy in policies)
        self._plan = BatchPlan(game, compiled, tally=True, players=players)
        self._program = finishing(self._plan)

    def plays(self, games: int) -> bool:
        """Whether so many games are worth the time of compiling, or nothing has to be compiled."""
        return games >= MIN_GAMES or ready_code(self._program) is not None

    def prepare(self) -> None:
        """Compile the program."""
        machine_code(self._program, self.notify)

    def play(self, first: int, games: int, stop: Event | None = None) -> Results:
        """Play games from number `first` on. stop: ends the work early, which raises Stopped.

        Games so long that they may have no end are left with the ending `Ending.RUNNING`, and are not counted.
        Raises StuckError, IllegalMove, and UnsupportedGame for a legal move without a number.
        """
        finish, left = machine_code(self._program, self.notify), min(SLOTS, games)
        rows = rows_of(self._plan, left)
        actions, (observations, masks, acting) = rows[4], rows[9:12]
        actions[:] = DEAL
        results, scores = blank_rows(games, self.players)
        fired, used = np.zeros(len(self.game.counters), np.int64), np.zeros(len(self._plan.rules), np.int64)
        started = np.zeros(1, np.int64)
        while left > 0:
            if stop is not None and stop.is_set():
                raise Stopped
            where = self._seats, self.seed, first, started, left, LIMIT, MAX_EVENTS
            left = finish(*rows, results, scores, fired, used, *where)
            if left > 0:
                actions[:left] = self._chosen(observations[:left], masks[:left], acting[:left])
        if left == UNNUMBERED:
            raise UnsupportedGame(f"{self.game.name}: a legal move has no number")
        for row in (results["ending"] < 0).nonzero()[0]:
            raise StuckError(self.game, first + int(row))
        counted = dict(zip(self.game.counters, fired.tolist(), strict=True))
        return Results(results, scores, counted, dict(zip(self._plan.rules, used.tolist(), strict=True)))

    @cached_property
    def _seats(self) -> Array:
        """The number of the policy of each seat, or LEARNING."""
        numbers = {policy: LEARNING + 1 + index for index, policy in enumerate(self._plan.policies)}
        return np.array([numbers.get(policy, LEARNING) for policy in self.policies], np.int64)

    def _chosen(self, observations: Array, masks: Array, acting: Array) -> Array:
        """The action of each row. Raises IllegalMove, and what a player raises."""
        actions = np.zeros(len(acting), np.int64)
        for chooser, seats in self._choosers:
            rows = np.isin(acting, seats).nonzero()[0]
            if len(rows):
                actions[rows] = chooser.actions(self.players, observations[rows], masks[rows])
        return actions

    @cached_property
    def _choosers(self) -> list[tuple[Chooser, list[int]]]:
        """The players who choose in Python, with their seats."""
        seats: dict[Any, list[int]] = {}
        for seat, policy in enumerate(self.policies):
            if policy not in self.game.policies:
                seats.setdefault(policy, []).append(seat)
        return list(seats.items())
