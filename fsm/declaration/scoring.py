"""How the rounds of a match are scored: a part of the declaration of a game."""

from __future__ import annotations

from dataclasses import dataclass

from rules.rule import RuleFunction


@dataclass(frozen=True)
class Scoring:
    """What a round of a game scores in a match, and when the match is over.

    points: a rule function that counts the points of a round that was won (table, seat), on its final table; without
    one, those that the game counts at its end (`Declaration.score`).
    target: the match is over after the round with which somebody has so many points or more.
    lowest_wins: whether the fewest points win the match, as where points left in hand are counted, or the most.
    unwon_scores: whether a round without a winner scores, too; else it scores nothing.
    sides: how many sides there are where partners win and lose together: every so many seats are partners, who have the
    same points. 0: each plays alone.
    below_zero: whether a game can end with scores below zero (`Declaration.score`).
    """

    points: RuleFunction | None = None
    target: int = 100
    lowest_wins: bool = True
    unwon_scores: bool = False
    sides: int = 0
    below_zero: bool = False

    @property
    def most_wins(self) -> bool:
        """Whether the scores that a game counts at its end are gains, not points left."""
        return self.points is None and not self.lowest_wins
