"""Games as machines: declared, stepped, checked, compiled.

from fsm import MauMau
game = MauMau.deal(players=3, seed=7, number=0)
game.run()

Part of maumau.
"""

from fsm.arcs import Acting, Arc, Choice, Offer, Policy
from fsm.declaration import Declaration, DeclarationError
from fsm.maumau import MauMau
from fsm.maumau import MauMauPhase as Phase
from fsm.registry import RegistryError, game_class, register
from fsm.stepping.game import Game, game_of
from fsm.stepping.moves import Events, IllegalMove, Move, Outcome, Step
from fsm.stepping.position import Position, PositionError
from fsm.stepping.view import View
from fsm.uno import Uno

__all__ = [
    "Acting",
    "Arc",
    "Choice",
    "Declaration",
    "DeclarationError",
    "Events",
    "Game",
    "IllegalMove",
    "MauMau",
    "Move",
    "Offer",
    "Outcome",
    "Phase",
    "Policy",
    "Position",
    "PositionError",
    "RegistryError",
    "Step",
    "Uno",
    "View",
    "game_class",
    "game_of",
    "register",
]
