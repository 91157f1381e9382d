"""Games and matches of players that are computed in Python, with the results of a kernel: stepped, or side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from threading import Event
from typing import Any

from fsm.declaration import chain as counting
from fsm.declaration.arcs import Phase, Policy
from fsm.declaration.declaration import Declaration, rule_names
from fsm.declaration.endless import LONGEST, MAX_EVENTS, LongGameError
from fsm.declaration.parts import WINNERS
from fsm.declaration.policy import SideBySide, SteppedPolicy
from fsm.edge.numbers import Array
from fsm.match.setup import ROUND
from fsm.match.stepped import Match
from fsm.stepping.game import Game, game_of
from maumau.kernels.bulk.chunks import Stopped
from maumau.kernels.bulk.match_runs import MatchResults, blank_matches
from maumau.kernels.bulk.runner import check_scores
from maumau.kernels.compiled.matches import TRAIL_STEP
from maumau.kernels.compiler.machine_code import Notify
from maumau.kernels.compiler.program import Results, blank_rows
from rules.ending import Ending
from rules.piles import cards_laid, cards_taken


@dataclass(eq=False)
class SteppedRunner:
    """Games of one kind and one choice of policies, which may be computed in Python. policies: those of the seats, as
    `chosen`.
    """

    game: Declaration
    players: int
    chosen: Sequence[str | Policy]
    seed: int
    notify: Notify | None = None
    policies: tuple[Policy, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.policies = self.game.seated(self.players, self.chosen)

    def prepare(self, games: int) -> None:
        """Let the players prepare for so many games at a time."""
        for policy in dict.fromkeys(self.policies):
            if isinstance(policy, SteppedPolicy):
                policy.prepare(self.players, self.notify)
        if side_by_side := self._side_by_side(games):
            side_by_side.prepare()

    def play(self, decks: None, first: int, games: int, threads: int | None = 1, stop: Event | None = None) -> Results:
        """Play games in this thread and keep the result of each. stop: ends the work early, which raises Stopped.

        decks: none, they are dealt. threads: as of other runners. Raises ValueError for what a policy must not choose.
        """
        if side_by_side := self._side_by_side(games):
            played = side_by_side.play(first, games, stop)
        else:
            played = Results(
                *blank_rows(games, self.players),
                dict.fromkeys(self.game.counters, 0),
                dict.fromkeys(rule_names(self.game), 0),
            )
        counted, used = Counter(played.counted), Counter(played.used)
        for row in (played.games["ending"] == Ending.RUNNING).nonzero()[0].tolist():
            game = self._kind.deal(self.players, self.seed, first + row, self.policies)
            counted.update(self._counters(game, MAX_EVENTS, stop))
            _write(game, played.games[row], played.scores[row])
            used.update(_rules(game))
        return Results(played.games, played.scores, counted, used)

    def _side_by_side(self, games: int) -> SideBySide | None:
        """What plays so many games side by side; None where they are stepped."""
        first = next((policy for policy in self.policies if isinstance(policy, SteppedPolicy)), None)
        found = first and first.side_by_side(self.game, self.players, self.policies, self.seed, self.notify)
        return found if found and found.plays(games) else None

    @cached_property
    def _kind(self) -> type[Game]:
        return game_of(self.game)

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


@dataclass(eq=False)
class SteppedMatchRunner(SteppedRunner):
    """Matches of one game and one choice of policies, which may be computed in Python."""

    target: int = field(kw_only=True)

    def play(
        self, decks: None, first: int, games: int, threads: int | None = 1, stop: Event | None = None
    ) -> MatchResults:
        """Play matches in this thread and keep the result of each. stop: ends the work early, which raises Stopped.

        decks: none, they are dealt. threads: as of other runners. Raises ValueError for what a policy must not choose,
        and LongGameError for a round that seems to have no end.
        """
        results, totals, rounds = blank_matches(games, self.players)
        counted, used = Counter(dict.fromkeys(self.game.counters, 0)), Counter(dict.fromkeys(rule_names(self.game), 0))
        for row in range(games):
            match = Match(self._kind, self.players, self.seed, first + row, self.policies, self.target)
            played = list[Game]()
            for game in _rounds(match):
                counted.update(self._counters(game, LONGEST, stop))
                if game.outcome is None:
                    raise LongGameError(self.game.name, game.table.number)
                used.update(_rules(game))
                played.append(game)
            check_scores(f"{self.game.name}: match {first + row}", match.totals)
            results[row]["ending"], totals[row], rounds[row] = match.table.ending, match.totals, len(played)
            results[row]["winner"], results[row]["winners"] = match.table.winner, match.table.winners
            _measure(results[row], [game.table for game in played])
        return MatchResults(results, totals, counted, used, rounds=rounds)

    def _side_by_side(self, games: int) -> None:
        """Matches are stepped."""


def _rounds(match: Match) -> Iterator[Game]:
    """The rounds of a match that begins, each to be stepped to its end before the next one."""
    while match.outcome is None:
        match.step()
        if match.phase is ROUND:
            assert match.game is not None
            yield match.game


def _rules(game: Game) -> Iterator[str]:
    """The decision rules that were used in a game."""
    return (step.rule for step in game.history if step.rule)


def _write(game: Game, result: Array, scores: Array) -> None:
    """Write the row of a game, as a kernel does."""
    table, outcome = game.table, game.outcome
    result["ending"] = Ending.ENDLESS if outcome is None else outcome.ending
    result["winner"], result["winners"] = table.winner, getattr(table, WINNERS, 0)
    _measure(result, [table])
    points = [int(game.declaration.score(table, seat)) for seat in range(table.players)]
    check_scores(f"{game.declaration.name}: game {table.number}", points)
    scores[:] = points


def _measure(result: Array, tables: Sequence[Any]) -> None:
    """Write what is measured of a game, or of all rounds of a match, as a kernel does."""
    result["turns"], result["laid"] = sum(table.turns for table in tables), sum(map(cards_laid, tables))
    result["taken"], result["reshuffles"] = sum(map(cards_taken, tables)), sum(table.reshuffles for table in tables)
    result["trail"] = reduce(lambda trail, table: trail * TRAIL_STEP + table.trail & 0xFFFFFFFF, tables, 0)
