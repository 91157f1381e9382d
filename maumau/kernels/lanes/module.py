"""The module of a kernel in LLVM text: deal, pass and results of all lanes at once, and the loop that refills lanes.

Memory of one kernel, the room, has the parts that `LaneMemory` lists. A block is as many games as there are lanes,
dealt at once; lanes take their games from it one by one. The text becomes machine code for this processor, a lesser
one, or another machine.

The schedule of a pass is the steps in which events are fired. The order of the steps decides only how many events a
pass fires, never which, because each step fires the event that the machine would fire. So any schedule gives the same
results, and the one of the fewest passes is chosen.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fsm.declaration.arcs import Phase, Policy
from fsm.declaration.declaration import Declaration
from fsm.stepping.game import game_of
from maumau.kernels.compiler.objects import NEAR, llvm, object_code, target_machine
from maumau.kernels.compiler.program import KernelPlan
from maumau.kernels.lanes.driver import ID, OWN, LaneLayout, LaneMemory, driver
from maumau.kernels.lanes.firing import PassStep, Schedule
from maumau.kernels.lanes.graph import MAX_DEPTH
from maumau.kernels.lanes.intervals import within
from maumau.kernels.lanes.nodes import range_of
from maumau.kernels.lanes.passes import (
    DICE,
    Deal,
    LaneResults,
    Pass,
    given_deal,
    outcome_of,
    reached,
    shuffled_deal,
    traced_pass,
)
from maumau.kernels.lanes.ranges import Ranges, prove, ranges_of
from maumau.kernels.lanes.request import (
    NEON,
    Request,
    Target,
    UntraceableError,
)
from maumau.kernels.lanes.widths import WIDEST, planar_facts, widths
from maumau.kernels.lanes.writer import Writer

MIN_EVENTS = 5.75
"""Events of a game on average, at least. Games of 5.9 events are 1.0 to 3.4 times as fast in lanes as in the scalar
kernel, and games of 5.6 events 0.8 times: lanes deal and refill more often than they play.
"""
SAMPLE, MOST_EVENTS = 16, 1000
"""Games that are stepped to learn how long games are, and events of each, at most."""
RECURSION = 10 * MAX_DEPTH
"""Nested calls of the functions that follow a row of operations from its end, several for each operation."""


Event = tuple[Phase, str]


def schedules_of(game: Declaration) -> Iterator[Schedule]:
    """The schedules to choose from: the choices of players first, then what is forced; and one event that is chosen, as
    that of drawing a card, then what is forced, then all other choices.
    """
    acting = [phase for phase in game.phases if phase not in (game.initial, game.final)]
    offered = {phase: {offer.trigger for offer in game.control[phase].offers} for phase in acting}
    forcing = tuple(
        phase for phase in acting if any(game.leaving(phase, trigger) for trigger in game.control[phase].forced)
    )
    events = sorted(set().union(*offered.values()))

    def choices(some: Sequence[str]) -> Schedule:
        phases = tuple(phase for phase in acting if not offered[phase].isdisjoint(some))
        only = None if len(some) == len(events) else frozenset(some)
        return (PassStep(phases, forces=False, chooses=True, only=only),) * bool(phases)

    forced = (PassStep(forcing, forces=True, chooses=False),) * bool(forcing)
    yield choices(events) + forced
    for event in events if len(events) > 1 and forcing else ():
        yield choices([event]) + forced + choices([other for other in events if other != event])


def sampled(game: Declaration, players: int, policies: tuple[Policy, ...]) -> tuple[list[list[Event]], int, set[str]]:
    """The events of some games but the first, each with the phase in which it was fired; the most turns of one; and the
    facts that were negative.

    The policies change their seats from game to game.
    """
    kind, found, longest, negative = game_of(game), [], 0, set[str]()
    numbers = [name for name, value in game.defaults.items() if isinstance(value, int)]
    for number in range(SAMPLE):
        seated = [policies[(number + seat) % len(policies)].name for seat in range(players)]
        played, events = kind.deal(players, 0, number, seated), list[Event]()
        while played.phase is not game.final and len(events) < MOST_EVENTS:
            step = played.step()
            events.append((step.source, step.trigger))
            negative |= {name for name in numbers if getattr(played.table, name) < 0}
        longest = max(longest, int(played.table.turns))
        found.append(events[1:])
    return found, longest, negative


def passes_of(game: Declaration, schedule: Schedule, games: Sequence[Sequence[Event]]) -> int:
    """How many passes play the events of some games."""
    passes = 0
    for events in games:
        at = 0
        while at < len(events):
            before = at
            for step in schedule:
                at += at < len(events) and _fires(game, step, *events[at])
            assert at > before, events[at]
            passes += 1
    return passes


def _fires(game: Declaration, step: PassStep, phase: Phase, trigger: str) -> bool:
    if phase not in step.phases:
        return False
    return step.forces if trigger in game.control[phase].forced else step.chosen(trigger)


# ---------------------------------------------------------------- modules


MAX_CARDS = 64
"""The shuffle selects among all places of the deck, so its cost grows with the square of the cards."""
MAX_SEATS = 7
"""A hand is selected among all seats, by a comparison and a choice for each, and all hands are kept in registers."""


MOST_WORK = 45
"""What a pass computes for a lane, at most, where seats have different policies: the choices of all of them."""


MOST_ACCESSES = 24
"""How often a pass in which rounds of a `while` are computed reads and changes rows, at most. Durak does 139 times, and
lanes played 0.3 times as fast as the scalar kernel.
"""


@dataclass(frozen=True)
class LaneModule:
    """text: LLVM. head: what its users have to know, as of `LaneKernel`, with the columns of `ByValue`."""

    text: str
    head: Mapping[str, Any]


def module_of(request: Request, schedule: Schedule | None = None) -> LaneModule:
    """The kernel of a game. Raises UntraceableError where it cannot be played in lanes."""
    game, players, policies = request.game, request.players, request.policies
    steps, deal, ranges, found, outcome = traced(
        game, players, policies, schedule, marks=request.marks, rounds=request.rounds
    )
    check_rounds(request.rounds, found)
    check_work(policies, found, request.target)
    if request.tally:
        known = ranges.facts, ranges.rows, ranges.bounds
        found = traced_pass(game, policies, steps, *known, tally=True, rounds=request.rounds)
        prove(ranges, deal, found)
    facts = found.needed(outcome.facts_read)
    planar, lanes = planar_facts(found), request.target.lanes
    memory = LaneMemory(
        request.target,
        LaneLayout.of(lanes, OWN, {name: ranges.facts[name] for name in facts}, planar),
        LaneLayout.of(
            2 * lanes, {ID: OWN[ID]}, {name: ranges.facts[name] for name in sorted(outcome.facts_read)}, planar
        ),
        {name: row.length for name, row in found.rows.items()},
        {node.args[place] for node in found.graph.stores if node.op == "move" for place in (0, 3)},
    )
    writer = Writer(request, memory, ranges, planar)
    writer.passes(found)
    writer.keep_results(outcome)
    writer.keep_marks(outcome)
    writer.count_values(outcome)
    writer.deal(deal, given=True)
    shuffled = _shuffled(request)
    if shuffled:
        for name, value in shuffled.facts.items():
            if not within(span := range_of(value), ranges.entry[name]):
                raise UntraceableError(f"a shuffled deal gives {name} from {span[0]} to {span[1]}")
        writer.deal(shuffled, given=False)
    deals, final = shuffled is not None, game.phase_numbers[game.final]
    body = "\n".join([*sorted(writer.declarations), *writer.functions, *driver(memory, final, deals=deals)])
    rolls, columns = not set(DICE).isdisjoint(facts), list(outcome.by_value.columns)
    head = {"room": memory.size, "deals": deals, "rolls": rolls, "columns": columns, "rounds": request.rounds}
    return LaneModule(body, head)


def check_rounds(rounds: int, found: Pass) -> None:
    """Raise UntraceableError if rounds of a `while` are computed that read or change rows too often."""
    accesses = len([node for node in found.graph.nodes if node.op in ("load", "store", "move")])
    if rounds and accesses > MOST_ACCESSES:
        raise UntraceableError(f"loops read or change rows {accesses} times, which costs more than lanes save")


def check_work(policies: tuple[Policy, ...], found: Pass, target: Target) -> None:
    """Raise UntraceableError if a pass of different policies computes more bytes of registers than lanes save."""
    if len(policies) == 1:
        return
    roots = [*found.after.values(), *found.graph.stores, *(mask for mask, _ in found.graph.violations)]
    bits = widths(reached(roots, found.graph.nodes), [(value, WIDEST) for value in found.after.values()])
    work = sum(bits.values()) // 8
    if work > MOST_WORK * target.lanes:
        cost = f"the choices of different policies need {work:,} bytes of registers"
        raise UntraceableError(f"{cost}, which cost more than {target.lanes} lanes save")


def traced(
    game: Declaration,
    players: int,
    policies: tuple[Policy, ...],
    schedule: Schedule | None = None,
    *,
    marks: bool = False,
    rounds: int = 0,
) -> tuple[Schedule, Deal, Ranges, Pass, LaneResults]:
    """The graphs of a game, with the ranges of its facts; nothing is counted. schedule: without one, that of the fewest
    passes. marks, rounds: as of `Request`.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION))
    if KernelPlan(game, policies).keeps_positions:
        raise UntraceableError("a position that returns ends the game, and only the scalar kernel keeps all positions")
    if players > MAX_SEATS:  # the scalar kernel is faster
        raise UntraceableError(f"the hands of more than {MAX_SEATS} seats do not fit into the registers")
    deal = given_deal(game, players, policies)
    games, longest, negative = sampled(game, players, policies)
    if (mean := sum(map(len, games)) / len(games)) < MIN_EVENTS:
        raise UntraceableError(f"games end after {mean:.1f} events on average, and dealing them costs more")
    steps = schedule or min(schedules_of(game), key=lambda steps: passes_of(game, steps, games))
    ranges, found = ranges_of(game, players, policies, steps, deal, longest, negative, rounds)
    return steps, deal, ranges, found, outcome_of(game, players, ranges.facts, marks=marks)


def _shuffled(request: Request) -> Deal | None:
    """The deal of decks of a seed; None where other code must shuffle."""
    if request.dealing and request.game.deck_size <= MAX_CARDS:
        with suppress(UntraceableError):
            return shuffled_deal(request.game, request.players, request.policies)
    return None


# ---------------------------------------------------------------- machine code


def code_of(module: LaneModule, target: Target) -> bytes:
    """The object file of a kernel for this machine."""
    return arm_of(module) if target is NEON else object_code(module.text, machine_of(target), _inlined)


def machine_of(target: Target) -> Any:
    """LLVM's target machine for an x86-64 processor."""
    return target_machine(model=target.model, features=target.features, **NEAR)


def _inlined(module: Any, target: Any) -> None:
    """Put functions in the place of their calls that are to be there.

    What is left to optimize is little, as equal operations are one in a graph. All passes together take ten times as
    long, and the code that they make plays no faster.
    """
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(0))
    passes = builder.getModulePassManager()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, builder)


# ---------------------------------------------------------------- other machines


def arm_of(module: LaneModule) -> bytes:
    """An object file for Linux on 64-bit Arm with the same function, and the bytes that it needs as constant `room`."""
    arm = target_machine(NEON.triple, NEON.model, reloc="pic")
    return object_code(f"@room = constant i64 {module.head['room']}\n{module.text}", arm, _inlined)


def arm_file(game: Declaration, players: int, policy: Policy, dealing: bool = True) -> bytes:
    """The kernel for 64-bit Arm. dealing: whether it shuffles; else decks must be given. Raises UntraceableError."""
    return arm_of(module_of(Request(game, players, (policy,), dealing=dealing, target=NEON)))
