"""Games that are stepped one by one, with the results of a kernel: for players that are computed in Python."""

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
from fsm.policy import SteppedPolicy
from fsm.stepping.game import Game, game_of
from rules.ending import Ending
from rules.piles import cards_laid, cards_taken

if TYPE_CHECKING:
    from fsm.compiler.results import Array
    from fsm.declaration import Declaration

MOST_EVENTS = 20_000
"""Events after which a game counts as endless: players who choose freely may go round in circles for ever."""


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
        """Let the players prepare for their first move."""
        for policy in dict.fromkeys(self.policies):
            if isinstance(policy, SteppedPolicy):
                policy.prepare(self.players, self.notify)

    def play(self, decks: Array | None, first: int, games: int, stop: Event | None = None) -> Results:
        """Play games in this thread and keep the result of each. stop: ends the work early, which raises Stopped.

        decks: None deals those of the seed. Raises ValueError for what a policy must not choose.
        """
        results, scores = blank_rows(games, self.players)
        fired = Counter(dict.fromkeys(self.game.arcs, 0))
        used = Counter(dict.fromkeys(rule_names(self.game), 0))
        for row in range(games):
            if stop is not None and stop.is_set():
                raise Stopped
            game = self._played(None if decks is None else bytes(decks[row]), first + row)
            _write(game, results[row], scores[row])
            fired.update(step.arc for step in game.history)
            used.update(step.rule for step in game.history if step.rule)
        return Results(results, scores, fired, used)

    @cached_property
    def _kind(self) -> type[Game]:
        return game_of(self.game)

    def _played(self, deck: bytes | None, number: int) -> Game:
        """A game, stepped to its end or to the limit."""
        if deck is None:
            game = self._kind.deal(self.players, self.seed, number, self.policies)
        else:
            game = self._kind.of_deck(self.players, deck, self.policies, self.seed, number)
        while game.outcome is None and len(game.history) < MOST_EVENTS:
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
