"""Games and matches of players that are computed in Python, with the results of a kernel: stepped, or side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from threading import Event
from typing import Any

from fsm.declaration import chain as counting
from fsm.declaration.arcs import Phase, Policy, SideBySide
from fsm.declaration.declaration import Declaration
from fsm.declaration.endless import LONGEST, MAX_EVENTS, LongGameError
from fsm.edge.errors import Stopped
from fsm.edge.numbers import Array, Notify, np
from fsm.match.setup import unit_of
from fsm.match.stepped import Match
from fsm.stepping.game import Game, game_of
from maumau.kernels.bulk.runner import check_over, check_score, check_scores
from maumau.kernels.compiled.series import TRAIL_STEP
from maumau.kernels.compiler.program import Results, blank_rows
from rules.ending import Ending
from rules.piles import cards_laid, cards_taken


@dataclass(eq=False)
class SteppedRunner:
    """Games, or matches, of one kind and one choice of policies, which may be computed in Python.

    policies: those of the seats, as `chosen`. target: that of the matches; None for games, which have one round.
    """

    game: Declaration
    players: int
    chosen: Sequence[str | Policy]
    seed: int
    notify: Notify | None = None
    target: int | None = None
    policies: tuple[Policy, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.policies = self.game.seated(self.players, self.chosen)

    def prepare(self, games: int) -> None:
        """Let the players prepare for so many games at a time."""
        for policy in dict.fromkeys(self.policies):
            policy.prepare(self.players, self.notify)
        if side_by_side := self._side_by_side(games):
            side_by_side.prepare()

    def play(self, decks: None, first: int, games: int, threads: int | None = 1, stop: Event | None = None) -> Results:
        """Play games or matches in this thread and keep the result of each. stop: ends the work early, which raises
        Stopped.

        decks: none, they are dealt. threads: as of other runners. Raises ValueError for what a policy must not choose,
        and LongGameError for a round of a match that seems to have no end.
        """
        if side_by_side := self._side_by_side(games):
            played: Results = side_by_side.play(first, games, stop)
            for row in (played.games["ending"] < 0).nonzero()[0].tolist():
                check_score(self.game, first + row, played.games[row])
                check_over(self.game, first + row, played.games[row])
        else:
            per_match = None if self.target is None else np.zeros(games, np.int32)
            counters, rules = dict.fromkeys(self.game.counters, 0), dict.fromkeys(self.game.rule_names, 0)
            played = Results(*blank_rows(games, self.players), counters, rules, rounds=per_match)
        counted, used, kind = Counter(played.counted), Counter(played.used), game_of(self.game)
        for row in (played.games["ending"] == Ending.RUNNING).nonzero()[0].tolist():
            dealt, tables = (self.players, self.seed, first + row, self.policies), list[Any]()
            series = kind.deal(*dealt) if self.target is None else Match(kind, *dealt, self.target)
            for game in _rounds(series):
                counted.update(self._counters(game, MAX_EVENTS if self.target is None else LONGEST, stop))
                used.update(step.rule for step in game.history if step.rule)
                tables.append(game.table)
            _measure(played.games[row], tables)
            _write(series, f"{self.game.name}: {unit_of(self.target).one} {first + row}", played, row)
        return replace(played, counted=counted, used=used)

    def _side_by_side(self, games: int) -> SideBySide | None:
        """What plays so many games side by side; None where they are stepped, as matches are."""
        if self.target is not None:
            return None
        first = next((policy for policy in self.policies if policy.is_computed), None)
        found = first and first.side_by_side(self.game, self.players, self.policies, self.seed, self.notify)
        return found if found and found.plays(games) else None

    def _counters(self, game: Game, most: int, stop: Event | None) -> Iterator[counting.Counter]:
        """Step a game to its end or for `most` events, and tell what counts each event. Raises Stopped."""
        while game.outcome is None and len(game.history) < most:
            if stop is not None and stop.is_set():
                raise Stopped
            applying = [counter for counter in self._leaving[game.phase] if counter.applies(game.table)]
            arc = game.step().arc
            yield next(counter for counter in applying if counter.arc == arc)

    @cached_property
    def _leaving(self) -> Mapping[Phase, Sequence[counting.Counter]]:
        """The counters of the arcs that leave each phase."""
        return {
            phase: [counter for counter in self.game.counters if counter.arc.source is phase]
            for phase in self.game.phases
        }


def _rounds(series: Game | Match) -> Iterator[Game]:
    """Yield the rounds of a game or match that begins, each to be stepped to its end before the next one.

    Raises LongGameError after a round of a match that was not.
    """
    if isinstance(series, Game):
        yield series
        return
    while series.outcome is None:
        series.step()
        if (game := series.game) is not None and game.outcome is None:
            yield game
            if game.outcome is None:
                raise LongGameError(game.declaration.name, game.table.number)


def _write(series: Game | Match, where: str, played: Results, row: int) -> None:
    """Write how a game or match ended, as a kernel does. where: its number, in words. Raises ScoreError."""
    table, result = series.table, played.games[row]
    if isinstance(series, Game):
        points = [int(series.declaration.score(table, seat)) for seat in range(series.players)]
    else:
        points = [*series.totals]
    check_scores(where, points)
    result["ending"] = Ending.ENDLESS if series.outcome is None else series.outcome.ending
    result["winner"], result["winners"] = table.winner, getattr(table, "winners", 0)
    played.scores[row] = points
    if played.rounds is not None:
        played.rounds[row] = table.rounds


def _measure(result: Array, tables: Sequence[Any]) -> None:
    """Write what is measured of a game, or of all rounds of a match, as a kernel does."""
    result["turns"], result["laid"] = sum(table.turns for table in tables), sum(map(cards_laid, tables))
    result["taken"], result["reshuffles"] = sum(map(cards_taken, tables)), sum(table.reshuffles for table in tables)
    result["trail"] = reduce(lambda trail, table: trail * TRAIL_STEP + table.trail & 0xFFFFFFFF, tables, 0)
