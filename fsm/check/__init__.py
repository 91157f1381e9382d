"""Checks of a game: all positions with small decks, and many random games with the whole deck.

Every position is checked in the same way: each conceivable event is compared with the arcs, and the table with the
invariants and postconditions of the declaration.
"""

from fsm.check.properties import Counterexample, Report, properties
from fsm.check.sampling import survey
from fsm.check.stepped import explore_stepped

__all__ = ["Counterexample", "Report", "explore_stepped", "properties", "survey"]
