"""Source of what plays a world out: an action, and then the choices of all seats up to the end of the game.

The seat that searches has a policy of the game, or a net chooses for it by what the seat observes.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import indent
from typing import Any

from fsm.declaration.arcs import Arc, Phase
from fsm.declaration.endless import LONGEST
from maumau.agents.actions import action_space
from maumau.agents.arrays import np
from maumau.agents.batch_source import BatchPlan, arrays_of, constants_of, functions_of, mask_source, named_source
from maumau.agents.compiled.notes import note
from maumau.agents.scoring import no_scorer
from maumau.kernels.compiler.choosing import moves_functions
from maumau.kernels.compiler.phases import arcs_source, run_source
from maumau.kernels.compiler.plan import HORIZON, Plan
from maumau.kernels.compiler.source import Constants, constants_source
from maumau.kernels.compiler.text import case
from rules.rule import RuleFunction
from rules.visibility import SeenBy, visibility


@dataclass(frozen=True)
class SearchPlan(BatchPlan):
    """What a program that searches is generated for: `policies` are those by which games are played out.

    players: the number of players. by_net: whether a net chooses for the seat that searches.
    """

    by_net: bool = False

    def noted(self, arc: Arc) -> tuple[str, ...]:
        """Nothing is noted in games that are played again, or out by policies."""
        return ()


@dataclass(frozen=True)
class NetPlan(BatchPlan):
    """What the functions that step a game are generated for where a net chooses for the seat that searches."""

    @property
    def keeps_positions(self) -> bool:
        """Positions that return are not looked for in games that are played out: these end at the horizon."""
        return False


def playing_out(plan: SearchPlan) -> list[str]:
    """What is generated of a program that plays games out."""
    constants = constants_source(_constants_of(plan))
    if plan.by_net:
        return [constants, *functions_of(_net_plan(plan))]
    return [
        constants,
        "\n".join(arrays_of(plan.game)),
        *moves_functions(plan),
        mask_source(plan),
        act_source(plan),
        run_source(Plan(plan.game, plan.policies), "run_by_policies"),
    ]


def compiled_for(plan: SearchPlan, entry: RuleFunction) -> tuple[RuleFunction, ...]:
    """The entry of such a program, with the function that `run` calls."""
    return (entry, note) if plan.by_net else (entry,)


def _net_plan(plan: SearchPlan) -> NetPlan:
    return NetPlan(plan.game, plan.policies, players=plan.players)


def _constants_of(plan: SearchPlan) -> Constants:
    """What the compiled functions of such a program read."""
    table = plan.game.table()
    return constants_of(_net_plan(plan)) | {
        "BY_NET": plan.by_net,
        "PILE_HIDDEN": visibility(plan.game.table)["ring"] is SeenBy.DISCARDS,
        "PLAYOUT_STOPS": HORIZON if plan.may_return else LONGEST,
        "RING": len(table.ring),
        "SEATS": len(table.hands),
    }


def no_playout(plan: SearchPlan) -> tuple[Any, ...]:
    """The last warm-up arguments of such a program: no discarded cards and no weights."""
    return np.zeros((0, 1), np.uint8), *no_scorer()


# ---------------------------------------------------------------- actions


def act_source(plan: SearchPlan) -> str:
    """The function `act`, which fires an action."""
    phases = [
        (number, phase)
        for number, phase in enumerate(plan.phases)
        if phase in plan.game.control and plan.game.control[phase].offers
    ]
    blocks = []
    for index, (number, phase) in enumerate(phases):
        word = case(index, len(phases), f"phase == {number}")
        blocks.append(f"{word}:  # {phase}\n{indent(_acting(plan, phase), '    ')}")
    return f'''def act(table, phase, action):
    """Fire an action of the player who acts; the next phase."""
{indent(chr(10).join(blocks), "    ")}
    return phase'''


def _acting(plan: SearchPlan, phase: Phase) -> str:
    """The statements that fire an action in a phase."""
    blocks, control = [], plan.game.control[phase]
    for index, offer in enumerate(control.offers):
        actions = [number for number, action in enumerate(action_space(plan.game)) if action.trigger == offer.trigger]
        arcs = arcs_source(plan, plan.game.leaving(phase, offer.trigger), "0", certain=True, one_enabled=True)
        body = "\n".join([*named_source(plan, offer), arcs])
        word = case(index, len(control.offers), f"{actions[0]} <= action <= {actions[-1]}")
        blocks.append(f"{word}:  # {offer.trigger}\n{indent(body, '    ')}")
    return "\n".join(blocks)
