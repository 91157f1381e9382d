"""Programs of players that learn or search: the loops that are asked for by name, and what they read of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fsm.table.sight import sight_of
from maumau.kernels.compiled.ends import HORIZON, keep_position
from maumau.kernels.compiled.numbered import NUMBERED
from maumau.kernels.compiled.observing import observe
from maumau.kernels.compiled.replay import replay
from maumau.kernels.compiled.running import run_by_policies
from maumau.kernels.compiled.sights import SIGHTS
from maumau.kernels.compiler.numbered import ActionPlan, acting_constants, replay_constants
from maumau.kernels.compiler.observing import observing_constants
from maumau.kernels.compiler.phases import phases_of
from maumau.kernels.compiler.program import KernelPlan, KernelSource, module_source
from maumau.kernels.compiler.source import Constants, constants_source, deck_constants, position_constants
from rules.chance import words_for
from rules.rule import RuleFunction

LOOPS: dict[Callable[..., Any], Callable[[ActionPlan], Constants]] = {
    **dict.fromkeys(NUMBERED, acting_constants),
    replay: replay_constants,
    run_by_policies: lambda plan: {"PHASES_BY_POLICIES": phases_of(KernelPlan(plan.game, plan.policies))},
}
"""The loops over a game that a program may ask for, and what each reads; those of SIGHTS are in every program."""


@dataclass(frozen=True, eq=False)
class Loops:
    """The source of a program: the functions that are asked for, and what they call.

    plan: what they are written for. title: what it is. names: of the functions, as in LOOPS. constants: what else the
    program takes for granted, by name. rules: rule functions beside those of the game. called: the functions in Python
    that call those that are written, and that these call.
    """

    plan: ActionPlan
    title: str
    names: Sequence[str]
    constants: Constants
    rules: Sequence[RuleFunction]
    called: Sequence[Callable[..., Any]]

    @cached_property
    def source(self) -> KernelSource:
        """The source of the module."""
        plan, kept = self.plan, (keep_position,) if self.plan.keeps_positions else ()
        constants, loops = deck_constants(plan.game) | _constants_of(plan) | self.constants, []
        for loop, read in LOOPS.items():
            if loop.__name__ in self.names:
                constants |= read(plan)
                loops.append(loop)
        rules = dict.fromkeys((*plan.game.functions, *sight_of(plan.game).determined.values(), *self.rules))
        called = (*self.called, *kept, observe, *SIGHTS, *loops)
        return module_source(f"{self.title}: generated from it.", [constants_source(constants)], rules, called)


def _constants_of(plan: ActionPlan) -> Constants:
    game = plan.game
    return observing_constants(plan.observing) | {
        "CARRIED": (),
        "FINAL": game.phase_numbers[game.final],
        "HORIZON": HORIZON,
        "INITIAL": game.phase_numbers[game.initial],
        "KEEPS_POSITIONS": plan.keeps_positions,
        "KNOWS_DEALER": game.knows_dealer,
        "PLAYERS": plan.players,
        "POSITION_BYTES": plan.position_bytes,
        "SHARES_WINS": game.shares_wins,
        "TABLE_BYTES": plan.table_type.itemsize,
        "TALLIES": plan.tally,
        "WORDS": words_for(game.deck_size),
        "game_deal": game.deal,
        "game_score": game.score,
        **(position_constants(game) if plan.keeps_positions else {}),
    }
