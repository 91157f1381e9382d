"""Checks of a game: all positions with small decks, and many random games with the whole deck.

Every position that is looked at is looked at in the same way: each event that can be thought of is held against the
arcs, and the invariants and postconditions of the declaration against the table.
"""

from fsm.check.exhaustive import explore
from fsm.check.properties import Counterexample, Report, properties
from fsm.check.sampling import survey
from fsm.check.stepped import explore_stepped

__all__ = ["Counterexample", "Report", "explore", "explore_stepped", "properties", "survey"]
