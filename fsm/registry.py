"""The games by name, each loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

from fsm.stepping.game import Game
from rules.notation import shown

_CLASSES = {"maumau": ("fsm.maumau", "MauMau"), "uno": ("fsm.uno", "Uno")}
NAMES = tuple(_CLASSES)


def game_class(game: str | type[Game]) -> type[Game]:
    """The class of the game called `game`, or the class itself. Raises ValueError, which lists the names."""
    if isinstance(game, type):
        return game
    if game not in _CLASSES:
        raise ValueError(f"unknown game {shown(game)}, expected one of {', '.join(NAMES)}")
    module, attribute = _CLASSES[game]
    found: type[Game] = getattr(import_module(module), attribute)
    return found
