"""Games as machines: declared, stepped, checked, compiled.

from fsm import MauMau
game = MauMau.deal(players=3, seed=7, number=0)
game.run()

Part of maumau.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fsm.foreign import check

check("rules")  # before anything of it is imported

from fsm.declaration.arcs import Arc, Choice, Control, Offer, Policy
from fsm.declaration.declaration import Declaration, DeclarationError
from fsm.declaration.endless import LongGameError
from fsm.declaration.scoring import Scoring
from fsm.games.maumau import MauMau
from fsm.games.maumau import MauMauPhase as Phase
from fsm.registry import RegistryError, game_class, register
from fsm.stepping.game import Game, game_of
from fsm.stepping.moves import Events, IllegalMove
from fsm.stepping.position import Position, PositionError
from fsm.stepping.steps import Move, Outcome, Step
from fsm.stepping.view import View

if TYPE_CHECKING:
    from fsm.games.uno import Uno
    from fsm.games.uno_official import UnoOfficial
    from fsm.match.stepped import Match

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
    "game_class",
    "game_of",
    "register",
]


LATER = {"Match": "fsm.match.stepped", "Uno": "fsm.games.uno", "UnoOfficial": "fsm.games.uno_official"}
"""Names that are imported on first use, as that takes time, and their modules."""


def __getattr__(name: str) -> Any:
    if name in LATER:
        return getattr(import_module(LATER[name]), name)
    raise AttributeError(f"module 'fsm' has no attribute {name!r}")
