"""A match as the data of a page: its rounds, each with its points, the totals after it, and its game."""

from __future__ import annotations

from typing import Any

from fsm.match.played import PlayedMatch, PlayedRound
from render.page.story import events_of, game_data


def match_data(played: PlayedMatch, heading: str) -> dict[str, Any]:
    """The page data of a played match. heading: where the match is from."""
    return {
        "heading": heading,
        "players": played.players,
        "target": played.target,
        "shared": game_data(played.kind.declaration),
        "rounds": [_round(each, heading) for each in played.rounds],
        "outcome": str(played.outcome),
        "winner": played.outcome.winner,
    }


def _round(each: PlayedRound, heading: str) -> dict[str, Any]:
    return {
        "dealer": each.dealer,
        "points": each.points,
        "totals": each.totals,
        "story": events_of(each.played, f"round {each.number} of {heading}, player {each.dealer} dealt"),
    }
