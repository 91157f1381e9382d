"""The printed result: the output format of the game where it has one, else the scores, and the totals of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fsm.match.played import Played


def result(played: Played) -> str:
    """The result of a game, or of a match, without a line end."""
    own = played.kind.declaration.look.result
    results = (own(game) if own else game.scores_line for game in played.games)
    return "\n".join([*results, *played.totals_lines])


def events(played: Played) -> str:
    """The events of each game on a line, without those that the game leaves out, and the totals of a match."""
    return "\n".join([*(game.events_line for game in played.games), *played.totals_lines])
