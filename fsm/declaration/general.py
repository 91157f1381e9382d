"""What must hold in every game, and what a game states of the points that it counts, as invariants of the table."""

from __future__ import annotations

from collections.abc import Iterable

from fsm.declaration.arcs import Invariant, Phase, ScoreInvariant
from rules.invariants import (
    adds_up_to_nothing,
    each_scores,
    game_goes_on,
    game_has_ended,
    partners_have_equal_points,
    player_is_seated,
)
from rules.rule import RuleFunction


def general_invariants(
    phases: Iterable[Phase],
    final: Phase,
    won: RuleFunction,
    returns: RuleFunction | None,
    points: RuleFunction,
    sides: int,
) -> tuple[Invariant, ...]:
    """Return what holds in the positions of every game.

    won: the query that there is a winner exactly if the game was won. returns: of a seat, if they add up to nothing.
    points: of a seat in a match. sides: of partners, if there are any.
    """
    running = tuple(phase for phase in phases if phase is not final)
    found: tuple[Invariant, ...] = (
        Invariant("one of the players is in turn", player_is_seated),
        Invariant("a game without an ending goes on", game_goes_on, running),
        Invariant("a game that is over has an ending", game_has_ended, (final,)),
        Invariant("there is a winner exactly if the game was won", won),
    )
    if returns:
        found += (Invariant("what some players gain the others lose", adds_up_to_nothing(returns), (final,)),)
    if sides:
        found += (Invariant("partners have the same points", partners_have_equal_points(points, sides), (final,)),)
    return found


def of_table(invariant: Invariant, score: RuleFunction, round_points: RuleFunction) -> Invariant:
    """Return an invariant of the table alone: what is said of points is about those that the game counts.

    score, round_points: of a seat, at the end of a game and of a round in a match.
    """
    if not isinstance(invariant, ScoreInvariant):
        return invariant
    points = round_points if invariant.in_match else score
    return Invariant(invariant.description, each_scores(points, invariant.holds, invariant.in_match), invariant.phases)
