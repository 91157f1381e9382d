"""From a declaration to machine code: the source of programs, generated from its arcs, and what numba makes of it.

A kernel calls the very functions that the stepped machine calls. Nothing here knows a game, or who calls it.
"""

from fsm.compiler.decks import dealing_source
from fsm.compiler.loop import table_size
from fsm.compiler.plan import FORCED, Plan, functions, rule_names
from fsm.compiler.source import source_of

__all__ = ["FORCED", "Plan", "dealing_source", "functions", "rule_names", "source_of", "table_size"]
