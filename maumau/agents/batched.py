"""Games of fixed policies, played side by side: those of the game in machine code, the others in Python."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event
from typing import Any

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.endless import MAX_CHOSEN, MAX_EVENTS
from fsm.edge.errors import Stopped
from fsm.edge.numbers import Notify, np
from maumau.agents.actions import UnsupportedGame
from maumau.agents.batch_source import fixed_seats, played_of, slots_of, stepping
from maumau.agents.compiled.batches import CLOSED, LEARNING
from maumau.agents.plan import AgentPlan
from maumau.kernels.compiler.program import Results

SLOTS = 512
"""Games that are played side by side."""
MIN_GAMES = 1000
"""For so many games the program is compiled, which takes seconds; fewer are stepped unless it is there."""


class BatchedGames:
    """Games of one kind and one choice of policies, played side by side in one thread.

    The policies of the game choose in machine code; the others, each an `ObservingPolicy`, choose in Python for all
    games at once.
    """

    def __init__(
        self, game: Declaration, players: int, policies: Sequence[Policy], seed: int, notify: Notify | None = None
    ) -> None:
        self.game, self.players, self.policies, self.seed, self.notify = game, players, policies, seed, notify
        compiled = tuple(policy for policy in game.policies if policy in policies)
        self._plan = AgentPlan(game, compiled, tally=True, players=players)
        self._program = stepping(self._plan)
        numbers = {policy: LEARNING + 1 + index for index, policy in enumerate(compiled)}
        self._seats = fixed_seats([numbers.get(policy, LEARNING) for policy in policies])
        self._choosers: dict[Any, list[int]] = {}
        for seat, policy in enumerate(policies):
            if policy not in compiled:
                self._choosers.setdefault(policy, []).append(seat)

    def plays(self, games: int) -> bool:
        """Whether so many games are worth the time of compiling, or nothing has to be compiled."""
        return games >= MIN_GAMES or self._program.is_ready

    def prepare(self) -> None:
        """Compile the program."""
        self._program.code(self.notify)

    def play(self, first: int, games: int, stop: Event | None = None) -> Results:
        """Play games from number `first` on. stop: ends the work early, which raises Stopped.

        Games so long that they may have no end are left with the ending `Ending.RUNNING`, and are not counted; endings
        below 0 are those of a kernel. Raises IllegalMove, what a player raises, and UnsupportedGame for a legal move
        without a number.
        """
        slots = min(SLOTS, games)
        rows, played = slots_of(self._plan, slots, MAX_CHOSEN), played_of(self._plan, self._seats, games)
        rows.tables.view(self._plan.loops.table_type)["number"][:, 0] = first + np.arange(slots)
        numbers = self.seed, slots, MAX_CHOSEN, first, MAX_EVENTS, 0
        step = self._program.code(self.notify).bound(rows, played, *numbers)
        while (rows.acting != CLOSED).any():
            if stop is not None and stop.is_set():
                raise Stopped
            if step() >= 0:
                raise UnsupportedGame(f"{self.game.name}: a legal move has no number")
            for chooser, seats in self._choosers.items():
                turns = np.isin(rows.acting, seats).nonzero()[0]
                if len(turns):
                    rows.actions[turns] = chooser.actions(self.players, rows.observations[turns], rows.masks[turns])
        counted = dict(zip(self.game.counters, played.fired.tolist(), strict=True))
        used = dict(zip(self.game.rule_names, played.used.tolist(), strict=True))
        return Results(played.results, played.scores, counted, used)
