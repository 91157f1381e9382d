"""The printed result of a game: what a judge expects where the game says so, else the scores."""

from __future__ import annotations

from fsm.transcript import Transcript


def result(played: Transcript) -> str:
    """The result of a game, without a line end."""
    own = played.kind.declaration.look.result
    return own(played) if own else played.scores_line
