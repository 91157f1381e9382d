"""What must hold in every game, and what a game states of the points that it counts, as invariants of the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fsm.declaration.arcs import Invariant, Phase, ScoreInvariant
from rules.every_game import stated_of_every_game
from rules.invariants import each_scores
from rules.rule import RuleFunction


def general_invariants(
    phases: Iterable[Phase],
    final: Phase,
    shares_wins: bool,
    returns: RuleFunction | None,
    points: RuleFunction,
    sides: int,
) -> Iterator[Invariant]:
    """Yield what holds in the positions of every game.

    shares_wins, returns, points, sides: as of `stated_of_every_game`.
    """
    running = tuple(phase for phase in phases if phase is not final)
    for description, holds, when_over in stated_of_every_game(shares_wins, returns, points, sides):
        yield Invariant(description, holds, () if when_over is None else (final,) if when_over else running)


def of_table(invariant: Invariant, score: RuleFunction, round_points: RuleFunction) -> Invariant:
    """Return an invariant of the table alone: what is said of points is about those that the game counts.

    score, round_points: of a seat, at the end of a game and of a round in a match.
    """
    if not isinstance(invariant, ScoreInvariant):
        return invariant
    points = round_points if invariant.in_match else score
    return Invariant(invariant.description, each_scores(points, invariant.holds, invariant.in_match), invariant.phases)
