"""What a batch is compiled for, and the arrays that its program works on."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass
from typing import Any

from fsm.declaration.arcs import Arc
from fsm.declaration.facts import table_size
from fsm.declaration.rewards import Reward
from fsm.edge.extras import Array, np
from maumau.agents.actions import action_space
from maumau.agents.layout import layout, notes_of, rolls_dice
from maumau.kernels.compiled.ends import EMPTY
from maumau.kernels.compiler.program import Plan
from maumau.kernels.compiler.results import blank_rows, numbers
from maumau.kernels.compiler.source import saved_size

DEAL = -1
"""In place of an action: the game of the slot is dealt."""


@dataclass(frozen=True)
class BatchPlan(Plan):
    """What such a program is generated for: `policies` are those of the seats that do not learn.

    players: the number of players. reward: what they play for.
    """

    players: int = 2
    reward: Reward = Reward.WIN

    def leaves(self, phase: str | int) -> str:
        """The statement with which the function that steps a table ends in a phase, or is stuck."""
        return f"return {phase}"

    def noted(self, arc: Arc) -> tuple[str, ...]:
        """After an arc that rolls dice nobody knows the order of the cards."""
        return ("shuffled = 1",) if rolls_dice(arc) else ()

    @property
    def keeps_positions(self) -> bool:
        """Whether the positions of a game are kept, because one that returns ends it."""
        return self.game.return_ends


def no_slots(plan: BatchPlan) -> tuple[Any, ...]:
    """Warm-up arguments of `step`: no slots."""
    seats = numbers((plan.players, plan.players))
    return (*arrays(plan, slots=0, limit=1), seats, 0, 1, 1, *results_of(plan, 0, 0), 0)


def results_of(plan: BatchPlan, first: int, games: int) -> tuple[int, Array, Array, Array, Array]:
    """Arguments of `step`: the first game, room for the results, the scores and the counts."""
    counted = numbers(len(plan.game.counters)), numbers(len(plan.rules))
    return first, *blank_rows(games, plan.players), *counted


Arrays = namedtuple(
    "Arrays",
    "tables phases notes discarded log decided actions positions marks places counts last_observations observations "
    "masks rewards ended truncated acting passed_over fired used",
)
"""The arrays of `step`, a row for each slot, in the order of its parameters."""


def arrays(plan: BatchPlan, slots: int, limit: int) -> Arrays:
    """The arrays of `step`.

    Where the return of a position ends a game, there is a position for each event that is chosen, and one more: saved
    tables, hashes, where each is, how many. The memory is used as far as games are long.
    """
    space, width = action_space(plan.game), layout(plan.game, plan.players).width
    most = limit + 1 if plan.keeps_positions else 0
    counters, rules = (len(plan.game.counters), len(plan.rules)) if plan.tally else (0, 0)
    return Arrays(
        np.zeros((slots, table_size(plan.game.table)), np.uint8),
        numbers(slots),
        numbers((slots, notes_of(plan.game).length)),
        np.zeros((slots, len(space.cards)), np.uint8),
        np.zeros((slots, limit), np.int16),
        numbers(slots),
        np.full(slots, DEAL, np.int64),
        np.zeros((slots, most, saved_size(plan)), np.uint8),
        numbers((slots, most)),
        np.full((slots, 2 << most.bit_length()), EMPTY, np.int64),
        numbers((slots, 1)),
        np.zeros((slots, width), np.uint8),
        np.zeros((slots, width), np.uint8),
        np.zeros((slots, len(space)), np.uint8),
        np.zeros((slots, plan.players), np.int32),
        np.zeros(slots, np.uint8),
        np.zeros(slots, np.uint8),
        numbers(slots),
        numbers(slots),
        numbers((slots, counters)),
        numbers((slots, rules)),
    )
