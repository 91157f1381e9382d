"""The rounds that are played at a table: a single game, or those of a match."""

from __future__ import annotations

from typing import Any

from fsm.match.chart import MATCH_OVER, ROUND, SCORE
from fsm.match.stepped import Match
from fsm.match.steps import MatchOutcome
from fsm.stepping.game import Game
from maumau.play.table.setup import Dice, Setup


class TableMatch(Match):
    """A match whose rounds have the decks and dice of a setup."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        super().__init__(setup.kind, setup.players, 0, 0, setup.policies, setup.target)

    def dice(self, index: int) -> Dice:
        """The deck and the dice of a round, from 0."""
        return self.setup.dice(index)


class Rounds:
    """The rounds of a table, one after the other.

    game: the round that is played, or was played last.
    """

    def __init__(self, setup: Setup) -> None:
        self._match = None if setup.target is None else TableMatch(setup)
        if self._match is None:
            dice = setup.dice(0)
            self.game: Game = setup.kind.deal(setup.players, dice.seed, dice.number, setup.policies)
        else:
            self.next_round()

    @property
    def number(self) -> int:
        """The number of the round, from 1."""
        return 1 if self._match is None else self._match.table.rounds + (self._match.phase is ROUND)

    @property
    def is_over(self) -> bool:
        """Whether no other round follows."""
        return self.game.outcome is not None and (self._match is None or self._match.phase is MATCH_OVER)

    def score(self) -> None:
        """Score the round that is over."""
        if self._match is not None:
            self._match.step()

    def next_round(self) -> str:
        """After a round was scored: begin the next one, or end the match. Returns how it has ended, or nothing."""
        assert self._match is not None
        step = self._match.step()
        self.game = self._match.game or self.game
        return f"{step} {_ending(self._match.outcome)}" if self._match.outcome else ""

    def standing(self) -> dict[str, Any] | None:
        """The match as all see it: the target, the totals with the points of a round that was scored, and the end."""
        match = self._match
        if match is None:
            return None
        points = match.table.points[: match.players] if match.phase is SCORE else [0] * match.players
        outcome = match.outcome
        return {
            "round": self.number,
            "target": match.target,
            "totals": [total + more for total, more in zip(match.totals, points, strict=True)],
            "outcome": outcome and {"winner": outcome.winner, "text": _ending(outcome)},
        }


def _ending(outcome: MatchOutcome) -> str:
    who = f"Nobody wins the match: {outcome.ending}." if outcome.winner is None else ""
    return who or f"Player {outcome.winner} wins the match."
