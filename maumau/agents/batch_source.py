"""The program that steps many games side by side, each to the next decision of a learning seat; and its arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import NO_VALUE
from fsm.declaration.rewards import Reward
from fsm.edge.arrays import allocate
from fsm.edge.numbers import np
from maumau.agents.actions import action_space
from maumau.agents.compiled.batches import (
    CERTAIN,
    LEARNING,
    Played,
    SeatArrays,
    SlotArrays,
    first_illegal,
    note,
    step,
)
from maumau.agents.compiled.past import keep_event
from maumau.agents.layout import following, kinds_by_code, notes_of
from maumau.agents.plan import AgentPlan
from maumau.kernels.compiler.loops import Loops
from maumau.kernels.engine import LoopProgram, program_of

DEAL = -1
"""In place of an action: the game of the slot is dealt."""


def played_of(plan: AgentPlan, seats: SeatArrays, games: int = 0) -> Played:
    """Room for the results of so many games. seats: who plays."""
    counters, rules = len(plan.game.counters), len(plan.game.rule_names)
    return allocate(Played, seats=seats, results=games, scores=(games, plan.players), fired=counters, used=rules)


def slots_of(plan: AgentPlan, slots: int, limit: int) -> SlotArrays:
    """Room for games side by side, which are to be dealt.

    Where the return of a position ends a game, there is room for one at each event that is chosen, and one more. The
    memory is used as far as games are long.
    """
    space, width = action_space(plan.game), plan.layout.width
    most = plan.kept(limit)
    counters, rules = (len(plan.game.counters), len(plan.game.rule_names)) if plan.tally else (0, 0)
    return allocate(
        SlotArrays,
        tables=(slots, plan.loops.table_type.itemsize),
        phases=slots,
        notes=(slots, notes_of(plan.game, plan.events).length),
        discarded=(slots, len(space.cards)),
        log=(slots, limit),
        decided=slots,
        actions=np.full(slots, DEAL),
        positions=(slots, most, plan.loops.position_bytes),
        marks=(slots, most),
        places=plan.loops.position_slots(slots, most),
        counts=(slots, plan.loops.position_counts),
        last_observations=(slots, width),
        observations=(slots, width),
        masks=(slots, len(space)),
        rewards=(slots, plan.players),
        ended=slots,
        truncated=slots,
        acting=slots,
        passed_over=slots,
        fired=(slots, counters),
        used=(slots, rules),
        deciders=(slots, plan.players),
        learned=slots,
    )


# ---------------------------------------------------------------- the program


def stepping(plan: AgentPlan) -> LoopProgram[AgentPlan]:
    """The program whose entry is `step`."""
    return LoopProgram(step, source_of, plan)


STEPPING = "write_mask", "run_to_decision"
"""The functions that step a game to the next decision of a seat without a policy."""


def source_of(plan: AgentPlan) -> Loops:
    """The source of the module whose `step` steps the games of a batch."""
    names = ", ".join(policy.name for policy in plan.policies) or "learning seats alone"
    return loops_of(plan, f"{plan.game.title} for {plan.players} players in batches, with {names}", step)


def loops_of(plan: AgentPlan, title: str, entry: Callable[..., Any]) -> Loops:
    """The source of a module whose function `entry` steps games to the decisions of seats without a policy."""
    called = (entry, note, keep_event) if plan.events else (entry, note)
    return Loops(plan.loops, title, STEPPING, constants_of(plan), plan.reward.functions(plan.game), called)


def arrays_of(game: Declaration) -> dict[str, Any]:
    """Arrays by card code, by action, and of the numbers of actions by code and value."""
    space, names, kinds = action_space(game), game.codec.notation.cards, kinds_by_code(game)
    found: dict[str, Any] = {
        "KIND": np.array(kinds),
        "MEANT": np.array([sum(1 << code for code in space.codes(number)) for number in range(len(space))]),
        "VALUES": np.array([action.value for action in space]),
    }
    codes, numbers = range(NO_VALUE, max(len(kinds), 64)), list[Any]()
    for trigger in space.triggers:  # by card code, -1 first, a row of values, -1 first
        values = range(NO_VALUE, space.values_of(trigger) - 1)
        rows = [space.number_of(trigger, code, each) if code < len(names) else -1 for code in codes for each in values]
        numbers.append(np.array(rows))
    return found | {"NUMBERS": tuple(numbers)}


def places_of_values(game: Declaration) -> dict[str, Any]:
    """For each event the place of each code of a value among all that actions name, from no value on; -1 for none."""
    space, found = action_space(game), list[Any]()
    places = {named: place for place, named in enumerate(space.values)}
    for kind in map(game.value_kind, space.triggers):
        codes = range(NO_VALUE, kind.how_many(game.codec.notation, game.codec.most) if kind else 0)
        found.append(np.array([places.get((kind, code), -1) for code in codes]))
    return {"VALUE_PLACES": tuple(found)}


def constants_of(plan: AgentPlan) -> dict[str, Any]:
    """What the compiled functions read that step games to the decisions of learning seats."""
    game = plan.game
    rewarding = plan.reward.points(game)
    return (
        following(game, plan.events)
        | arrays_of(game)
        | (places_of_values(game) if plan.events else {})
        | {
            "ACTIONS": len(action_space(game)),
            "DECLARES_REWARDS": rewarding is not None,
            "LOST": tuple(
                int(np.float32(Reward.loss(plan.players, won)).view(np.int32)) for won in range(plan.players + 1)
            ),
            "WIDTH": plan.layout.width,
            "PHASES_SEEN": tuple(game.phase_numbers[game.phase_seen(phase, acts=False)] for phase in game.phases),
            "WON": int(np.float32(1).view(np.int32)),
            **({"game_rewards": rewarding} if rewarding else {}),
        }
    )


ILLEGAL_ACTION = program_of(first_illegal)
"""Finds the first slot with an illegal action, or -1 (actions, masks)."""


def fixed_seats(deciders: Sequence[int]) -> SeatArrays:
    """Return who plays where each seat has the same player in all games, as batches read it.

    deciders: that of each seat; LEARNING for one that learns.
    """
    players = len(deciders)
    learning = np.tile(np.array(deciders) == LEARNING, (players, 1)).astype(np.int64)
    return SeatArrays(learning, np.array(deciders)[:, None], np.full((players, 1), CERTAIN))
