"""Games whose every event is kept, in memory of the standard library: to play a few games no numpy is loaded."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fsm.declaration.declaration import Declaration, rule_names
from fsm.declaration.facts import table_size
from maumau.kernels.compiler.machine_code import Area, NativeCode
from maumau.kernels.compiler.program import COLUMNS, RESULT, GameResult, Plan
from maumau.kernels.compiler.source import FIRST_ROOM, MAX_ROOM, keeps_positions, room_for_positions
from rules.ending import Ending

EVENTS = 256
"""Events of a game for which there is room at first."""


@dataclass(frozen=True)
class LoggedGame:
    """One game. events: rows of COLUMNS numbers. table: the final table, as `fsm.stepping.snapshot` packs it."""

    events: list[list[int]]
    table: bytes


@dataclass(frozen=True)
class LoggedGames:
    """Some games: `result_type` records, scores, final tables, events one after another, and where each game ends."""

    game: Declaration
    players: int
    results: array[int]
    scores: array[int]
    tables: array[int]
    log: array[int]
    ends: array[int]

    @classmethod
    def room(cls, game: Declaration, players: int, games: int, events: int) -> LoggedGames:
        """Room for games with so many events together."""
        tables = array("B", bytes(table_size(game.table) * games))
        log = array("h", bytes(2 * COLUMNS * events))
        results, scores = array("b", bytes(RESULT.size * games)), array("i", bytes(4 * players * games))
        return cls(game, players, results, scores, tables, log, array("q", bytes(8 * games)))

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def areas(self) -> tuple[Area, ...]:
        """The memory of the results, the scores, the log, its ends and the tables, with room for some events."""
        games, events = len(self), len(self.log) // COLUMNS
        kept = Area(self.log, (events, COLUMNS)), Area(self.ends, (games,)), Area(self.tables, (games,))
        return Area(self.results, (games,)), Area(self.scores, (games, self.players)), *kept

    @property
    def events(self) -> int:
        """How many events all games have."""
        return self.ends[-1] if self.ends else 0

    def result(self, row: int) -> dict[str, int]:
        """The result of a game, by the names of the fields of `result_type`."""
        return GameResult._make(RESULT.unpack_from(self.results, row * RESULT.size))._asdict()

    @property
    def endings(self) -> array[int]:
        """How each game ended."""
        return self.results[:: RESULT.size]

    def row(self, row: int) -> LoggedGame:
        """One game."""
        begin = self.ends[row - 1] if row else 0
        events = self.log[COLUMNS * begin : COLUMNS * self.ends[row]]
        steps = [events[at : at + COLUMNS].tolist() for at in range(0, len(events), COLUMNS)]
        size = table_size(self.game.table)
        return LoggedGame(steps, bytes(self.tables[row * size : (row + 1) * size]))


def with_room(
    plan: Plan, players: int, games: int, play: Callable[[LoggedGames, tuple[Area, ...]], tuple[int, bool]]
) -> LoggedGames:
    """Games in room that grows until all their events fit, and their positions, or there is room for MAX_ROOM of these.

    play: plays them into this room and memory for positions; how many events there were, and whether a game was left
    for want of positions.
    """
    events, positions = EVENTS * games, FIRST_ROOM
    while True:
        kept = LoggedGames.room(plan.game, players, games, events)
        needed, is_left = play(kept, room_for_positions(plan, positions))
        grows = is_left and positions < MAX_ROOM
        if needed <= events and not grows:
            return kept
        events, positions = max(events, needed), positions << grows


def play_logged(
    kernel: NativeCode, plan: Plan, players: int, seats: Sequence[int], seed: int, decks: bytes, first: int
) -> LoggedGames:
    """Play decks, one after another in bytes. seats: the number of the policy of each seat."""
    size, rules = plan.game.deck_size, len(rule_names(plan.game))
    games = len(decks) // size

    def play(kept: LoggedGames, positions: tuple[Area, ...]) -> tuple[int, bool]:
        results, scores, *log = kept.areas
        kernel(
            Area(array("B", decks), (games, size)),
            seed,
            first,
            players,
            Area(array("q", seats), (players,)),
            results,
            scores,
            Area(array("q", bytes(8 * len(plan.game.counters))), (len(plan.game.counters),)),
            Area(array("q", bytes(8 * rules)), (rules,)),
            *log,
            *positions,
        )
        return kept.events, Ending.RUNNING in kept.endings and keeps_positions(plan)

    return with_room(plan, players, games, play)
