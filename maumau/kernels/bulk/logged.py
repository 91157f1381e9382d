"""Memory for games whose every event is kept: it grows until all events fit."""

from __future__ import annotations

from collections.abc import Callable

from fsm.edge.numbers import Array, np
from fsm.table.layout import layout_of
from maumau.kernels.compiler.program import COLUMNS, KernelPlan, LoggedResults, blank_rows, numbers
from maumau.kernels.compiler.source import FIRST_ROOM, MAX_ROOM, room_for_positions

EVENTS = 256
"""Events of a game for which there is room at first."""


def with_room(
    plan: KernelPlan, players: int, games: int, play: Callable[[LoggedResults, tuple[Array, ...]], tuple[int, bool]]
) -> LoggedResults:
    """Return games in room that grows until all their events fit, and their positions, or there is room for MAX_ROOM.

    play: plays them into this room and memory for positions; how many events there were, and whether a game was left
    for want of positions.
    """
    rows, ends, tables = blank_rows(games, players), numbers(games), np.zeros(games, layout_of(plan.game).record)
    events, positions = EVENTS * games, FIRST_ROOM
    while True:
        log = np.zeros((events, COLUMNS), np.int16)
        room = LoggedResults(*rows, tables=tables, log=log, log_ends=ends)
        needed, is_left = play(room, room_for_positions(plan, positions))
        grows = is_left and positions < MAX_ROOM
        if needed <= events and not grows:
            return LoggedResults(*rows, tables=tables, log=log[:needed], log_ends=ends)
        events, positions = max(events, needed), positions << grows
