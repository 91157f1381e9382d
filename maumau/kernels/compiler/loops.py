"""Writes programs of players that learn or search: the functions that are asked for by name, and what they call.

Each is a function of `maumau.agents.compiled.given`: a fused loop over a game, or what a seat may see of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fsm.declaration.declaration import functions
from fsm.table.layout import layout_of
from fsm.table.sight import sight_of
from maumau.kernels.compiler.hidden import (
    determined_functions,
    hand_functions,
    hand_source,
    piles_functions,
    seen_key_source,
    take_hidden_source,
)
from maumau.kernels.compiler.numbered import (
    ActionPlan,
    act_source,
    advance_source,
    mask_source,
    own_action_source,
    run_source,
)
from maumau.kernels.compiler.observing import ObservingPlan, observe_source
from maumau.kernels.compiler.phases import moves_functions
from maumau.kernels.compiler.phases import run_source as policies_source
from maumau.kernels.compiler.program import KernelPlan, KernelSource, module_source
from maumau.kernels.compiler.replay import replay_source
from maumau.kernels.compiler.source import Constants, constants_source
from rules.rule import RuleFunction


def _run_functions(plan: ActionPlan) -> Iterator[str]:
    compared = layout_of(plan.game)
    if plan.keeps_positions:
        yield from (compared.same_position_function(), compared.hash_function())
    yield run_source(plan)


def _by_policies(plan: ActionPlan) -> str:
    return policies_source(KernelPlan(plan.game, plan.policies), "run_by_policies")


WRITERS: dict[str, Callable[[ActionPlan], Iterable[str]]] = {
    "act": lambda plan: [act_source(plan)],
    "advance": lambda plan: [advance_source(plan)],
    "determine": lambda plan: determined_functions(plan.game),
    "give": lambda plan: hand_functions(plan.hands),
    "hand": lambda plan: [hand_source(plan.game, plan.hands)],
    "observe": lambda plan: [observe_source(plan.observing)],
    "own_action": lambda plan: [own_action_source(plan)],
    "replay": lambda plan: [replay_source(plan)],
    "run": _run_functions,
    "run_by_policies": lambda plan: [_by_policies(plan)],
    "seen_key": lambda plan: [seen_key_source(plan)],
    "take_hidden": lambda plan: [take_hidden_source(plan.game, plan.hands)],
    "take_piles": lambda plan: piles_functions(plan.game),
    "turned_up": lambda plan: [sight_of(plan.game).turned_up_source()],
    "write_mask": lambda plan: [mask_source(plan)],
}
"""What writes each function; some have a function beside them: `give` has `take`, `hand` has `shown`."""


@dataclass(frozen=True)
class Loops:
    """What a program is made of. title: what it is. names: the functions that are written, as in WRITERS. constants:
    what else it takes for granted. rules: rule functions beside those of the game. called: the functions in Python that
    call those that are written, and that these call.
    """

    title: str
    names: Sequence[str]
    constants: Constants
    rules: Sequence[RuleFunction]
    called: Sequence[Callable[..., Any]]


def loops_source(plan: ActionPlan, loops: Loops) -> KernelSource:
    """Return the source of a module of such functions."""
    written = (text for name in loops.names for text in WRITERS[name](plan))
    parts = [constants_source(loops.constants), *moves_functions(plan.kernel), *written]
    rules = dict.fromkeys((*functions(plan.game), *loops.rules))
    return module_source(f"{loops.title}: generated from it.", parts, tuple(rules), loops.called)


def observing_source(plan: ObservingPlan) -> KernelSource:
    """Return the source of a module with `hand`, `shown` and `observe` alone."""
    title = f"What a seat observes of {plan.game.title}: generated from it."
    return module_source(title, [hand_source(plan.game, plan.hands), observe_source(plan)], ())
