"""State charts: phases, arcs and who acts, validated when they are made. Games and matches are declared as charts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import InitVar, dataclass, field
from functools import cached_property
from inspect import CO_VARARGS
from itertools import combinations, product
from typing import Any, ClassVar, NamedTuple

from fsm.declaration.arcs import Arc, Control, Guards, Offer, Page, Phase
from fsm.declaration.checks import CHART, Of, claims_of, faults_of
from fsm.declaration.exclusion import Values, apart, first_meeting, may_hold
from fsm.declaration.ranges import ValueRanges
from fsm.edge.kept import kept
from fsm.edge.notebook import notebook_bundle
from rules.notation import expected_name, shown, with_article
from rules.rule import Guard, Role, RuleFunction, label, mark_of
from rules.table import CardTable

OF_TABLE = ("table",)


class FunctionUse(NamedTuple):
    """A use of functions. place: where, in words. role: that they must have, if any. takes: what they are given."""

    place: str
    role: Role | None
    functions: Iterable[RuleFunction | None]
    takes: tuple[str, ...] = OF_TABLE


NAME_OF_PHASE = re.compile(r"[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")
"""The names of phases: with underscores they are parts of names of methods, `is_await_play`."""

NOBODY = Control()
"""Who acts in the final phase."""


class Overlap(str):
    """What is wrong with two arcs that may be enabled at once.

    arcs: the two. guards: those that are taken to exclude each other and both hold, if there are such. where: the card
    and the other values for which they do, in the notation of a position.
    """

    arcs: tuple[Arc, Arc]
    guards: Guards = ()
    where: str = ""


class DeclarationError(ValueError):
    """A declaration contradicts itself; the message names the transition or the phase.

    fault: what is wrong, without the name of the game.
    """

    fault: str = ""


def set_part(chart: object, name: str, value: object) -> None:
    """Set a part of a chart that is being made."""
    object.__setattr__(chart, name, value)


def set_default(chart: object, name: str, default: Callable[[], object]) -> None:
    """Set a part of a chart that is being made, unless it is given."""
    if getattr(chart, name) is None:
        set_part(chart, name, default())


FOLLOWS: Any = None
"""The default of a part that follows from the others."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Chart:
    """One state chart.

    title: its name for people. name: its name in commands and records; the default is the title in small letters,
    joined by hyphens. table: the class of its table, whose integer, list and bytearray fields are all that rule
    functions touch. page: the arcs of all phases, and who acts in each of them (`fsm.declaration.page`), or both by
    themselves: arcs, control. phases: all of them; by default those of the page. initial, final: the pseudo-state
    before the first event, and the phase in which it is over; by default the first and the last phase.
    disjoint: groups of guards of which at most one holds; with guards that one arc demands and another excludes they
    show that no two arcs are ever enabled at once. They are asked of all cards and values, as far as these are all that
    they read.

    Raises DeclarationError if the parts do not fit together.
    """

    title: str
    name: str = FOLLOWS
    table: type = CardTable
    page: InitVar[Page | None] = None
    arcs: tuple[Arc, ...] = ()
    control: Mapping[Any, Control] = field(default_factory=dict)
    phases: type[Phase] = FOLLOWS
    initial: Phase = FOLLOWS
    final: Phase = FOLLOWS
    disjoint: tuple[Guards, ...] = ()
    _checked_as: ClassVar[Of] = CHART

    def __post_init__(self, page: Page | None) -> None:
        set_default(self, "name", lambda: "-".join(re.findall(r"\w+", self.title.lower())))
        if page is not None:
            set_part(self, "arcs", page.arcs)
            set_part(self, "control", page.control)
        if not self.control:
            raise DeclarationError(f"{self.name}: nothing happens in it; declare page=page({{...}})")
        set_default(self, "phases", lambda: type(next(iter(self.control))))
        set_default(self, "initial", lambda: next(iter(self.phases)))
        set_default(self, "final", lambda: list(self.phases)[-1])
        self.check()

    def check(self) -> None:
        """Raise DeclarationError if the parts do not fit together."""
        for fault in self.faults():
            error = DeclarationError(f"{self.name}: {fault}")
            error.fault = fault
            raise error

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {len(self.phases)} phases, {len(self.arcs)} transitions>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return notebook_bundle(self, repr(self))

    def faults(self) -> Iterator[str]:
        """What is wrong with the chart, the most basic first."""
        return faults_of(self, self._checked_as)

    def claims(self) -> tuple[str, ...]:
        """Return what holds of the chart since it is declared, as `maumau check` lists it."""
        return claims_of(self._checked_as)

    @property
    def triggers(self) -> tuple[str, ...]:
        """All events, in the order in which arcs first name them."""
        return tuple(dict.fromkeys(arc.trigger for arc in self.arcs))

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """What players choose among, phase by phase."""
        return tuple(offer for control in self.control.values() for offer in control.offers)

    @cached_property
    def phase_numbers(self) -> Mapping[Phase, int]:
        """The number of each phase, from 0 on."""
        return {phase: number for number, phase in enumerate(self.phases)}

    def phase_named(self, name: str, listing: str) -> Phase:
        """Return the phase of a name. Raises ValueError if there is none.

        name: with hyphens or underscores. listing: the command that lists the names, for the message.
        """
        plain = name.replace("_", "-")
        for phase in self.phases:
            if str(phase) == plain.lower():
                return phase
        raise ValueError(f"{shown(name)}{expected_name(plain, map(str, self.phases), listing)}")

    @cached_property
    def arc_numbers(self) -> Mapping[Arc, int]:
        """The number of each arc, from 0 on."""
        return {arc: number for number, arc in enumerate(self.arcs)}

    @cached_property
    def ranges(self) -> ValueRanges:
        """The values of the fields that have a bound."""
        return ValueRanges()

    @kept
    def excluded_by(self, guard: Guard[Any]) -> frozenset[Guard[Any]]:
        """Return the guards of which it is proved that none holds where `guard` does, of the groups it is in.

        What is not proved is asked: an engine that leaves guards out may leave these out alone.
        """
        others = {other for group in self.disjoint if guard in group for other in group if other is not guard}
        return frozenset(other for other in others if apart(self._may_hold(guard), self._may_hold(other)))

    @kept
    def _may_hold(self, guard: Guard[Any]) -> tuple[Values, ...]:
        return may_hold(guard, self.ranges)

    def overlap(self, one: Arc, other: Arc) -> Overlap | None:
        """Return what is wrong with two arcs that are enabled at once with some card, and that groups tell apart.

        one, other: arcs of one event, with the same source.
        """
        pairs = told_apart(one, other, self.disjoint)
        if not pairs or any(mate in self.excluded_by(guard) for guard, mate in pairs):
            return None
        demands = [(guard, True) for guard in one.conditions + other.conditions]
        demands += [(guard, False) for guard in one.unless + other.unless]
        meeting = first_meeting(pairs, demands, self.ranges)
        if meeting is None:
            return None
        where = " ".join(f"{field}={self.ranges.text(field, value)}" for field, value in meeting.values.items())
        guards = " and ".join(shown(label(guard)) for guard in pairs[0])
        fault = Overlap(
            f"transitions {one} and {other} are both enabled where {where}: {guards} hold; use guards of which at most "
            "one does"
        )
        fault.arcs, fault.guards, fault.where = (one, other), pairs[0], where
        return fault

    def control_of(self, phase: Phase) -> Control:
        """Return who acts in `phase`; nobody acts in the final one."""
        return self.control.get(phase, NOBODY)

    @cached_property
    def has_turns(self) -> bool:
        """Whether turns of players start in some phase."""
        return any(control.starts_turn for control in self.control.values())

    def who_acts(self, phase: Phase) -> str:
        """Return who acts, in words: `forced: take; else the player: play or pass_turn`; nothing in the final phase.

        phase: the phase.
        """
        control = self.control_of(phase)
        who = "the seat that is asked" if control.declines else "the player" if self.has_turns else "chosen"
        forced = f"forced: {' or '.join(control.forced)}" if control.forced else ""
        chosen = f"{who}: {' or '.join(offer.trigger for offer in control.offers)}" if control.offers else ""
        return "; else ".join(filter(None, (forced, chosen)))

    def leaving(self, phase: Phase | str, trigger: str | None = None) -> tuple[Arc, ...]:
        """Return the arcs that leave `phase`, which may be given by its name, by `trigger` if one is given."""
        return tuple(arc for arc in self.arcs if arc.source == phase and trigger in (None, arc.trigger))


def unknown_names(chart: Chart) -> Iterator[str]:
    """Phases that no position and no hook can name, or that the chart does not have, and arcs without a description."""
    for phase in chart.phases:
        if not NAME_OF_PHASE.fullmatch(phase):
            yield f"phase {phase.name}: {str(phase)!r} is not a name in a position; use words joined by -"
    for arc in chart.arcs:
        for end in (arc.source, arc.dest):
            if not isinstance(end, chart.phases):
                yield f"transition {arc.bare}: unknown phase {str(end)!r}{expected_name(end, chart.phases)}"
        if not arc.description:
            yield f"transition {arc.bare}: says nothing; write the rule in one sentence"


def arc_uses(chart: Chart) -> Iterator[FunctionUse]:
    """The uses of guards and effects in arcs."""
    for arc in chart.arcs:
        yield FunctionUse(f"transition {arc.bare}: conditions", Role.GUARD, arc.conditions)
        yield FunctionUse(f"transition {arc.bare}: unless", Role.GUARD, arc.unless)
        yield FunctionUse(f"transition {arc.bare}: before", Role.EFFECT, arc.before)


def misused_in_arcs(chart: Chart) -> Iterator[str]:
    """Guards and effects of arcs that are of another role, or that cannot be given a table."""
    return misused(arc_uses(chart))


def misused(uses: Iterable[FunctionUse]) -> Iterator[str]:
    """Functions of another role than their place has, and those that cannot be given what the place gives them."""
    for place, role, functions, takes in uses:
        for function in functions:
            found = mark.role if (mark := mark_of(function)) else None
            if function is not None and role and found is not role:
                name = getattr(function, "__name__", repr(function))
                is_marked = f"is marked as {with_article(found)}" if found else "is not marked"
                yield f"{place}: {name} {is_marked}; use {with_article(role)} (@{role})"
            elif function is not None and not takes_as_many(function, len(takes)):
                code = function.__code__
                taken = ", ".join(code.co_varnames[: code.co_argcount]) or "nothing"
                yield f"{place}: {function.__name__} takes {taken}; use the parameters {', '.join(takes)}"


def takes_as_many(function: RuleFunction, arguments: int) -> bool:
    """Whether a function can be called with as many arguments."""
    code = getattr(function, "__code__", None)
    if code is None:  # of a function that is not written in Python
        return True
    least = code.co_argcount - len(function.__defaults__ or ())
    return least <= arguments and (arguments <= code.co_argcount or bool(code.co_flags & CO_VARARGS))


def bad_ends(chart: Chart) -> Iterator[str]:
    """Phases that are never reached or never left, and arcs at the wrong ends."""
    reached = {chart.initial}
    while more := {arc.dest for arc in chart.arcs if arc.source in reached} - reached:
        reached |= more
    for phase in chart.phases:
        if phase not in reached:
            yield f"phase {phase} is unreachable from {chart.initial}; add a transition that leads to it"
        if phase is not chart.final and not chart.leaving(phase):
            yield f"phase {phase} has no way out and is not the final phase {chart.final}; add one"
    for arc in chart.leaving(chart.final):
        yield f"transition {arc.bare} leaves the final phase; remove it"
    for arc in chart.arcs:
        if arc.dest is chart.initial:
            yield f"transition {arc.bare} leads back to the initial phase; let it lead to another one"


def no_end(chart: Chart) -> Iterator[str]:
    """Phases from which the final one is never reached."""
    ending = {chart.final}
    while more := {arc.source for arc in chart.arcs if arc.dest in ending} - ending:
        ending |= more
    for phase in chart.phases:
        if phase not in ending:
            yield f"phase {phase}: no path leads from it to the final phase {chart.final}; add one"


def nobody_acts(chart: Chart) -> Iterator[str]:
    """Phases in which nobody acts, and events that fire no arc."""
    for phase in chart.phases:
        control = chart.control_of(phase)
        if phase is not chart.final and not control.triggers:
            yield f"phase {phase} has no one to act; add a forced event or a player's choice"
        for trigger in control.triggers:
            if not chart.leaving(phase, trigger):
                yield f"phase {phase}: event {trigger!r} fires no transition; add one, or remove the event"
        for arc in chart.leaving(phase):
            if arc.trigger not in control.triggers:
                yield f"transition {arc.bare}: nobody fires it; use {', '.join(control.triggers) or 'no event'}"


def ambiguous(chart: Chart) -> Iterator[str]:
    """Arcs of one event that may both be enabled."""
    for one, other in combinations(chart.arcs, 2):
        if (one.source, one.trigger) != (other.source, other.trigger):
            continue
        if not exclusive(one, other, chart.disjoint):
            fault = Overlap(f"transitions {one} and {other} may both be enabled; let one exclude a guard of the other")
            fault.arcs = one, other
            yield fault
        elif found := chart.overlap(one, other):
            yield found


def never_enabled(chart: Chart) -> Iterator[str]:
    """Arcs whose guards contradict each other."""
    for arc in chart.arcs:
        if both := set(arc.conditions) & set(arc.unless):
            yield f"transition {arc} is never enabled: it demands and excludes {', '.join(sorted(map(label, both)))}"
        for group in chart.disjoint:
            if len(alike := [guard for guard in dict.fromkeys(arc.conditions) if guard in group]) > 1:
                yield f"transition {arc} is never enabled: of {', '.join(map(label, alike))} at most one holds"
        for pair in combinations(arc.conditions, 2):
            if of_other_kinds(*pair):
                yield f"transition {arc} is never enabled: of {', '.join(map(label, pair))} at most one holds"


def nothing_done(chart: Chart) -> Iterator[str]:
    """Arcs that lead back to their phase and change nothing."""
    for arc in chart.arcs:
        if arc.source is arc.dest and not arc.before:
            yield f"transition {arc} changes nothing, so it could be fired for ever; add an effect"


def done_twice(chart: Chart) -> Iterator[str]:
    """Arcs that name a function twice."""
    for arc in chart.arcs:
        for functions in (arc.conditions, arc.unless, arc.before):
            for function in dict.fromkeys(functions):
                if functions.count(function) > 1:
                    yield f"transition {arc}: {label(function)} is there twice; name it once"


def exclusive(one: Arc, other: Arc, disjoint: tuple[Guards, ...]) -> bool:
    """Whether the guards show that two arcs are never enabled at once, if groups of guards are what they say."""
    return _differ(one, other) or bool(told_apart(one, other, disjoint))


def told_apart(one: Arc, other: Arc, disjoint: tuple[Guards, ...]) -> list[tuple[Guard[Any], Guard[Any]]]:
    """Return the pairs of guards of a group that tell two arcs apart; none if the arcs differ without a group."""
    if _differ(one, other):
        return []
    pairs = product(one.conditions, other.conditions)
    return [pair for pair in pairs if pair[0] is not pair[1] and any(set(pair) <= set(group) for group in disjoint)]


def _differ(one: Arc, other: Arc) -> bool:
    """Whether one arc demands what the other excludes, or another kind of cards."""
    if set(one.conditions) & set(other.unless) or set(other.conditions) & set(one.unless):
        return True
    return any(of_other_kinds(*pair) for pair in product(one.conditions, other.conditions) if pair[0] is not pair[1])


def of_other_kinds(one: RuleFunction, other: RuleFunction) -> bool:
    """Whether two guards are of kinds of cards that have no card in common; see `rules.rule.among`."""
    kinds = [mark.kind if (mark := mark_of(guard)) else 0 for guard in (one, other)]
    return all(kinds) and kinds[0] & kinds[1] == 0
