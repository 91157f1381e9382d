"""Extracts the model of a diagram from any declaration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fsm.declaration.arcs import Arc, Control, Phase
from fsm.declaration.chart import Chart
from fsm.stepping.refusal import excluded
from render.diagram.fold import folded
from render.diagram.model import Diagram, Edge, Group, Kind, Line, Node, Refusal
from render.diagram.registry import Part
from rules.rule import RuleFunction, label, refusal_of

if TYPE_CHECKING:
    from fsm.variants.compose import Marks
    from fsm.variants.edits import Variant


@dataclass(frozen=True)
class Overlay:
    """What a diagram shows in addition to the declaration.

    active: the phase to highlight. traffic: how often each arc was fired. path: the arcs of one game, in order.
    marks: what house rules did to the arcs. note: the games of the traffic or the path, in words. is_folded: whether
    phases in which seats are asked one after another are folded.
    """

    active: Phase | None = None
    marks: Marks | None = None
    traffic: Mapping[Arc, int] | None = None
    path: Sequence[Arc] | None = None
    note: str = ""
    is_folded: bool = False

    @property
    def parts(self) -> Iterator[Part]:
        """What it shows that not every format has."""
        if self.traffic is not None:
            yield "traffic"
        if self.marks is not None:
            yield "marks"
        if self.is_folded:
            yield "folds"


PLAIN = Overlay()


def traffic_note(games: int, policies: Sequence[str], seed: int, events: int) -> str:
    """The games of the traffic on a diagram, in words."""
    chosen = ", ".join(dict.fromkeys(policies) if len(set(policies)) == 1 else policies)
    return (
        f"{games:,} game{'s' * (games != 1)} of {len(policies)} players (policy {chosen}, seed {seed}): "
        f"{events:,} events, of which each arc has its share"
    )


def extract(declaration: Chart, shown: Overlay = PLAIN) -> Diagram:
    """The diagram of `declaration` with the overlay `shown`."""
    nodes = tuple(_node(declaration, phase, phase is shown.active) for phase in declaration.phases)
    lines = {**_lines(declaration, shown), **_removed(declaration, shown)}
    ends = dict.fromkeys((arc.source.name, arc.dest.name) for arc in lines)
    edges = tuple(Edge(*names, tuple(_between(lines, *names))) for names in ends)
    if shown.is_folded:
        edges = folded(nodes, edges)
    groups = tuple(Group(kind, tuple(node for node in nodes if node.kind is kind)) for kind in Kind)
    return Diagram(
        declaration.title,
        nodes,
        edges,
        tuple(group for group in groups if group.nodes),
        declaration.triggers,
        tuple(_refusals(declaration)),
        shown.note,
    )


def _node(declaration: Chart, phase: Phase, active: bool) -> Node:
    control = declaration.control.get(phase, Control())
    offers = tuple(offer.trigger for offer in control.offers)
    kind = _kind(declaration, phase, control)
    return Node(phase.name, str(phase), kind, control.forced, offers, active, control.declines)


def _kind(declaration: Chart, phase: Phase, control: Control) -> Kind:
    if phase is declaration.initial:
        return Kind.INITIAL
    if phase is declaration.final:
        return Kind.FINAL
    if not control.offers:
        return Kind.FORCED
    if control.declines:
        return Kind.ASKING
    return Kind.TURN if control.starts_turn else Kind.CHOICE


def _between(lines: Mapping[Arc, Line], source: str, dest: str) -> Iterator[Line]:
    return (line for arc, line in lines.items() if (arc.source.name, arc.dest.name) == (source, dest))


def _lines(declaration: Chart, shown: Overlay) -> dict[Arc, Line]:
    """Each arc in words, in the order of the declaration."""
    total = sum(shown.traffic.values()) if shown.traffic else 0
    indices: dict[Arc, list[int]] = {}
    for index, arc in enumerate(shown.path or (), 1):
        indices.setdefault(arc, []).append(index)
    lines = {}
    for number, arc in enumerate(declaration.arcs):
        fired = None if shown.traffic is None else shown.traffic.get(arc, 0)
        path = None if shown.path is None else tuple(indices.get(arc, ()))
        share = (fired or 0) / total if total else 0.0
        line = replace(_line(arc, number), fired=fired, share=share, path=path)
        lines[arc] = replace(line, apart=_apart(declaration, arc), mark=_mark(shown.marks, arc))
    return lines


def _line(arc: Arc, number: int) -> Line:
    """An arc in words."""
    when, unless, then = (tuple(map(label, functions)) for functions in (arc.when, arc.unless, arc.then))
    return Line(arc.trigger, when, unless, then, arc.description, number=number)


def _mark(marks: Marks | None, arc: Arc) -> str:
    """What house rules did to an arc, in words; empty if nothing."""
    for what, arcs in (("+ added", marks.added), ("~ changed", marks.changed)) if marks else ():
        if arc in arcs:
            return f"{what} by {', '.join(arcs[arc])}"
    return ""


def _removed(declaration: Chart, shown: Overlay) -> dict[Arc, Line]:
    """The arcs between phases of the game that house rules removed."""
    phases = [str(phase) for phase in declaration.phases]
    found = {}
    for number, (arc, rules) in enumerate(shown.marks.removed.items() if shown.marks else (), len(declaration.arcs)):
        if arc.source in phases and arc.dest in phases:
            line = replace(_line(arc, number), is_removed=True, mark=f"\u2212 removed by {', '.join(rules)}")
            fired, path = None if shown.traffic is None else 0, None if shown.path is None else ()
            found[arc] = replace(line, fired=fired, path=path)
    return found


def rules_note(rules: Sequence[Variant], marks: Marks) -> str:
    """The legend of the marks of house rules: what they mean, then each rule with its sentence."""
    counts = f"+ {len(marks.added)} added, ~ {len(marks.changed)} changed, \u2212 {len(marks.removed)} removed arcs"
    return " ".join([f"House rules, {counts}.", *(f"{rule.name}: {rule.description}" for rule in rules)])


def _apart(declaration: Chart, arc: Arc) -> str:
    """The guards of an arc that not all arcs of its event in the phase require."""
    shared = _shared(declaration.leaving(arc.source, arc.trigger))
    return ", ".join(label(guard) for guard in arc.when if guard not in shared)


def _shared(arcs: Sequence[Arc]) -> list[RuleFunction]:
    """The guards that all of `arcs` require."""
    first, *rest = arcs
    return [guard for guard in first.when if all(guard in arc.when for arc in rest)]


def _refusals(declaration: Chart) -> Iterator[Refusal]:
    """Why events are refused in phases that have arcs for them, in the order of phases and events."""
    for phase in declaration.phases:
        for trigger in declaration.triggers:
            arcs = declaration.leaving(phase, trigger)
            for guard in _shared(arcs) if arcs else ():
                yield Refusal(phase.name, trigger, _plain(refusal_of(guard)))
            for guard in _never(arcs) if arcs else ():
                yield Refusal(phase.name, trigger, excluded(guard))


def _never(arcs: Sequence[Arc]) -> list[RuleFunction]:
    """The guards that all of `arcs` exclude."""
    first, *rest = arcs
    return [guard for guard in first.unless if all(guard in arc.unless for arc in rest)]


def _plain(refusal: str) -> str:
    """A refusal without the facts of a position: `the open {open_card}` becomes `the open card`."""
    return re.sub(r"(?:(\w+) )?{(\w+)}", _without_fact, refusal)


def _without_fact(found: re.Match[str]) -> str:
    """The words of a fact, after the previous word unless the fact repeats it."""
    before, fact = found[1], found[2].split("_")
    if before == fact[0]:
        return " ".join(fact)
    words_of_fact = f"the {' '.join(fact)}"
    return words_of_fact if before in (None, fact[-1]) else f"{before} {words_of_fact}"
