"""Generates the source of a kernel from a declaration: readable Python, one block for each phase."""

from __future__ import annotations

from fsm.declaration.functions import functions
from maumau.kernels.compiler.choosing import moves_functions
from maumau.kernels.compiler.loop import play_source
from maumau.kernels.compiler.naming import Source, module_source
from maumau.kernels.compiler.phases import run_source
from maumau.kernels.compiler.plan import Plan
from maumau.kernels.compiler.returns import functions_source


def source_of(plan: Plan) -> Source:
    """The source of the kernel's module: `run` steps a table from turn to turn, `same_position` compares two."""
    parts = [
        *moves_functions(plan),
        run_source(plan),
        *functions_source(plan),
        play_source(plan),
    ]
    policies = ", ".join(policy.name for policy in plan.policies)
    title = f"{plan.game.title} compiled for players {policies}: generated from its declaration."
    return module_source(title, parts, functions(plan.game))
