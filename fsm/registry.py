"""The games by name, each loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

from fsm.stepping.game import Game
from rules.notation import shown

_CLASSES = {"maumau": ("fsm.maumau", "MauMau"), "uno": ("fsm.uno", "Uno")}
NAMES = tuple(_CLASSES)


def game_class(name: str) -> type[Game]:
    """The class of the game called `name`. Raises ValueError, which tells the names."""
    if name not in _CLASSES:
        raise ValueError(f"unknown game {shown(name)}, expected one of {', '.join(NAMES)}")
    module, attribute = _CLASSES[name]
    found: type[Game] = getattr(import_module(module), attribute)
    return found
