"""The main loop of a kernel: a block for each phase, in which players choose and arcs are fired."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import indent
from typing import TypeVar

from fsm.declaration.arcs import Arc, Choice, Control, Offer, Phase, Policy
from fsm.declaration.chain import Counter
from fsm.declaration.declaration import FORCED
from fsm.declaration.policy import DICE, RANDOM_LEGAL_CARD
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiler.program import Plan, case, conjunction, either, mention, naming_of, namings
from rules.chance import below
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
    return "\n".join(_asking(plan, candidates_of(arcs), rule, certain, one_enabled))


def candidates_of(arcs: Iterable[Guarded]) -> list[Candidate[Guarded]]:
    """Arcs or counters with the answers that they want."""
    return [(arc, dict.fromkeys(arc.conditions, True) | dict.fromkeys(arc.unless, False)) for arc in arcs]


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
    yield from (f"{mention(callback)}(table)" for callback in arc.before)
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
        (conjunction(counter.conditions), f"fired[{number}] += weight")
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


# ---------------------------------------------------------------- how players choose


def choosing(plan: Plan, phase: Phase, control: Control) -> Iterator[str]:
    """Statements that set `event` to the index of the chosen offer, and put the card and the value on the table."""
    blocks = [policy_source(plan, phase, control, policy) for policy in plan.policies]
    if len(blocks) == 1:
        yield blocks[0]
        return
    for index, block in enumerate(blocks):
        word = case(index, len(blocks), f"seats[table.player] == {index}")
        yield f"{word}:  # {plan.policies[index].name}\n{indent(block, '    ')}"


def policy_source(plan: Plan, phase: Phase, control: Control, policy: Policy) -> str:
    """Statements by which a policy chooses in a phase."""
    if policy.choices:
        return _choices(plan, control, policy.choices[phase])
    name = str(phase).replace("-", "_")
    laying = policy is RANDOM_LEGAL_CARD and _mixed(control)
    lines = ["chosen = 0"]
    if policy in DICE:
        lines += [
            f"laying = count_laying_{name}(table)" if laying else "",
            f"count = laying if laying > 0 else count_{name}(table)" if laying else f"count = count_{name}(table)",
            "if count > 1:",
            f"    chosen = {mention(below)}(count, table.seed, table.number, table.rolls)",
            "    table.rolls += 1",
        ]
    picks = f"event = pick_{name}(table, chosen)"
    lines += [f"if laying > 0:\n    event = pick_laying_{name}(table, chosen)\nelse:\n    {picks}" if laying else picks]
    lines += [f"if event == {STUCK}:", f"    {plan.leaves(STUCK)}"]
    return "\n".join(filter(None, [*lines, *_rule(plan, policy.name)]))


def _choices(plan: Plan, control: Control, choices: Sequence[Choice]) -> str:
    """The decision rules of a phase as one chain."""
    lines = []
    offers = [offer.trigger for offer in control.offers]
    for index, choice in enumerate(choices):
        body = [f"event = {offers.index(choice.trigger)}"]
        if choice.card:
            body.append(f"table.card = {mention(choice.card)}(table)")
        if choice.card or choice.value:
            value = f"{mention(choice.value)}(table)" if choice.value else "-1"
            body.append(f"table.{plan.game.value_kind(choice.trigger)} = {value}")
        text = "\n".join([*body, *_rule(plan, choice.rule)])
        condition = conjunction(choice.conditions)
        if not condition and index == 0:
            return text
        word = f"{'if' if index == 0 else 'elif'} {condition}" if condition else "else"
        lines.append(f"{word}:  # {choice.rule}\n{indent(text, '    ')}")
    return "\n".join(lines)


def _rule(plan: Plan, name: str) -> list[str]:
    """Statements that keep which decision rule was used, as far as the kernel does."""
    number = plan.rules.index(name)
    return [f"used[{number}] += weight"] * plan.tally + [f"rule = {number}"] * plan.log


Offers = Sequence[tuple[int, Offer]]
"""Offers with their places in the phase."""


def moves_functions(plan: Plan) -> Iterator[str]:
    """For policies without rules: functions that count the legal moves of a phase and put one on the table."""
    if all(policy.choices for policy in plan.policies):
        return
    for phase, control in plan.game.control.items():
        if not control.offers:
            continue
        name = str(phase).replace("-", "_")
        arcs = {offer.trigger: plan.game.leaving(phase, offer.trigger) for offer in control.offers}
        offers = list(enumerate(control.offers))
        yield _count_function(name, offers, arcs)
        yield _pick_function(plan, name, offers, arcs)
        if RANDOM_LEGAL_CARD in plan.policies and _mixed(control):
            laying = [(index, offer) for index, offer in offers if offer.lays]
            yield _count_function(f"laying_{name}", laying, arcs)
            yield _pick_function(plan, f"laying_{name}", laying, arcs)


def _mixed(control: Control) -> bool:
    """Whether cards may be laid in a phase, or something else be done."""
    return len({offer.lays for offer in control.offers}) > 1


def any_enabled(arcs: Sequence[Arc]) -> str:
    """The condition that one of some arcs is enabled."""
    return " or ".join(f"({conjunction(arc.conditions, arc.unless) or 'True'})" for arc in arcs)


def each_card(offer: Offer) -> str:
    """The head of a loop over the cards of an offer, which puts each on the table and finds its values."""
    assert offer.cards is not None
    suits = f"{mention(offer.values)}(table)" if offer.values else "0"
    return f"""cards = {mention(offer.cards)}(table)
while cards != 0:
    table.card = (cards & -cards).bit_length() - 1
    suits = {suits}
    cards &= cards - 1"""


def each_value(offer: Offer) -> str:
    """The statement that finds the values of an offer without cards."""
    assert offer.values is not None
    return f"values = {mention(offer.values)}(table)"


def _count_function(name: str, offers: Offers, arcs: dict[str, tuple[Arc, ...]]) -> str:
    lines = ["card = table.card", "count = 0"]
    for _, offer in offers:
        if offer.cards:
            lines += [each_card(offer), "    count += max(suits.bit_count(), 1)", "table.card = card"]
        elif offer.values:
            lines += [each_value(offer), "count += values.bit_count()"]
        else:
            lines += [f"if {any_enabled(arcs[offer.trigger])}:", "    count += 1"]
    body = indent("\n".join([*lines, "return count"]), "    ")
    return f'def count_{name}(table):\n    """How many moves are legal."""\n{body}'


def _pick_function(plan: Plan, name: str, offers: Offers, arcs: dict[str, tuple[Arc, ...]]) -> str:
    lines = ["card = table.card"]
    for index, offer in offers:
        field = f"table.{plan.game.value_kind(offer.trigger)}"
        if offer.cards:
            lines += [
                each_card(offer),
                "    if chosen < max(suits.bit_count(), 1):",
                "        for _ in range(chosen):",
                "            suits &= suits - 1",
                f"        {field} = (suits & -suits).bit_length() - 1",
                f"        return {index}",
                "    chosen -= max(suits.bit_count(), 1)",
                "table.card = card",
            ]
        elif offer.values:
            lines += [
                each_value(offer),
                "if chosen < values.bit_count():",
                "    for _ in range(chosen):",
                "        values &= values - 1",
                f"    {field} = (values & -values).bit_length() - 1",
                f"    return {index}",
                "chosen -= values.bit_count()",
            ]
        else:
            lines += [
                f"if {any_enabled(arcs[offer.trigger])}:",
                "    if chosen == 0:",
                f"        return {index}",
                "    chosen -= 1",
            ]
    body = indent("\n".join([*lines, f"return {STUCK}"]), "    ")
    description = '"""Put legal move `chosen` on the table; the place of its offer."""'
    return f"def pick_{name}(table, chosen):\n    {description}\n{body}"
