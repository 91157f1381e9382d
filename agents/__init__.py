"""Players that learn or search: numbered actions, observations, and batches of games played side by side.

Everything is derived from the declaration of a game, so it serves house rules and games of your own as well.

Part of maumau.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from _maumau import check

check("rules", "fsm")  # before any of their modules is imported

from agents.actions import Action, ActionSpace, action_space
from agents.hands import UnsupportedGame
from agents.information import information_state
from agents.layout import Field, Layout, layout
from agents.observed import Observed
from agents.observing import ObservingPolicy
from agents.players import SearchPolicy

if TYPE_CHECKING:
    from agents.batch import Batch, Decisions
    from agents.nets.net import Net
    from agents.nets.training import strength, train
    from agents.search import Found, Search, Value

__all__ = [
    "Action",
    "ActionSpace",
    "Batch",
    "Decisions",
    "Field",
    "Found",
    "Layout",
    "Net",
    "Observed",
    "ObservingPolicy",
    "Search",
    "SearchPolicy",
    "UnsupportedGame",
    "Value",
    "action_space",
    "information_state",
    "layout",
    "strength",
    "train",
]
LATER = {
    "Batch": "agents.batch",
    "Decisions": "agents.batch",
    "Found": "agents.search",
    "Net": "agents.nets.net",
    "Search": "agents.search",
    "Value": "agents.search",
    "strength": "agents.nets.training",
    "train": "agents.nets.training",
}
"""What is loaded when it is first asked for, with its module: it takes time to import."""


def __getattr__(name: str) -> Any:
    """A name of LATER."""
    if name in LATER:
        return getattr(import_module(LATER[name]), name)
    raise AttributeError(f"module 'agents' has no attribute {name!r}")
