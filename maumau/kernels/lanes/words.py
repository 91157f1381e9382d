"""Lanes in lines for people: which kernel plays a game and why, and what a pass computes, operation by operation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import Notify
from maumau.kernels.lanes.firing import Schedule
from maumau.kernels.lanes.intervals import width_of
from maumau.kernels.lanes.kernel import lane_kernel
from maumau.kernels.lanes.module import check_work, module_of, traced
from maumau.kernels.lanes.nodes import Operation, Value
from maumau.kernels.lanes.passes import LaneResults, Pass, reached
from maumau.kernels.lanes.ranges import PASSES, Ranges
from maumau.kernels.lanes.request import X86, Request, UntraceableError, best, lacking, why_no_lanes
from rules.notation import many


def explained(
    game: Declaration, policies: tuple[Policy, ...], numbers: Iterable[int], notify: Notify | None = None
) -> Iterator[str]:
    """Which kernel plays a game, for some numbers of players: the ranges of the facts, or what stands in the way.

    How many games leave the lanes is known when they are compiled, unless this machine has none. notify: called with
    one line when they have to be.
    """
    no_lanes = why_no_lanes()
    yield f"the scalar kernel plays: {no_lanes}" if no_lanes else _instructions()
    for some in dict.fromkeys([*((policy,) for policy in policies), policies]):
        for players in numbers:
            named = f"policies {' and '.join(policy.name for policy in some)}" if some[1:] else f"policy {some[0].name}"
            head = f"{many(players, 'player')}, {named}"
            request = Request(game, players, some, dealing=False, marks=bool(game.look.marks))
            try:
                facts = list(_facts(request))
            except UntraceableError as error:
                yield f"{head}: the scalar kernel, {error}"
                continue
            try:
                rounds = 0 if no_lanes else lane_kernel(request, notify).rounds
            except UntraceableError as error:
                yield f"{head}: the scalar kernel, {error}"
            else:
                yield f"{head}: in lanes"
                facts = list(_facts(replace(request, rounds=rounds))) if rounds else facts
            yield from (f"    {line}" for line in facts)


def _instructions() -> str:
    """Which instructions this processor is asked for, and what it lacks for more games at once."""
    target = best()
    wider = X86[: X86.index(target)] if target in X86 else ()
    reasons = "".join(f"; it lacks {', '.join(lacking(each))} for {each.lanes} with {each.name}" for each in wider)
    return f"{target.lanes} games at once: this processor has {target.name}{reasons}"


def _facts(request: Request) -> Iterator[str]:
    """The facts of a running game with their ranges. Raises UntraceableError."""
    steps, _, ranges, found, outcome = traced(request.game, request.players, request.policies, rounds=request.rounds)
    check_work(request.policies, found, request.target)
    yield from _steps_and_facts(steps, ranges, found, outcome)
    for what in dict.fromkeys(what for _, what in found.graph.violations):
        yield f"a game leaves the lanes if {what}"


def _steps_and_facts(steps: Schedule, ranges: Ranges, found: Pass, outcome: LaneResults) -> Iterator[str]:
    """The steps of a pass, and the facts and rows of memory with their ranges."""
    for step in steps:
        what = "what is forced" if step.forces else "choices" if step.only is None else ", ".join(sorted(step.only))
        yield f"a step of a pass: {what}"
    for name in found.needed(outcome.facts_read):
        low, high = ranges.facts[name]
        limit = f"; compared with a limit after every {PASSES} passes" if name in ranges.limited else ""
        yield f"{name}: {low} to {high}, {width_of((low, high))} bits{limit}"
    for name, (low, high) in ranges.rows.items():
        yield f"{name}: {low} to {high}, in memory"


# ---------------------------------------------------------------- what a pass computes

SENTENCES = {
    "field": "{0} at the start of the pass",
    "both": "{0} and {1}",
    "either": "{0} or {1}",
    "not": "not {0}",
    "eq": "{0} = {1}",
    "lt": "{0} < {1}",
    "gt": "{0} > {1}",
    "select": "if {0} then {1} else {2}",
    "clamp": "if {0} then {1} else {2}",
    "add": "{0} + {1}",
    "sub": "{0} - {1}",
    "mul": "{0} * {1}",
    "div": "{0} // {1}",
    "mod": "{0} % {1}",
    "neg": "-{0}",
    "inv": "the other bits than {0}",
    "and": "the bits of both {0} and {1}",
    "or": "the bits of {0} or {1}",
    "xor": "the bits of one of {0} and {1}",
    "shl": "{0} shifted left by {1}",
    "shr": "{0} shifted right by {1}",
    "popcount": "how many bits {0} has",
    "length": "the place of the highest bit of {0}, from 1",
    "table": "entry {1} of {0}",
    "load": "{0}[{2}]",
    "store": "{0}[{2}] becomes {3} where {4}",
    "move": "{0} from {2} on becomes {6} elements of {3} from {5} on",
}
"""What an operation of a graph computes, of its arguments."""


def pictured(game: Declaration, policies: tuple[Policy, ...], players: int) -> Iterator[str]:
    """The pass that the lanes of a game compute, operation by operation, then the text for this processor.

    Raises UntraceableError where the game cannot be played in lanes.
    """
    module = module_of(Request(game, players, policies))
    steps, _, ranges, found, outcome = traced(game, players, policies)
    named = " and ".join(policy.name for policy in policies)
    yield f"{game.title}, {many(players, 'player')}, {named}: {best().lanes} games at once with {best().name}"
    yield "\nThe facts of each game, and the steps of a pass:"
    yield from (f"  {line}" for line in _steps_and_facts(steps, ranges, found, outcome))
    facts = found.needed(outcome.facts_read)
    yield "\nA pass (? is yes or no, # a number; every operation is computed for all games at once):"
    yield from (f"  {line}" for line in _operations(found, facts))
    yield "\nAfter the pass:"
    yield from (f"  {name} is {_name(found.after[name])}" for name in facts if found.after[name] != found.before[name])
    yield from (f"  a game leaves the lanes where {_name(mask)}: {what}" for mask, what in found.graph.violations)
    yield f"\nThe text for this processor, in the language of LLVM:\n\n{module.text}"


def _operations(found: Pass, facts: list[str]) -> Iterator[str]:
    """The operations of a pass in their order."""
    roots = [found.after[name] for name in facts]
    roots += [*found.graph.stores, *(mask for mask, _ in found.graph.violations)]
    for node in reached(roots, found.graph.nodes):
        text = SENTENCES[node.op].format(*map(_name, node.args))
        if node.op in ("store", "move"):
            yield text
        else:
            low, high = node.values
            yield f"{_name(node)}: {text}" + ("" if node.is_mask else f" ({low} to {high})")


def _name(value: Value | tuple[int, ...] | str) -> str:
    """A node by its number; a constant, a name or a table of constants as it stands."""
    if isinstance(value, Operation):
        return f"{'?' if value.is_mask else '#'}{value.number}"
    return f"({', '.join(map(str, value))})" if isinstance(value, tuple) else str(value)
