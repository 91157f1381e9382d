"""A game as an HTML page: a single file without external resources.

>>> from fsm import MauMau
>>> from fsm.stepping.transcript import Transcript
>>> game = MauMau.deal(players=2, seed=7)
>>> _ = game.run()
>>> replay(Transcript.of(game), "game 0 of seed 7").splitlines()[0]
'<!doctype html>'
"""

from __future__ import annotations

from fsm.match.played import PlayedMatch
from fsm.stepping.transcript import Transcript
from render.page.document import Document, document, match_document
from render.page.match import match_data
from render.page.story import story_of

__all__ = ["Document", "document", "replay", "replay_match"]


def replay(played: Transcript, heading: str) -> str:
    """The page on which a played game is stepped forth and back. heading: where the game is from, in plain text.

    Raises DiagramError if the drawing of the machine is not at hand and nothing is installed that draws it.
    """
    return document(story_of(played, heading), played.kind.declaration).text


def replay_match(played: PlayedMatch, heading: str) -> str:
    """The page of a played match: its rounds with points and totals, of which each is stepped forth and back.

    heading: where the match is from, in plain text. Raises DiagramError as `replay` does.
    """
    return match_document(match_data(played, heading), played.kind.declaration).text
