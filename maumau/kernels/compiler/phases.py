"""The main loop of a kernel: a block for each phase, in which players choose and arcs are fired."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from textwrap import indent
from typing import TypeVar

from fsm.declaration.arcs import Arc, Choice, Control, Offer, Phase, Policy
from fsm.declaration.chain import Counter
from fsm.declaration.declaration import FORCED, Declaration
from fsm.declaration.facts import NO_VALUE
from fsm.declaration.policy import DICE, RANDOM_LEGAL_CARD
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiler.program import (
    KernelPlan,
    cases,
    conjunction,
    either,
    mention,
    naming_of,
    namings,
    numbered,
)
from rules.chance import below
from rules.rule import RuleFunction
from rules.table import card_taken, copy_taken

Guarded = TypeVar("Guarded", Arc, Counter)
Candidate = tuple[Guarded, dict[RuleFunction, bool]]
"""An arc that may be enabled or a counter that may apply, and the answers of guards that it needs for that."""


def run_source(plan: KernelPlan, name: str = "run", waits: Sequence[Phase] = ()) -> str:
    """The function `run`, which steps a table.

    name: another name for it. waits: the phases in which it stops because something is done outside of it; else it
    stops where a position may return, or in any phase if none may.
    """
    stops = waits or plan.returning or plan.game.phases
    blocks = numbered(
        "phase", ((phase, _acting(plan, phase, phase in stops)) for phase in plan.game.phases), certain=False
    )
    before, noting = _noting(plan.game) if plan.log else ("", "")
    return f'''def {name}(table, phase, stops, seats, weight, fired, used, log, logged):
    """Step `table` from `phase` to the end, or to a stop: where a position may return, after `stops` such places: the
    phase there, and how many events are written down.
    """
{before}    while True:
{indent(noting + blocks, " " * 8)}'''


def _noting(game: Declaration) -> tuple[str, str]:
    """Statements before all events, and before each: the last one is written down, what the next may change is kept."""
    taken = f"{mention(card_taken)}(table, player, head)"
    if game.copies_held:
        gained = " | ".join(f"table.{name}[player] & ~{name}" for name in game.copies_held)
        taken = f"{mention(copy_taken)}(table, {gained}, head)"
    hands = "".join(f"{name} = table.{name}[player]\n" for name in game.copies_held)
    blank = " = ".join(("player", "head", "rule", "played", *game.copies_held))
    noting = f"""\
if arc >= 0:
    logged = note(log, logged, arc, player, table, played, {taken}, rule)
player, head = table.player, table.head
{hands}"""
    return f"    arc = -1\n    {blank} = 0\n", noting


def _acting(plan: KernelPlan, phase: Phase, stops: bool) -> Iterator[str]:
    """The statements of a phase: the limit, forced events, then the player's choice and the arcs of what is chosen."""
    if phase is plan.game.final:
        yield plan.leaves("phase")
        return
    control = plan.game.control[phase]
    if stops:
        yield f"if stops == 0:\n    {plan.leaves('phase')}\nstops -= 1"
    yield forced_source(plan, phase)
    if control.offers:
        yield choosing(plan, phase)
        yield numbered(
            "event", ((offer.trigger, [chosen_source(plan, phase, offer, "rule")]) for offer in control.offers)
        )


def forced_arcs(game: Declaration, phase: Phase) -> list[Arc]:
    """The arcs of the events that are forced in a phase."""
    return [arc for trigger in game.control[phase].forced for arc in game.leaving(phase, trigger)]


def forced_source(plan: KernelPlan, phase: Phase, rule: str = str(FORCED)) -> str:
    """Statements that fire what is forced in a phase."""
    forced, certain = forced_arcs(plan.game, phase), not plan.game.control[phase].offers
    return arcs_source(plan, forced, rule, certain) if forced else ""


def chosen_source(plan: KernelPlan, phase: Phase, offer: Offer, rule: str = "0") -> str:
    """Statements that fire the arc of what is chosen in a phase: one is enabled. rule: the decision rule."""
    return arcs_source(plan, plan.game.leaving(phase, offer.trigger), rule, certain=True, one_enabled=not plan.log)


def arcs_source(plan: KernelPlan, arcs: Sequence[Arc], rule: str, certain: bool, one_enabled: bool = False) -> str:
    """Statements that fire the first enabled one of `arcs`. certain: one must be, else the kernel is stuck.

    The arcs of an event share guards, so these are evaluated as a decision tree: the most selective guard first, each
    at most once, and those not at all of which it is proved that they do not hold. one_enabled: it is known that one of
    the arcs is enabled; then guards with the same answer for all remaining arcs are not evaluated.
    """
    return "\n".join(_asking(plan, candidates_of(arcs), rule, certain, one_enabled))


def candidates_of(arcs: Iterable[Guarded]) -> list[Candidate[Guarded]]:
    """Arcs or counters with the answers that they want."""
    return [(arc, dict.fromkeys(arc.conditions, True) | dict.fromkeys(arc.unless, False)) for arc in arcs]


def _asking(
    plan: KernelPlan, candidates: list[Candidate[Arc]], rule: str, certain: bool, one_enabled: bool
) -> list[str]:
    """The statements for the arcs that are still possible, each with the answers that it still wants."""
    if one_enabled:
        candidates = settled(plan.game, candidates)
    if not candidates:
        return [plan.leaves(STUCK)] if certain else []
    first, answers = candidates[0]
    if not answers:
        return list(_fire(plan, first, rule, leave=not certain))
    guard = most_asked(candidates)
    yes = _asking(plan, after(plan.game, candidates, guard, True), rule, certain, one_enabled)
    no = _asking(plan, after(plan.game, candidates, guard, False), rule, certain, one_enabled)
    spec = f"{mention(guard)}(table)"
    if any(answers.get(guard) for _, answers in candidates):
        return either(spec, yes, no)
    return either(f"not {spec}", no, yes)


def most_asked(candidates: list[Candidate[Guarded]]) -> RuleFunction:
    """The guard whose answer most arcs want: the most selective one."""
    asked = [guard for _, answers in candidates for guard in answers]
    return max(asked, key=asked.count)


def settled(game: Declaration, candidates: list[Candidate[Guarded]]) -> list[Candidate[Guarded]]:
    """The arcs without the answers that all of them want: one of them is enabled, so these are given."""
    for guard, answer in candidates[0][1].items() if candidates else ():
        if all(answers.get(guard) is answer for _, answers in candidates):
            candidates = after(game, candidates, guard, answer)
    return candidates


def after(
    game: Declaration, candidates: list[Candidate[Guarded]], guard: RuleFunction, answer: bool
) -> list[Candidate[Guarded]]:
    """The arcs that are possible after `guard` gave an answer, with what they still want to know."""
    known = {guard: answer}
    if answer:
        known |= dict.fromkeys(game.excluded_by(guard), False)
    return [
        (arc, {asked: wish for asked, wish in answers.items() if asked not in known})
        for arc, answers in candidates
        if all(answers.get(question, fact) == fact for question, fact in known.items())
    ]


def _fire(plan: KernelPlan, arc: Arc, rule: str, leave: bool) -> Iterator[str]:
    """The statements that fire an arc. leave: go on with the next phase at once."""
    if plan.names_arcs:
        yield f"return {plan.game.arcs.index(arc)}  # {arc.trigger}"
        return
    if plan.tally:
        yield from _count(plan, arc)
    yield from (f"{mention(callback)}(table)" for callback in arc.before)
    yield from plan.noted(arc)
    if plan.log:
        yield f"arc, played = {plan.game.arcs.index(arc)}, {_named(plan, arc)}"
        if rule == str(FORCED):
            yield f"rule = {rule}"
    yield f"phase = {plan.game.phase_numbers[arc.dest]}  # {arc.dest}"
    if leave:
        yield "continue"


def _count(plan: KernelPlan, arc: Arc) -> list[str]:
    """The statements that count an arc before it is fired."""
    return cases(
        (conjunction(counter.conditions), "", [f"fired[{number}] += weight"])
        for number, counter in enumerate(plan.game.counters)
        if counter.arc is arc
    ).split("\n")


def _named(plan: KernelPlan, arc: Arc) -> int:
    """The number of what is named with the event of an arc; 0 for nothing."""
    offers = [offer for offer in plan.game.control[arc.source].offers if offer.trigger == arc.trigger]
    naming = naming_of(plan.game, offers[0]) if offers else None
    return 1 + namings(plan.game).index(naming) if naming else 0


# ---------------------------------------------------------------- how players choose


def choosing(plan: KernelPlan, phase: Phase, learning: Sequence[str] = ()) -> str:
    """Statements that set `event` to the index of the chosen offer, and put the card and the value on the table.

    learning: those for a seat that learns, which comes before those with policies.
    """
    blocks = [("learns", [text]) for text in learning]
    blocks += [(policy.name, [policy_source(plan, phase, policy)]) for policy in plan.policies]
    return numbered("seats[table.player]", blocks)


def policy_source(plan: KernelPlan, phase: Phase, policy: Policy) -> str:
    """Statements by which a policy chooses in a phase."""
    control = plan.game.control[phase]
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


def _choices(plan: KernelPlan, control: Control, choices: Sequence[Choice]) -> str:
    """The decision rules of a phase as one chain."""
    blocks = []
    offers = [offer.trigger for offer in control.offers]
    for choice in choices:
        body = [f"event = {offers.index(choice.trigger)}"]
        if choice.card:
            body.append(f"table.card = {mention(choice.card)}(table)")
        if choice.card or choice.value:
            value = f"{mention(choice.value)}(table)" if choice.value else "-1"
            body.append(f"table.{plan.game.value_kind(choice.trigger)} = {value}")
        blocks.append((conjunction(choice.conditions), choice.rule, [*body, *_rule(plan, choice.rule)]))
    return cases(blocks, certain=not choices[-1].conditions)


def _rule(plan: KernelPlan, name: str) -> list[str]:
    """Statements that keep which decision rule was used, as far as the kernel does."""
    number = plan.rules.index(name)
    return [f"used[{number}] += weight"] * plan.tally + [f"rule = {number}"] * plan.log


def moves_functions(plan: KernelPlan) -> Iterator[str]:
    """For policies without rules: functions that count the legal moves of a phase and put one on the table."""
    if all(policy.choices for policy in plan.policies):
        return
    for phase, control in plan.game.control.items():
        if not control.offers:
            continue
        name = str(phase).replace("-", "_")
        named = {name: list(enumerate(control.offers))}
        if RANDOM_LEGAL_CARD in plan.policies and _mixed(control):
            named[f"laying_{name}"] = [(index, offer) for index, offer in named[name] if offer.lays]
        for name, offers in named.items():
            where = plan.game, phase, offers
            yield _over_moves(*where, f"count_{name}(table)", "How many moves are legal.", _counted, "count")
            doc = "Put legal move `chosen` on the table; the place of its offer."
            yield _over_moves(*where, f"pick_{name}(table, chosen)", doc, _picked, str(STUCK))


def _mixed(control: Control) -> bool:
    """Whether cards may be laid in a phase, or something else be done."""
    return len({offer.lays for offer in control.offers}) > 1


def any_enabled(arcs: Sequence[Arc]) -> str:
    """The condition that one of some arcs is enabled."""
    return " or ".join(f"({conjunction(arc.conditions, arc.unless) or 'True'})" for arc in arcs)


def each_move(
    game: Declaration, phase: Phase, offer: Offer, body: Callable[[str], str], before: Iterable[str] = ()
) -> Iterator[str]:
    """Statements for the legal moves of an offer.

    body: those for the moves with the card on the table, or without one: given the name of the mask of their values, or
    "" where none can be named. The mask is 0 for a card that is laid without a value. before: statements that come
    before the loop over the mask `cards`.
    """
    values = f"{mention(offer.values)}(table)" if offer.values else ""
    if offer.cards:
        yield f"cards = {mention(offer.cards)}(table)"
        yield from before
        yield "while cards != 0:\n    table.card = (cards & -cards).bit_length() - 1\n    cards &= cards - 1"
        yield indent(f"values = {values}\n{body('values')}" if values else body(""), "    ")
        yield "table.card = card"
    elif values:
        yield f"values = {values}\n{body('values')}"
    else:
        yield f"if {any_enabled(game.leaving(phase, offer.trigger))}:\n{indent(body(''), '    ')}"


def _moves_of(offer: Offer, values: str) -> str:
    """How many moves there are with a card, or without one."""
    if not values:
        return "1"
    return f"max({values}.bit_count(), 1)" if offer.cards else f"{values}.bit_count()"


def _over_moves(
    game: Declaration,
    phase: Phase,
    offers: Sequence[tuple[int, Offer]],
    head: str,
    doc: str,
    write: Callable[[Declaration, int, Offer, str], str],
    end: str,
) -> str:
    """A function with a loop over legal moves. offers: with their places in the phase. write: makes the statements for
    the moves of one, given the name of the mask of their values, or "".
    """
    lines = (each_move(game, phase, offer, partial(write, game, index, offer)) for index, offer in offers)
    text = "\n".join(["card = table.card", *["count = 0"] * (end == "count"), *chain.from_iterable(lines)])
    return f'def {head}:\n    """{doc}"""\n{indent(text, "    ")}\n    return {end}'


def _counted(game: Declaration, index: int, offer: Offer, values: str) -> str:
    """The statement that counts the moves with a card, or without one."""
    return f"count += {_moves_of(offer, values)}"


def _picked(game: Declaration, index: int, offer: Offer, values: str) -> str:
    """Statements that put the value of move `chosen` on the table, if it is one of those with or without a card."""
    field, moves, found = f"table.{game.value_kind(offer.trigger)}", _moves_of(offer, values), ""
    if values:
        found = f"    for _ in range(chosen):\n        {values} &= {values} - 1\n"
        found += f"    {field} = ({values} & -{values}).bit_length() - 1\n"
    elif offer.cards:
        found = f"    {field} = {NO_VALUE}\n"
    return f"if chosen < {moves}:\n{found}    return {index}\nchosen -= {moves}"
