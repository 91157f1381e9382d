"""The compiler: generates Python source from a declaration and compiles it to machine code.

A kernel calls the same rule functions as the stepped machine. This package depends on no game and on none of its
callers.
"""

from fsm.declaration.functions import FORCED, functions, rule_names
from fsm.declaration.table_fields import table_size
from maumau.kernels.compiler.plan import Plan
from maumau.kernels.compiler.source import dealing_source, source_of

__all__ = ["FORCED", "Plan", "dealing_source", "functions", "rule_names", "source_of", "table_size"]
