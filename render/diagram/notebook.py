"""The diagram in a notebook: shown under a game, with the phase it is in lit."""

from __future__ import annotations

from fsm.stepping.game import Game
from render.diagram.errors import DiagramError
from render.diagram.extract import Overlay, extract
from render.diagram.picture import svg


def bundle(game: Game) -> dict[str, str | bytes]:
    """The picture of the machine of `game` by its MIME type; empty where nothing is installed that draws it."""
    try:
        return {"image/svg+xml": svg(extract(game.declaration, Overlay(active=game.phase)))}
    except DiagramError:
        return {}
