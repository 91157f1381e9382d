"""The main loop of a kernel: a block for each phase, with the arcs of its events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import indent
from typing import TypeVar

from fsm.declaration.arcs import Arc, Phase
from fsm.declaration.chain import Counter
from fsm.declaration.functions import FORCED
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiler.choosing import choosing
from maumau.kernels.compiler.naming import mention
from maumau.kernels.compiler.plan import Plan, naming_of, namings
from maumau.kernels.compiler.text import case, conjunction, either
from rules.rule import RuleFunction

Guarded = TypeVar("Guarded", Arc, Counter)
Candidate = tuple[Guarded, dict[RuleFunction, bool]]
"""An arc that may be enabled or a counter that may apply, and the answers of guards that it needs for that."""


def run_source(plan: Plan, name: str = "run", waits: Sequence[Phase] = ()) -> str:
    """The function `run`, which steps a table.

    name: another name for it. waits: the phases in which it stops because something is done outside of it; else it
    stops where a position may return, or in any phase if none may.
    """
    stops = waits or plan.returning or plan.phases
    blocks = "\n".join(_phase(plan, number, phase, phase in stops) for number, phase in enumerate(plan.phases))
    before = "    arc = -1\n    player = head = rule = played = 0\n" * plan.log
    return f'''def {name}(table, phase, stops, seats, weight, fired, used, log, logged):
    """Step `table` from `phase` to the end, or to a stop: where a position may return, after `stops` such places: the
    phase there, and how many events are written down.
    """
{before}    while True:
{indent(NOTING * plan.log + blocks, " " * 8)}'''


NOTING = """\
if arc >= 0:
    logged = note(log, logged, arc, player, table, played, head, rule)
player, head = table.player, table.head
"""


def _phase(plan: Plan, number: int, phase: Phase, stops: bool) -> str:
    condition = f"{'if' if number == 0 else 'elif'} phase == {number}:  # {phase}"
    if phase is plan.game.final:
        return f"{condition}\n    {plan.leaves('phase')}"
    return f"{condition}\n{indent(chr(10).join(_acting(plan, phase, stops)), '    ')}"


def _acting(plan: Plan, phase: Phase, stops: bool) -> Iterator[str]:
    """The statements of a phase: the limit, forced events, then the player's choice and the arcs of what is chosen."""
    control = plan.game.control[phase]
    if stops:
        yield f"if stops == 0:\n    {plan.leaves('phase')}\nstops -= 1"
    if control.forced:
        forced = [arc for trigger in control.forced for arc in plan.game.leaving(phase, trigger)]
        yield arcs_source(plan, forced, str(FORCED), certain=not control.offers)
    if control.offers:
        yield from choosing(plan, phase, control)
        for index, offer in enumerate(control.offers):
            chain = arcs_source(
                plan, plan.game.leaving(phase, offer.trigger), "rule", certain=True, one_enabled=not plan.log
            )
            word = case(index, len(control.offers), f"event == {index}")
            yield f"{word}:  # {offer.trigger}\n{indent(chain, '    ')}"


def arcs_source(plan: Plan, arcs: Sequence[Arc], rule: str, certain: bool, one_enabled: bool = False) -> str:
    """Statements that fire the first enabled one of `arcs`. certain: one must be, else the kernel is stuck.

    The arcs of an event share guards, and exclude each other by them; so the guards are evaluated as a decision tree:
    the most selective guard first, each at most once. one_enabled: it is known that one of the arcs is enabled; then
    guards with the same answer for all remaining arcs are not evaluated.
    """
    candidates = [(arc, dict.fromkeys(arc.when, True) | dict.fromkeys(arc.unless, False)) for arc in arcs]
    return "\n".join(_asking(plan, candidates, rule, certain, one_enabled))


def _asking(plan: Plan, candidates: list[Candidate[Arc]], rule: str, certain: bool, one_enabled: bool) -> list[str]:
    """The statements for the arcs that are still possible, each with the answers that it still wants."""
    if one_enabled:
        candidates = settled(plan, candidates)
    if not candidates:
        return [plan.leaves(STUCK)] if certain else []
    first, answers = candidates[0]
    if not answers:
        return list(_fire(plan, first, rule, leave=not certain))
    asked = [guard for _, answers in candidates for guard in answers]
    guard = max(asked, key=asked.count)
    yes = _asking(plan, after(plan, candidates, guard, True), rule, certain, one_enabled)
    no = _asking(plan, after(plan, candidates, guard, False), rule, certain, one_enabled)
    spec = f"{mention(guard)}(table)"
    if any(answers.get(guard) for _, answers in candidates):
        return either(spec, yes, no)
    return either(f"not {spec}", no, yes)


def settled(plan: Plan, candidates: list[Candidate[Guarded]]) -> list[Candidate[Guarded]]:
    """The arcs without the answers that all of them want: one of them is enabled, so these are given."""
    for guard, answer in candidates[0][1].items() if candidates else ():
        if all(answers.get(guard) is answer for _, answers in candidates):
            candidates = after(plan, candidates, guard, answer)
    return candidates


def after(
    plan: Plan, candidates: list[Candidate[Guarded]], guard: RuleFunction, answer: bool
) -> list[Candidate[Guarded]]:
    """The arcs that are possible after `guard` gave an answer, with what they still want to know."""
    known = {guard: answer}
    if answer:
        known |= {
            other: False for group in plan.game.disjoint if guard in group for other in group if other is not guard
        }
    return [
        (arc, {asked: wish for asked, wish in answers.items() if asked not in known})
        for arc, answers in candidates
        if all(answers.get(question, fact) == fact for question, fact in known.items())
    ]


def _fire(plan: Plan, arc: Arc, rule: str, leave: bool) -> Iterator[str]:
    """The statements that fire an arc. leave: go on with the next phase at once."""
    if plan.tally:
        yield from _count(plan, arc)
    yield from (f"{mention(callback)}(table)" for callback in arc.then)
    yield from plan.noted(arc)
    if plan.log:
        yield f"arc, played = {plan.game.arcs.index(arc)}, {_named(plan, arc)}"
        if rule == str(FORCED):
            yield f"rule = {rule}"
    yield f"phase = {plan.phases.index(arc.dest)}  # {arc.dest}"
    if leave:
        yield "continue"


def _count(plan: Plan, arc: Arc) -> Iterator[str]:
    """The statements that count an arc before it is fired."""
    counts = [
        (conjunction(counter.when), f"fired[{number}] += weight")
        for number, counter in enumerate(plan.game.counters)
        if counter.arc == arc
    ]
    if len(counts) == 1:
        yield counts[0][1]
        return
    for index, (holds, statement) in enumerate(counts):
        yield f"{case(index, len(counts), holds)}:"
        yield f"    {statement}"


def _named(plan: Plan, arc: Arc) -> int:
    """The number of what is named with the event of an arc; 0 for nothing."""
    offers = [offer for offer in plan.game.control[arc.source].offers if offer.trigger == arc.trigger]
    naming = naming_of(plan.game, offers[0]) if offers else None
    return 1 + namings(plan.game).index(naming) if naming else 0
