"""What a seat gains or loses by a game: what players that learn and search play for."""

from __future__ import annotations

from enum import StrEnum

from fsm.declaration.parts import Parts
from fsm.edge.kept import kept
from fsm.edge.numbers import of_type
from rules.ending import Ending
from rules.notation import shown
from rules.rule import RuleFunction, query


class Reward(StrEnum):
    """What players play for.

    RETURNS: what the game declares (`Declaration.returns`). WIN: 1 for each winner, whose gains the others lose in
    equal shares; nothing without a winner, or if all of several win. SCORE: the points at the end. MATCH: the points of
    a round in a match. Points of which the fewest are best count below zero.
    """

    RETURNS = "returns"
    WIN = "win"
    SCORE = "score"
    MATCH = "match"

    @classmethod
    def named(cls, game: Parts, name: str | None) -> Reward:
        """Return the reward of a name; None: the returns of the game, or to win where it declares none.

        Raises ValueError.
        """
        if name is None:
            return cls.RETURNS if game.returns else cls.WIN
        known = [reward for reward in cls if reward is not cls.RETURNS or game.returns]
        of_type("rewards", name, str, "the name of a reward")
        if name == cls.RETURNS and not game.returns:
            raise ValueError(f"rewards: {game.name} declares no returns; use one of {', '.join(known)}")
        if name not in known:
            raise ValueError(f"unknown rewards {shown(name)}; use one of {', '.join(known)}")
        return cls(name)

    def points(self, game: Parts) -> RuleFunction | None:
        """Return a query of a table that is final and a seat: the reward in whole numbers; None to win."""
        return _points_of(game, self)

    def functions(self, game: Parts) -> tuple[RuleFunction, ...]:
        """Return the query of `points`, if there is one."""
        points = self.points(game)
        return (points,) if points else ()

    @staticmethod
    def loss(players: int, winners: int) -> float:
        """Return the reward to win of each of the others if some win, at most 0; 0 where there are no others."""
        return -winners / (players - winners) if winners < players else 0.0


@kept
def _points_of(game: Parts, reward: Reward) -> RuleFunction | None:
    scoring = game.scoring
    if reward is Reward.RETURNS:
        return game.returns
    if reward is Reward.WIN:
        return None
    if reward is Reward.SCORE:
        return _gained(game.score, always=True, sign=1 if scoring.most_wins else -1)
    return _gained(game.round_points, scoring.unwon_scores, sign=-1 if scoring.lowest_wins else 1)


def _gained(points: RuleFunction, always: bool, sign: int) -> RuleFunction:
    """A query: the points of a seat, times a sign; unless `always`, nothing in a game that nobody has won."""
    unwon = int(always)

    @query
    def gained(table, seat):  # type: ignore[no-untyped-def]
        """What a seat gains."""
        if table.ending != Ending.WON and unwon == 0:
            return 0
        return sign * points(table, seat)

    return gained
