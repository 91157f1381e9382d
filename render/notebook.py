"""A game in a notebook: its table as cards, and beside it the diagram with the active phase highlighted."""

from __future__ import annotations

from base64 import b64encode
from contextlib import suppress
from html import escape

from fsm.stepping.game import Game
from render.diagram.extract import Overlay, extract
from render.diagram.model import DiagramError
from render.diagram.picture import svg
from render.page.board import board

SIDE = '<div style="flex:1 1 20em;min-width:0">{}</div>'
SHEET = '<img style="max-width:100%;background:#ffffff;border-radius:8px" alt="{}" src="data:image/svg+xml;base64,{}">'


def bundle(game: Game) -> dict[str, str]:
    """What a notebook shows of `game`, by MIME type.

    text/html: the table with the diagram beside it. image/svg+xml: the diagram alone. Where nothing is installed that
    draws it, there is the table alone.
    """
    words = f"State diagram of {game.declaration.title}; the active phase is {game.phase}"
    sides, drawn = [board(game)], {}
    with suppress(DiagramError):
        drawn["image/svg+xml"] = picture = svg(extract(game.declaration, Overlay(active=game.phase)))
        # as an image its ids clash with those of no other output of the notebook, and it runs no script
        sides.append(SHEET.format(escape(words), b64encode(picture.encode()).decode()))
    shown = "".join(SIDE.format(side) for side in sides)
    html = f'<div style="display:flex;flex-wrap:wrap;gap:12px;align-items:flex-start">{shown}</div>'
    return {"text/html": html, **drawn}
