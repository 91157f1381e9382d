"""The points of a round in a match, and what a match is played for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import SupportsIndex

from fsm.edge.numbers import as_int
from rules.ending import sides_among
from rules.rule import RuleFunction

TARGET_LIMIT = 100_001
"""The limit of targets: integers from 1 to one less than this. Sums over many matches stay exact."""


@dataclass(frozen=True)
class Scoring:
    """The points of a round in a match, and when the match is over.

    points: a rule function that counts the points of a round that was won (table, seat), on its final table; by default
        those that the game counts at its end (`Declaration.score`).
    target: the match is over after the round with which a player reaches this number of points.
    lowest_wins: whether the fewest points win the match, such as points left in hand; otherwise the most win.
    unwon_scores: whether a round without a winner also scores.
    sides: the number of sides in a game of partners, who win and lose together and have the same points; 0 if each
        plays alone. A number of players that cannot form equal sides also plays alone.
    """

    points: RuleFunction | None = None
    target: int = 100
    lowest_wins: bool = True
    unwon_scores: bool = False
    sides: int = 0

    @property
    def most_wins(self) -> bool:
        """Whether the scores that a game counts at its end are gains, not points left."""
        return self.points is None and not self.lowest_wins

    def sides_among(self, players: int) -> int:
        """Return how many sides some players form. players: how many."""
        return sides_among(players, self.sides)

    def match_target(self, target: SupportsIndex | None) -> int:
        """Return the target of a match. target: None for that of the game. Raises TypeError or ValueError."""
        return as_int("target", self.target if target is None else target, 1, TARGET_LIMIT - 1)
