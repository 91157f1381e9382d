"""The compiler: generates Python source from a declaration and compiles it to machine code with numba.

A kernel calls the same rule functions as the stepped machine. This package depends on no game and on none of its
callers.
"""

from fsm.compiler.decks import dealing_source
from fsm.compiler.plan import FORCED, Plan, functions, rule_names
from fsm.compiler.source import source_of
from fsm.table_fields import table_size

__all__ = ["FORCED", "Plan", "dealing_source", "functions", "rule_names", "source_of", "table_size"]
