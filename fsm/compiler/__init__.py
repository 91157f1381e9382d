"""From a declaration to the source of a kernel: readable Python, one block a phase, that numba turns into machine code.

The kernel calls the very functions that the stepped machine calls. Nothing here knows a game.
"""

from fsm.compiler.choosing import moves_functions
from fsm.compiler.decks import checking_source, dealing_source, words_ahead
from fsm.compiler.explorer import explorer_source
from fsm.compiler.loop import play_source, same_position_source, table_size
from fsm.compiler.phases import run_source
from fsm.compiler.plan import FORCED, Plan, functions, rule_names
from fsm.compiler.text import import_lines

__all__ = [
    "FORCED",
    "Plan",
    "checking_source",
    "dealing_source",
    "explorer_source",
    "functions",
    "rule_names",
    "source_of",
    "table_size",
    "words_ahead",
]


def source_of(plan: Plan) -> str:
    """The source of the kernel's module: `run` steps a table from turn to turn, `same_position` compares two."""
    parts = [*moves_functions(plan), run_source(plan), *[same_position_source(plan)] * plan.watch, play_source(plan)]
    body = "\n\n\n".join(parts)
    imports = import_lines({name: found for name, found in functions(plan.game).items() if f"{name}(" in body})
    policies = ", ".join(policy.name for policy in plan.policies)
    title = f'"""{plan.game.title} compiled for players {policies}: generated from its declaration."""'
    return f"{title}\n\n{imports}\n\n\n{body}\n"
