"""Games of players that are computed in Python, with the results of a kernel: stepped, or played side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from threading import Event
from typing import TYPE_CHECKING

from fsm.arcs import Policy
from fsm.bulk.runner import Stopped
from fsm.compiler import rule_names
from fsm.compiler.kernel import Notify
from fsm.compiler.results import Results, blank_rows
from fsm.endless import MOST_EVENTS
from fsm.policy import SideBySide, SteppedPolicy
from fsm.stepping.game import Game, game_of
from rules.ending import Ending
from rules.piles import cards_laid, cards_taken

if TYPE_CHECKING:
    from fsm.compiler.results import Array
    from fsm.declaration import Declaration


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

    def play(self, decks: Array | None, first: int, games: int, stop: Event | None = None) -> Results:
        """Play games in this thread and keep the result of each. stop: ends the work early, which raises Stopped.

        decks: None deals those of the seed. Raises ValueError for what a policy must not choose.
        """
        if decks is None and (side_by_side := self._side_by_side(games)):
            played = side_by_side.play(first, games, stop)
        else:
            played = Results(
                *blank_rows(games, self.players),
                dict.fromkeys(self.game.arcs, 0),
                dict.fromkeys(rule_names(self.game), 0),
            )
        return self._stepped(decks, first, played, stop)

    def _stepped(self, decks: Array | None, first: int, played: Results, stop: Event | None) -> Results:
        """Results with those of the games that are still running, each stepped from its start."""
        fired, used = Counter(played.fired), Counter(played.used)
        for row in (played.games["ending"] == Ending.RUNNING).nonzero()[0].tolist():
            game = self._played(None if decks is None else bytes(decks[row]), first + row, stop)
            _write(game, played.games[row], played.scores[row])
            fired.update(step.arc for step in game.history)
            used.update(step.rule for step in game.history if step.rule)
        return Results(played.games, played.scores, fired, used)

    def _side_by_side(self, games: int) -> SideBySide | None:
        """What plays so many games side by side; None where they are stepped."""
        first = next((policy for policy in self.policies if isinstance(policy, SteppedPolicy)), None)
        found = first and first.side_by_side(self.game, self.players, self.policies, self.seed, self.notify)
        return found if found and found.plays(games) else None

    @cached_property
    def _kind(self) -> type[Game]:
        return game_of(self.game)

    def _played(self, deck: bytes | None, number: int, stop: Event | None) -> Game:
        """A game, stepped to its end or to the limit. Raises Stopped."""
        if deck is None:
            game = self._kind.deal(self.players, self.seed, number, self.policies)
        else:
            game = self._kind.of_deck(self.players, deck, self.policies, self.seed, number)
        while game.outcome is None and len(game.history) < MOST_EVENTS:
            if stop is not None and stop.is_set():
                raise Stopped
            game.step()
        return game


def _write(game: Game, result: Array, scores: Array) -> None:
    """Write the row of a game, as a kernel does."""
    table, outcome = game.table, game.outcome
    result["ending"] = Ending.ENDLESS if outcome is None else outcome.ending
    result["winner"] = table.winner
    result["turns"], result["reshuffles"] = table.turns, table.reshuffles
    result["laid"], result["taken"] = cards_laid(table), cards_taken(table)
    result["trail"] = table.trail
    scores[:] = [game.declaration.score(table, seat) for seat in range(table.players)]
