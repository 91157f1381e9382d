"""What `fsm` exports: the source of its types, and of the table by which it imports each name on first use."""

from fsm.declaration.arcs import Arc as Arc
from fsm.declaration.arcs import Choice as Choice
from fsm.declaration.arcs import Control as Control
from fsm.declaration.arcs import Offer as Offer
from fsm.declaration.arcs import Policy as Policy
from fsm.declaration.declaration import Declaration as Declaration
from fsm.declaration.declaration import DeclarationError as DeclarationError
from fsm.declaration.endless import LongGameError as LongGameError
from fsm.declaration.parts import Scoring as Scoring
from fsm.games.maumau import MauMauPhase as Phase  # noqa: F401
from fsm.games.maumau.game import MauMau as MauMau
from fsm.games.uno.game import Uno as Uno
from fsm.games.uno_official.game import UnoOfficial as UnoOfficial
from fsm.match.stepped import Match as Match
from fsm.registry import RegistryError as RegistryError
from fsm.registry import game_class as game_class
from fsm.registry import register as register
from fsm.stepping.game import Game as Game
from fsm.stepping.game import game_of as game_of
from fsm.stepping.moves import Events as Events
from fsm.stepping.moves import IllegalMove as IllegalMove
from fsm.stepping.position import Position as Position
from fsm.stepping.position import PositionError as PositionError
from fsm.stepping.steps import Move as Move
from fsm.stepping.steps import Outcome as Outcome
from fsm.stepping.steps import Step as Step
from fsm.stepping.view import View as View
