"""Players that learn or search: numbered actions, observations, and batches of games played side by side.

Everything is derived from the declaration of a game, so it serves house rules and games of your own as well.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from maumau.agents.actions import Action, ActionSpace, action_space
from maumau.agents.hands import UnsupportedGame
from maumau.agents.information import information_state
from maumau.agents.layout import Field, ObservationLayout, layout
from maumau.agents.observed import Observed
from maumau.agents.observing import ObservingPolicy
from maumau.agents.players import SearchPolicy

if TYPE_CHECKING:
    from maumau.agents.batch import Batch, Decisions
    from maumau.agents.nets.net import Net
    from maumau.agents.nets.training import strength, train
    from maumau.agents.search import Found, Search, Value

__all__ = [
    "Action",
    "ActionSpace",
    "Batch",
    "Decisions",
    "Field",
    "Found",
    "Net",
    "ObservationLayout",
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
    "Batch": "maumau.agents.batch",
    "Decisions": "maumau.agents.batch",
    "Found": "maumau.agents.search",
    "Net": "maumau.agents.nets.net",
    "Search": "maumau.agents.search",
    "Value": "maumau.agents.search",
    "strength": "maumau.agents.nets.training",
    "train": "maumau.agents.nets.training",
}
"""What is loaded when it is first asked for, with its module: it takes time to import."""


def __getattr__(name: str) -> Any:
    """A name of LATER."""
    if name in LATER:
        return getattr(import_module(LATER[name]), name)
    raise AttributeError(f"module 'maumau.agents' has no attribute {name!r}")
