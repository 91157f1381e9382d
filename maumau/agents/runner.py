"""Plays many games side by side in which players choose by observations: the results are those of stepped games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from threading import Event
from typing import TYPE_CHECKING, Any, Protocol

from fsm.declaration.arcs import Policy
from fsm.declaration.endless import MAX_EVENTS
from maumau.agents.arrays import Array, np
from maumau.agents.batch_source import Arrays, BatchPlan, arrays, results_of, stepping
from maumau.agents.compiled.batches import CLOSED, LEARNING
from maumau.agents.hands import UnsupportedGame
from maumau.kernels.bulk.runner import Stopped, StuckError
from maumau.kernels.compiler.machine_code import Notify, machine_code, ready_code
from maumau.kernels.compiler.results import Results, table_dtype

if TYPE_CHECKING:
    from fsm.declaration.declaration import Declaration


LIMIT = 2000
"""Events that players choose in one game before it is left to be stepped: players may go round in circles for ever."""
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
        self._program = stepping(self._plan)

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
        slots = min(SLOTS, games)
        rows, results = arrays(self._plan, slots, LIMIT), results_of(self._plan, first, games)
        rows.tables.view(table_dtype(self.game.table))["number"][:, 0] = first + np.arange(slots)
        where = self._seats, self.seed, slots, LIMIT, *results, MAX_EVENTS
        step = machine_code(self._program, self.notify).bound(*rows, *where)
        while (rows.acting != CLOSED).any():
            if stop is not None and stop.is_set():
                raise Stopped
            if step() >= 0:
                raise UnsupportedGame(f"{self.game.name}: a legal move has no number")
            self._choose(rows)
        _, played, scores, fired, used = results
        for row in (played["ending"] < 0).nonzero()[0]:
            raise StuckError(self.game, first + int(row))
        counted = dict(zip(self.game.counters, fired.tolist(), strict=True))
        return Results(played, scores, counted, dict(zip(self._plan.rules, used.tolist(), strict=True)))

    @cached_property
    def _seats(self) -> Array:
        """The number of the policy of each seat, or LEARNING: the same in all games."""
        numbers = {policy: LEARNING + 1 + index for index, policy in enumerate(self._plan.policies)}
        return np.array([[numbers.get(policy, LEARNING) for policy in self.policies]] * self.players, np.int64)

    def _choose(self, rows: Arrays) -> None:
        """Set the action of each open game. Raises IllegalMove, and what a player raises."""
        for chooser, seats in self._choosers:
            slots = np.isin(rows.acting, seats).nonzero()[0]
            if len(slots):
                rows.actions[slots] = chooser.actions(self.players, rows.observations[slots], rows.masks[slots])

    @cached_property
    def _choosers(self) -> list[tuple[Chooser, list[int]]]:
        """The players who choose in Python, with their seats."""
        seats: dict[Any, list[int]] = {}
        for seat, policy in enumerate(self.policies):
            if policy not in self.game.policies:
                seats.setdefault(policy, []).append(seat)
        return list(seats.items())
