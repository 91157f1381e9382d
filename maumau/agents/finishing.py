"""Source of a program that plays games side by side to their ends, up to each decision of seats that choose outside.

It shares the functions that step a game with the program of batches, and counts arcs and decision rules as the kernel
of `maumau.kernels.compiler` does.
"""

from __future__ import annotations

from typing import Any

from fsm.declaration.functions import functions
from maumau.agents.arrays import np
from maumau.agents.batch_source import BatchPlan, arrays, constants_of, functions_of, kept_for
from maumau.agents.compiled.batches import finish
from maumau.agents.compiled.notes import note
from maumau.kernels.compiler.machine_code import numbers
from maumau.kernels.compiler.naming import Source, module_source
from maumau.kernels.compiler.program import Program
from maumau.kernels.compiler.results import blank_rows
from maumau.kernels.compiler.source import constants_source

LIMIT = 2000
"""Events that players choose in one game before it is left to be stepped: players may go round in circles for ever."""


def finishing(plan: BatchPlan) -> Program:
    """`finish`, with the arguments of `no_games`. The plan must count arcs and decision rules."""
    return Program("finish", source_of, plan, no_games, plan.game, large=True)


def source_of(plan: BatchPlan) -> Source:
    """The source of the module whose `finish` plays games to their ends."""
    names = ", ".join(policy.name for policy in plan.policies) or "no other policies"
    title = f"{plan.game.title} for {plan.players} players side by side to the end, with {names}: generated from it."
    parts = [constants_source(constants_of(plan)), *functions_of(plan)]
    return module_source(title, parts, functions(plan.game), (finish, note, *kept_for(plan)))


def no_games(plan: BatchPlan) -> tuple[Any, ...]:
    """Warm-up arguments of `finish`: no games."""
    counts = numbers(len(plan.game.counters)), numbers(len(plan.rules))
    where = numbers(plan.players), 0, 0, numbers(1), 0, 1, 1
    return (*rows_of(plan, slots=0), *blank_rows(0, plan.players), *counts, *where)


def rows_of(plan: BatchPlan, slots: int) -> tuple[Any, ...]:
    """The arrays of `finish` with a row for each slot, in the order of its parameters."""
    kept = arrays(plan, slots, LIMIT if plan.game.return_ends else 0)
    counted = numbers((slots, len(plan.game.counters))), numbers((slots, len(plan.rules)))
    return (
        *(kept.tables, kept.phases, kept.notes, kept.discarded, kept.actions),
        *(kept.positions, kept.marks, kept.places, kept.counts),
        *(kept.observations, kept.masks, kept.acting, np.arange(slots), *counted),
    )
