"""Players that learn or search: numbered actions, observations, and batches of games played side by side.

Everything is derived from the declaration of a game, so it serves house rules and games of your own as well.

Part of maumau.
"""

from _maumau import check

check("rules", "fsm")  # before any of their modules is imported

from agents.actions import Action, ActionSpace, action_space
from agents.hands import UnsupportedGame
from agents.layout import Field, Layout, layout

__all__ = ["Action", "ActionSpace", "Field", "Layout", "UnsupportedGame", "action_space", "layout"]
