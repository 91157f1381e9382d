"""Matches as text: the printed result of the rounds and the totals, and the trace round by round."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.match.played import PlayedMatch, PlayedRound
from render.text.output import result as result_of_game
from render.text.trace import trace as trace_of_game


def result(played: PlayedMatch) -> str:
    """The result of each round, then the totals, without a line end."""
    return "\n".join([*(result_of_game(each.played) for each in played.rounds), played.totals_line])


def trace(played: PlayedMatch, title: str) -> Iterator[str]:
    """The paragraphs of a match: those of each round with its points and the totals, and the end."""
    for each in played.rounds:
        dealer = f", player {each.dealer} deals" if played.kind.declaration.knows_dealer else ""
        yield from trace_of_game(each.played, f"{title}, round {each.number}{dealer}")
        yield _scored(each)
    yield ending_sentence(played)


def _scored(each: PlayedRound) -> str:
    points, totals = (
        ", ".join(f"player {seat} {number}" for seat, number in enumerate(row, 1)) for row in (each.points, each.totals)
    )
    return f"Round {each.number} scores: {points}. Totals: {totals}."


def ending_sentence(played: PlayedMatch) -> str:
    """How a match ended, in words."""
    outcome = played.outcome
    rounds = f"{outcome.rounds} round{'s' * (outcome.rounds != 1)}"
    if outcome.winner is None:
        return f"Nobody wins the match to {played.target}: {outcome.ending} after {rounds}."
    return f"Player {outcome.winner} wins the match to {played.target} after {rounds}."
