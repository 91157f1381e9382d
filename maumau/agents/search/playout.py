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
from maumau.agents.batch_source import BatchPlan, constants, functions_of, mask_source, named_source
from maumau.agents.hands import hand_fields
from maumau.agents.knowledge import notes_of
from maumau.agents.layout import layout
from maumau.agents.scoring import BEST_ACTION, no_scorer
from maumau.kernels.compiler.choosing import moves_functions
from maumau.kernels.compiler.loop import filled
from maumau.kernels.compiler.phases import arcs_source, run_source
from maumau.kernels.compiler.plan import HORIZON, STUCK, Plan
from maumau.kernels.compiler.text import case


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
    """Constants and functions, of which `play_out` is the last."""
    if plan.by_net:
        stepping = functions_of(NetPlan(plan.game, plan.policies, players=plan.players))
        return [*stepping, BEST_ACTION, _filled(plan, OUT_BY_NET)]
    return [
        "\n".join(constants(plan.game)),
        *moves_functions(plan),
        mask_source(plan),
        act_source(plan),
        run_source(Plan(plan.game, plan.policies)),
        _filled(plan, OUT_BY_POLICY),
    ]


def with_playout(plan: SearchPlan, text: str, rows: str) -> str:
    """The text of a program with what calls of `play_out` need: parameters, memory and arguments.

    rows: those of the parameters `notes` and `discarded` that it does not have.
    """
    parts = BY_NET | {"GIVEN": f", {rows}, {NETWORK}"} if plan.by_net else BY_POLICY
    return _filled(plan, filled(text, parts))


def no_playout(plan: SearchPlan) -> tuple[Any, ...]:
    """The last warm-up arguments of such a program: if a net chooses, no discarded cards and no weights."""
    import numpy as np

    return (np.zeros((0, 1), np.uint8), *no_scorer()) * plan.by_net


def _filled(plan: SearchPlan, text: str) -> str:
    notes_at = notes_of(plan.game)
    parts = {
        "FINAL": plan.phases.index(plan.game.final),
        "STUCK": STUCK,
        "HORIZON": HORIZON,
        "STOPS": HORIZON if plan.may_return else LONGEST,
        "NUMBERS": notes_at.length,
        "KINDS": len(action_space(plan.game).cards),
        "HELD": notes_at.held,
        "LEFT": notes_at.left,
        "CHOSEN": notes_at.chosen,
        "HANDS": hand_fields(plan.game)[0],
        "WIDTH": layout(plan.game, plan.players).width,
        "ACTIONS": len(action_space(plan.game)),
    }
    return filled(text, parts)


BY_POLICY = {
    "GIVEN": "",
    "OTHERS": 0,
    "ROOM": "    nothing = new_integers(0)\n",
    "ROW": "",
    "ONLY_ROW": "",
    "PLAYOUT": "nothing",
}
"""What stands for the names in a program where policies choose. GIVEN: parameters. OTHERS: the number of the policy of
the other seats. ROOM: memory. ROW, ONLY_ROW: what is found for the row of a table. PLAYOUT: arguments of `play_out`.
"""
NETWORK = "hidden, weights, room"
BY_NET = {
    "OTHERS": 1,
    "ROOM": """\
    kept, kept_lying = new_integers($NUMBERS), new_bytes($KINDS)
    line, choices = new_bytes($WIDTH), new_bytes($ACTIONS)
""",
    "ROW": "        lying = row_at(discarded.ctypes.data + row * $KINDS)\n",
    "ONLY_ROW": "    noted, lying = integers_at(notes.ctypes.data), row_at(discarded.ctypes.data)\n",
    "PLAYOUT": f"noted, lying, kept, kept_lying, line, choices, {NETWORK}",
}
"""The same where a net chooses. The seat that searches has the number `maumau.agents.batch_source.LEARNING`."""

OUT_BY_POLICY = '''def play_out(table, phase, action, seats, nothing):
    """Play an action of the player who acts and then the game, by policies; the last phase."""
    phase = act(table, phase, action)
    if phase != $FINAL and phase != $STUCK:
        phase = run(table, phase, $STOPS, seats, 0, nothing, nothing, nothing, 0)
    return phase'''

OUT_BY_NET = '''def play_out(
    table, phase, action, seats, noted, lying, kept, kept_lying, line, choices, hidden, weights, room,
):
    """Play an action of the player who acts and then the game, by policies and a net; the last phase.

    noted, lying: the notes and the cards that are discarded. kept, kept_lying, line, choices, room: memory.
    """
    seat = table.player
    for place in range($NUMBERS):
        kept[place] = noted[place]
    for place in range($KINDS):
        kept_lying[place] = lying[place]
    for other in range(table.players):
        kept[$HELD + other] = table.$HANDS[other]
        if other != seat:
            kept[$LEFT + other] = 0
    limit = kept[$CHOSEN] + $HORIZON
    while True:
        phase = run(table, phase, seats, limit, action, kept, kept_lying)
        if phase == $FINAL or phase == $STUCK or kept[$CHOSEN] >= limit:
            return phase
        observe(table, phase, seat, kept, kept_lying, line)
        write_mask(table, phase, choices)
        action = best_action(line, choices, $WIDTH, $ACTIONS, hidden, weights, room)'''

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
