"""What the functions of `maumau.kernels.compiled.turns` read of a game: decision trees, offers, and choices.

The arcs of an event share guards, so these are asked as a decision tree: the most selective guard first, each at most
once, and those not at all of which it is proved that they do not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import starmap
from typing import Any, TypeVar

from fsm.declaration.arcs import Arc, Offer, Phase, Policy
from fsm.declaration.chain import Counter
from fsm.declaration.declaration import Declaration
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiled.turns import ASK, FIRE, NONE, NOT_FORCED
from maumau.kernels.compiler.program import KernelPlan
from rules.rule import RuleFunction

Guarded = TypeVar("Guarded", Arc, Counter)
Candidate = tuple[Guarded, dict[RuleFunction, bool]]
"""An arc that may be enabled or a counter that may apply, and the answers of guards that it needs for that."""
Constant = tuple[Any, ...]
"""A tuple that is known when a program is compiled: of numbers, texts, rule functions, and such tuples."""


def phases_of(plan: KernelPlan, waits: Sequence[Phase] = ()) -> Constant:
    """What is done in each phase: its number; whether the run ends there; whether it may stop; the tree of what is
    forced; the policies; and for each offer its place, whether it is the last one, and its tree.

    waits: the phases in which it stops because something is done outside of it; else it stops where a position may
    return, or in any phase if none may.
    """
    game, stops = plan.game, waits or plan.returning or plan.game.phases
    found = [
        (
            number,
            phase is game.final,
            phase in stops,
            forced_tree(plan, phase),
            tuple(_policies(plan, phase)),
            tuple(chosen_trees(plan, phase)),
        )
        for number, phase in enumerate(game.phases)
    ]
    return *found, (STUCK, True, False, (), (), ())


# ---------------------------------------------------------------- decision trees


def forced_arcs(game: Declaration, phase: Phase) -> list[Arc]:
    """The arcs of the events that are forced in a phase."""
    return [arc for trigger in game.control_of(phase).forced for arc in game.leaving(phase, trigger)]


def forced_tree(plan: KernelPlan, phase: Phase) -> Constant:
    """The tree of what is forced in a phase; empty where nothing is."""
    forced, offers = forced_arcs(plan.game, phase), plan.game.control_of(phase).offers
    return tree_of(plan, forced, NOT_FORCED if offers else STUCK) if forced else ()


def chosen_trees(plan: KernelPlan, phase: Phase) -> Iterable[tuple[int, bool, Constant]]:
    """For each offer of a phase its place, whether it is the last one, and the tree of what is chosen: one is enabled,
    unless events are written down, so that every guard is asked.
    """
    offers = plan.game.control_of(phase).offers
    for index, offer in enumerate(offers):
        arcs = plan.game.leaving(phase, offer.trigger)
        yield index, index == len(offers) - 1, tree_of(plan, arcs, STUCK, one_enabled=not plan.log)


def tree_of(plan: KernelPlan, arcs: Iterable[Arc], none: int, one_enabled: bool = False) -> Constant:
    """The decision tree of arcs. none: in place of a phase where none is enabled. one_enabled: it is known that one is;
    then guards with the same answer for all remaining arcs are not asked.
    """
    return _asking(plan, candidates_of(arcs), none, one_enabled)


def candidates_of(arcs: Iterable[Guarded]) -> list[Candidate[Guarded]]:
    """Arcs or counters with the answers that they want."""
    return [(arc, dict.fromkeys(arc.conditions, True) | dict.fromkeys(arc.unless, False)) for arc in arcs]


def _asking(plan: KernelPlan, candidates: list[Candidate[Arc]], none: int, one_enabled: bool) -> Constant:
    """The tree for the arcs that are still possible, each with the answers that it still wants."""
    if one_enabled:
        candidates = settled(plan.game, candidates)
    if not candidates:
        return NONE, none
    first, answers = candidates[0]
    if not answers:
        return FIRE, _fired(plan, first)
    guard = most_asked(candidates)
    branches = (after(plan.game, candidates, guard, answer) for answer in (True, False))
    return ASK, guard, *(_asking(plan, branch, none, one_enabled) for branch in branches)


def _fired(plan: KernelPlan, arc: Arc) -> Constant:
    """An arc: its number, the phase to which it leads, its effects, and the counters, if it is counted."""
    game = plan.game
    numbered = enumerate(game.counters) if plan.tally else ()
    counters = [(number, each.conditions) for number, each in numbered if each.arc is arc]
    counted = tuple((number, when, index == len(counters) - 1) for index, (number, when) in enumerate(counters))
    return game.arcs.index(arc), game.phase_numbers[arc.dest], arc.before, counted


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


# ---------------------------------------------------------------- how players choose


def _policies(plan: KernelPlan, phase: Phase) -> Iterable[Constant]:
    """The policies in a phase, as `choose` reads them."""
    offers = plan.game.control_of(phase).offers
    if not offers:
        return
    for number, policy in enumerate(plan.policies):
        yield number, number == len(plan.policies) - 1, policy_in(plan, phase, policy)


def policy_in(plan: KernelPlan, phase: Phase, policy: Policy) -> Constant:
    """How a policy chooses in a phase, as `choose_by` reads it."""
    offers = plan.game.control_of(phase).offers
    if policy.choices:
        return tuple(_decision_rules(plan, phase, policy)), (), False, (), -1, -1
    moves = moves_of(plan.game, phase)
    mixed = policy.lays_first and len({offer.lays for offer in offers}) > 1
    laying = tuple(move for move, offer in zip(moves, offers, strict=True) if offer.lays) if mixed else ()
    rule = plan.rules.index(policy.name)
    return (), moves, policy.rolls_dice, laying, rule, rule if plan.tally else -1


def _decision_rules(plan: KernelPlan, phase: Phase, policy: Policy) -> Iterator[Constant]:
    """The decision rules of a policy in a phase, each as its conditions; the place of the offer; the card; the field of
    the value, if one is put there, and the value; its number, and the one by which it is counted, or -1.
    """
    triggers = [offer.trigger for offer in plan.game.control_of(phase).offers]
    for choice in policy.choices[phase]:
        event, rule = triggers.index(choice.trigger), plan.rules.index(choice.rule)
        field = str(plan.game.value_kind(choice.trigger)) if choice.card or choice.value else ""
        yield choice.conditions, event, choice.card, field, choice.value, rule, rule if plan.tally else -1


def moves_of(game: Declaration, phase: Phase) -> Constant:
    """For each offer of a phase its place; what gives the cards and the values that may be named, or None; the field of
    the value; its arcs, each with its conditions and what must not hold; and whether anything is named.
    """

    def move(index: int, offer: Offer) -> Constant:
        arcs = tuple((arc.conditions, arc.unless) for arc in game.leaving(phase, offer.trigger))
        return index, offer.cards, offer.values, str(game.value_kind(offer.trigger)), arcs, bool(offer.named)

    return tuple(starmap(move, enumerate(game.control_of(phase).offers)))
