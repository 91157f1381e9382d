"""Games as machines: declared, stepped, checked, compiled.

from fsm import MauMau
game = MauMau.deal(players=3, seed=7, number=0)
game.run()

Part of maumau.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from _maumau import check

check("rules")  # before anything of it is imported

from fsm.arcs import Arc, Choice, Control, Offer, Policy
from fsm.declaration import Declaration, DeclarationError
from fsm.endless import LongGameError
from fsm.match.stepped import Match
from fsm.maumau import MauMau
from fsm.maumau import MauMauPhase as Phase
from fsm.registry import RegistryError, game_class, register
from fsm.scoring import Scoring
from fsm.stepping.game import Game, game_of
from fsm.stepping.moves import Events, IllegalMove, Move, Outcome, Step
from fsm.stepping.position import Position, PositionError
from fsm.stepping.view import View
from fsm.uno import Uno

if TYPE_CHECKING:
    from fsm import bulk
    from fsm.uno_official import UnoOfficial

__all__ = [
    "Arc",
    "Choice",
    "Control",
    "Declaration",
    "DeclarationError",
    "Events",
    "Game",
    "IllegalMove",
    "LongGameError",
    "Match",
    "MauMau",
    "Move",
    "Offer",
    "Outcome",
    "Phase",
    "Policy",
    "Position",
    "PositionError",
    "RegistryError",
    "Scoring",
    "Step",
    "Uno",
    "UnoOfficial",
    "View",
    "bulk",
    "game_class",
    "game_of",
    "register",
]


def __getattr__(name: str) -> Any:
    """`fsm.bulk` and `fsm.UnoOfficial`, imported on first use: their import takes time."""
    if name == "bulk":
        return import_module("fsm.bulk")
    if name == "UnoOfficial":
        return import_module("fsm.uno_official").UnoOfficial
    raise AttributeError(f"module 'fsm' has no attribute {name!r}")
