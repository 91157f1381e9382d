"""A game as an HTML page: a single file without external resources.

>>> from fsm import MauMau
>>> from fsm.match.transcript import Transcript
>>> game = MauMau.deal(players=2, seed=7)
>>> _ = game.run()
>>> replay(Transcript.of(game), "game 0 of seed 7").splitlines()[0]
'<!doctype html>'
"""

from __future__ import annotations

from fsm.match.transcript import Transcript
from fsm.records.counterexamples import Shown
from render.page.document import Document, document
from render.page.story import NO_MARKS, Marks, story_of

__all__ = ["Document", "document", "replay"]


def replay(played: Transcript | Shown, heading: str, marks: Marks = NO_MARKS) -> str:
    """The page of a played game, match or counterexample, on which each game is stepped forth and back.

    heading: where it is from, in plain text. marks: of a game, what is said of its events, by index. Raises
    DiagramError if the drawing of the machine is not at hand and nothing is installed that draws it.
    """
    return document(story_of(played, heading, marks), played.kind.declaration).text
