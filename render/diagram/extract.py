"""Extracts the model of a diagram from any declaration."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fsm.declaration.arcs import Arc, Control, Guards, Phase
from fsm.declaration.chart import Chart
from fsm.stepping.moves import excluded
from render.diagram.model import Diagram, Edge, Kind, Line, Node, Refusal
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
    def parts(self) -> Iterator[str]:
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
    phases = [str(phase) for phase in declaration.phases]
    lines: dict[tuple[str, str], list[Line]] = {}
    for number, arc in enumerate((*declaration.arcs, *(shown.marks.removed if shown.marks else ()))):
        if arc.source in phases and arc.dest in phases:
            lines.setdefault((arc.source.name, arc.dest.name), []).append(_line(declaration, shown, arc, number))
    edges = tuple(Edge(*ends, tuple(between)) for ends, between in lines.items())
    if shown.is_folded:
        edges = _without_declines(nodes, edges)
    return Diagram(declaration.title, nodes, edges, declaration.triggers, tuple(_refusals(declaration)), shown.note)


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


def _line(declaration: Chart, shown: Overlay, arc: Arc, number: int) -> Line:
    """An arc in words; one that house rules removed was never fired."""
    is_removed = number >= len(declaration.arcs)
    fired = None if shown.traffic is None else shown.traffic.get(arc, 0)
    total = sum(shown.traffic.values()) if shown.traffic else 0
    when, unless, then = (tuple(map(label, functions)) for functions in (arc.conditions, arc.unless, arc.before))
    return Line(
        arc.trigger,
        when,
        unless,
        then,
        arc.description,
        fired=fired,
        share=(fired or 0) / total if total else 0.0,
        path=None if shown.path is None else tuple(index for index, each in enumerate(shown.path, 1) if each == arc),
        apart="" if is_removed else _apart(declaration, arc),
        number=number,
        mark=_mark(shown.marks, arc),
        is_removed=is_removed,
    )


def _mark(marks: Marks | None, arc: Arc) -> str:
    """What house rules did to an arc, in words; empty if nothing."""
    done = [("+ added", marks.added), ("~ changed", marks.changed), ("\u2212 removed", marks.removed)] if marks else []
    return next((f"{what} by {', '.join(arcs[arc])}" for what, arcs in done if arc in arcs), "")


def rules_note(rules: Sequence[Variant], marks: Marks) -> str:
    """The legend of the marks of house rules: what they mean, then each rule with its sentence."""
    counts = f"+ {len(marks.added)} added, ~ {len(marks.changed)} changed, \u2212 {len(marks.removed)} removed arcs"
    return " ".join([f"House rules, {counts}.", *(f"{rule.name}: {rule.description}" for rule in rules)])


def _apart(declaration: Chart, arc: Arc) -> str:
    """The guards of an arc that not all arcs of its event in the phase require."""
    shared = _in_all(each.conditions for each in declaration.leaving(arc.source, arc.trigger))
    return ", ".join(label(guard) for guard in arc.conditions if guard not in shared)


def _in_all(guards: Iterable[Guards]) -> list[RuleFunction]:
    """The guards that all arcs have. guards: those of each arc."""
    first, *rest = list(guards) or [()]
    return [guard for guard in first if all(guard in each for each in rest)]


def _refusals(declaration: Chart) -> Iterator[Refusal]:
    """Why events are refused in phases that have arcs for them, in the order of phases and events."""
    for phase in declaration.phases:
        for trigger in declaration.triggers:
            arcs = declaration.leaving(phase, trigger)
            for guard in _in_all(arc.conditions for arc in arcs):
                yield Refusal(phase.name, trigger, _plain(refusal_of(guard)))
            for guard in _in_all(arc.unless for arc in arcs):
                yield Refusal(phase.name, trigger, excluded(guard))


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


def _without_declines(nodes: Sequence[Node], edges: Sequence[Edge]) -> tuple[Edge, ...]:
    """The edges without the arcs by which the next seat is asked; those by which nobody is left are one line each."""
    declines = {node.name: node.declines for node in nodes}
    found = []
    for edge in edges:
        lines = [line for line in edge.lines if line.event not in declines[edge.source]]
        joined = [line for line in edge.lines if line.event in declines[edge.source]]
        if edge.source != edge.dest and joined:
            lines.insert(0, _joined(joined))
        if lines:
            found.append(replace(edge, lines=tuple(lines)))
    return tuple(found)


def _joined(lines: Sequence[Line]) -> Line:
    """One line for the arcs that are fired when the last seat that is asked does nothing."""
    first = lines[0]
    fired = None if first.fired is None else sum(line.fired or 0 for line in lines)
    path = None if first.path is None else tuple(sorted(index for line in lines for index in line.path or ()))
    events = " or ".join(dict.fromkeys(line.event for line in lines))
    share = sum(line.share for line in lines)
    return replace(first, event=events, conditions=("all were asked",), unless=(), fired=fired, share=share, path=path)
