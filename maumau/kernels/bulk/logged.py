"""Memory for rounds whose every event is kept: it grows until all events fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from fsm.edge.numbers import Array, np
from fsm.table.layout import layout_of
from maumau.kernels.compiled.ends import PositionRoom
from maumau.kernels.compiler.program import COLUMNS, KernelPlan, Results, blank_rows, numbers
from maumau.kernels.compiler.source import FIRST_ROOM, MAX_ROOM, room_for_positions

EVENTS = 256
"""Events of a round for which there is room at first."""


@dataclass(frozen=True, kw_only=True)
class LoggedResults(Results):
    """The results of rounds whose events and final tables were kept.

    series: the results of the matches that had them, and totals: those after each round; None where games were played,
    of one round each.
    """

    tables: Array
    log: Array
    log_ends: Array
    series: Results | None = None
    totals: Array | None = None

    def events(self, row: int) -> Array:
        """Return the events of one round: a row of `log` for each."""
        return self.log[self.log_ends[row - 1] if row else 0 : self.log_ends[row]]

    def rounds_of(self, index: int) -> range:
        """Return the rows of the rounds of a game or match."""
        return range(self._ends[index - 1] if index else 0, self._ends[index])

    @cached_property
    def _ends(self) -> list[int]:
        """The row after the last round of each game or match."""
        rounds = None if self.series is None else self.series.rounds
        ends: list[int] = (np.ones(len(self), np.int32) if rounds is None else rounds).cumsum().tolist()
        return ends


def with_room(
    plan: KernelPlan, players: int, rounds: int, play: Callable[[LoggedResults, PositionRoom], tuple[int, bool]]
) -> LoggedResults:
    """Return rounds in room that grows until all their events fit, and their positions, or there is room for MAX_ROOM.

    play: plays them into this room and memory for positions; how many events there were, and whether a round was left
    for lack of positions.
    """
    rows, ends, tables = blank_rows(rounds, players), numbers(rounds), np.zeros(rounds, layout_of(plan.game).record)
    events, positions = EVENTS * rounds, FIRST_ROOM
    while True:
        log = np.zeros((events, COLUMNS), np.int16)
        room = LoggedResults(*rows, tables=tables, log=log, log_ends=ends)
        needed, is_left = play(room, room_for_positions(plan, positions))
        grows = is_left and positions < MAX_ROOM
        if needed <= events and not grows:
            return LoggedResults(*rows, tables=tables, log=log[:needed], log_ends=ends)
        events, positions = max(events, needed), positions << grows
