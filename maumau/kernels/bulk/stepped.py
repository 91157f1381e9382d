"""Games of players that are computed in Python, with the results of a kernel: stepped, or played side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from threading import Event

from fsm.declaration import chain as counting
from fsm.declaration.arcs import Phase, Policy
from fsm.declaration.declaration import Declaration, rule_names
from fsm.declaration.endless import MAX_EVENTS
from fsm.declaration.parts import WINNERS
from fsm.declaration.policy import SideBySide, SteppedPolicy
from fsm.edge.numbers import Array
from fsm.stepping.game import Game, game_of
from maumau.kernels.bulk.runner import Stopped, check_scores
from maumau.kernels.compiler.machine_code import Notify
from maumau.kernels.compiler.program import Results, blank_rows
from rules.ending import Ending
from rules.piles import cards_laid, cards_taken


class SteppedRunner:
    """Games of one kind and one choice of policies, which may be computed in Python."""

    def __init__(
        self,
        game: Declaration,
        players: int,
        policies: Sequence[str | Policy],
        seed: int,
        notify: Notify | None = None,
    ) -> None:
        self.game, self.players, self.seed, self.notify = game, players, seed, notify
        self.policies = game.seated(players, policies)

    def prepare(self, games: int) -> None:
        """Let the players prepare for so many games at a time."""
        for policy in dict.fromkeys(self.policies):
            if isinstance(policy, SteppedPolicy):
                policy.prepare(self.players, self.notify)
        if side_by_side := self._side_by_side(games):
            side_by_side.prepare()

    def play(
        self, decks: Array | None, first: int, games: int, threads: int | None = 1, stop: Event | None = None
    ) -> Results:
        """Play games in this thread and keep the result of each. stop: ends the work early, which raises Stopped.

        decks: None deals those of the seed. threads: as of other runners. Raises ValueError for what a policy must not
        choose.
        """
        if decks is None and (side_by_side := self._side_by_side(games)):
            played = side_by_side.play(first, games, stop)
        else:
            played = Results(
                *blank_rows(games, self.players),
                dict.fromkeys(self.game.counters, 0),
                dict.fromkeys(rule_names(self.game), 0),
            )
        return self._stepped(decks, first, played, stop)

    def _stepped(self, decks: Array | None, first: int, played: Results, stop: Event | None) -> Results:
        """Results with those of the games that are still running, each stepped from its start."""
        counted, used = Counter(played.counted), Counter(played.used)
        for row in (played.games["ending"] == Ending.RUNNING).nonzero()[0].tolist():
            game = self._dealt(None if decks is None else bytes(decks[row]), first + row)
            counted.update(self._counters(game, stop))
            _write(game, played.games[row], played.scores[row])
            used.update(step.rule for step in game.history if step.rule)
        return Results(played.games, played.scores, counted, used)

    def _side_by_side(self, games: int) -> SideBySide | None:
        """What plays so many games side by side; None where they are stepped."""
        first = next((policy for policy in self.policies if isinstance(policy, SteppedPolicy)), None)
        found = first and first.side_by_side(self.game, self.players, self.policies, self.seed, self.notify)
        return found if found and found.plays(games) else None

    @cached_property
    def _kind(self) -> type[Game]:
        return game_of(self.game)

    def _dealt(self, deck: bytes | None, number: int) -> Game:
        if deck is None:
            return self._kind.deal(self.players, self.seed, number, self.policies)
        return self._kind.of_deck(self.players, deck, self.policies, self.seed, number)

    def _counters(self, game: Game, stop: Event | None) -> Iterator[counting.Counter]:
        """Step a game to its end or to the limit, and tell what counts each event. Raises Stopped."""
        while game.outcome is None and len(game.history) < MAX_EVENTS:
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


def _write(game: Game, result: Array, scores: Array) -> None:
    """Write the row of a game, as a kernel does."""
    table, outcome = game.table, game.outcome
    result["ending"] = Ending.ENDLESS if outcome is None else outcome.ending
    result["winner"], result["winners"] = table.winner, getattr(table, WINNERS, 0)
    result["turns"], result["reshuffles"] = table.turns, table.reshuffles
    result["laid"], result["taken"] = cards_laid(table), cards_taken(table)
    result["trail"] = table.trail
    points = [int(game.declaration.score(table, seat)) for seat in range(table.players)]
    check_scores(f"{game.declaration.name}: game {table.number}", points)
    scores[:] = points
