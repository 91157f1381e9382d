"""The printed result of a game: the output format of the game where it has one, else the scores."""

from __future__ import annotations

from fsm.stepping.transcript import Transcript


def result(played: Transcript) -> str:
    """The result of a game, without a line end."""
    own = played.kind.declaration.look.result
    return own(played) if own else played.scores_line
