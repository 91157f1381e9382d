"""The model of a diagram of any declaration, independent of formats: nodes in groups, edges with labels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING

from fsm.declaration.arcs import Arc, Control, Guards, Phase
from fsm.declaration.chart import Chart
from fsm.stepping.why import excluded
from render.diagram.overlay import PLAIN, Overlay
from rules.errors import Explained
from rules.rule import RuleFunction, guard_reasons, label

if TYPE_CHECKING:
    from fsm.variants.compose import RuleMarks

MAX_RANGES = 6
"""Maximum number of ranges of indices in the label of an arc; the rest is counted."""


class NodeKind(Enum):
    """Who acts in a phase, in words; in the order in which the groups are laid out."""

    INITIAL = "the game begins"
    TURN = "a turn starts: the player chooses"
    CHOICE = "the turn goes on: the player chooses"
    ASKING = "seats are asked one after another"
    FORCED = "happens by itself"
    FINAL = "the game is over"


SOMEBODY = "somebody chooses"  # in machines without turns


@dataclass(frozen=True)
class DiagramNode:
    """A phase.

    name: its identifier. title: how it is shown. forced: events that happen by themselves while they can.
    offers: events among which the player who acts chooses. active: whether it is highlighted. declines: where seats are
    asked one after another, the events after which the next one is asked. who: acts in a phase of its kind.
    """

    name: str
    title: str
    kind: NodeKind
    forced: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    active: bool = False
    declines: tuple[str, ...] = ()
    who: str = ""

    @property
    def acts(self) -> tuple[str, ...]:
        """Who acts here, in one line for what is chosen and one for what is forced."""
        chooser = "seat asked" if self.declines else "chosen" if self.who == SOMEBODY else "player"
        actors = (chooser, self.offers), ("forced", self.forced)
        return tuple(f"{actor}: {', '.join(events)}" for actor, events in actors if events)


@dataclass(frozen=True)
class Line:
    """An arc in words.

    conditions, unless: the guards that must, and must not, hold. before: the effects, in order. fired: how often it
    was fired, or None without traffic; share: of all events, from 0 to 1. path: the indices in a game, from 1, of the
    events that fired it, or None without a game. apart: the guards by which it differs from the other arcs of its
    event in the phase. number: its index in the declaration. mark: what house rules did to it, in words;
    is_removed: whether it is an arc of the game without house rules that they removed.
    """

    event: str
    conditions: tuple[str, ...]
    unless: tuple[str, ...]
    before: tuple[str, ...]
    description: str
    fired: int | None = None
    share: float = 0.0
    path: tuple[int, ...] | None = None
    apart: str = ""
    number: int = 0
    mark: str = ""
    is_removed: bool = False

    def __str__(self) -> str:
        parts = (self.event, self.condition, self.action, self.count, self.indices, self.mark)
        return " ".join(part for part in parts if part)

    @property
    def guards(self) -> str:
        """All guards: `fits, not last card`."""
        return ", ".join([*self.conditions, *(f"not {guard}" for guard in self.unless)])

    @property
    def effects(self) -> str:
        """All effects: `lay card, next player`."""
        return ", ".join(self.before)

    @property
    def condition(self) -> str:
        """The guards in brackets, or nothing."""
        return f"[{self.guards}]" if self.guards else ""

    @property
    def action(self) -> str:
        """The effects after a slash, or nothing."""
        return f"/ {self.effects}" if self.effects else ""

    @property
    def count(self) -> str:
        """How often the arc was fired and its share of all events, or nothing."""
        if self.fired is None:
            return ""
        times = "once" if self.fired == 1 else f"{self.fired:,} times"
        return f"{times}, {self.percent}" if self.fired else "never fired"

    @property
    def percent(self) -> str:
        """The share of all events: `12.3 %`."""
        percent = 100 * self.share
        return "< 0.1 %" if 0 < percent < 0.05 else f"{percent:.1f} %"

    @property
    def indices(self) -> str:
        """Where in a game the arc was fired: `events 3, 7 to 9`, or nothing."""
        if not self.path:
            return ""
        shown = ranges(self.path)
        more = sum(last - first + 1 for first, last in shown[MAX_RANGES:])
        parts = [str(first) if first == last else f"{first} to {last}" for first, last in shown[:MAX_RANGES]]
        return f"event{'s' * (len(self.path) > 1)} {', '.join(parts)}{f' and {more} more' if more else ''}"


@dataclass(frozen=True)
class Edge:
    """All arcs from the node `source` to the node `dest`, each with a line of its own."""

    source: str
    dest: str
    lines: tuple[Line, ...]

    @property
    def fired(self) -> int | None:
        """How often any of its arcs was fired, or None without traffic."""
        counts = [line.fired for line in self.lines if line.fired is not None]
        return sum(counts) if counts else None

    @property
    def is_removed(self) -> bool:
        """Whether house rules removed all of its arcs."""
        return all(line.is_removed for line in self.lines)

    @property
    def taken(self) -> bool | None:
        """Whether it is on the path of the game, or None without a game."""
        paths = [line.path for line in self.lines if line.path is not None]
        return any(paths) if paths else None


@dataclass(frozen=True)
class Refusal:
    """The reason why an event is refused in a phase with arcs for it, from a guard that all of them require."""

    phase: str
    event: str
    why: str


@dataclass(frozen=True)
class Diagram:
    """A game as nodes and edges.

    events: all events, in the order in which arcs first name them. note: the games of the counts or the path.
    """

    title: str
    nodes: tuple[DiagramNode, ...]
    edges: tuple[Edge, ...]
    events: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    note: str = ""

    @property
    def groups(self) -> dict[NodeKind, list[DiagramNode]]:
        """The nodes by their kinds, in the order of Kind."""
        groups = {kind: [node for node in self.nodes if node.kind is kind] for kind in NodeKind}
        return {kind: nodes for kind, nodes in groups.items() if nodes}

    @property
    def start(self) -> str:
        """The name of the active node, else of the initial one."""
        return max(self.nodes, key=lambda node: (node.active, node.kind is NodeKind.INITIAL)).name

    @property
    def is_marked(self) -> bool:
        """Whether house rules did something to an arc."""
        return any(line.mark for edge in self.edges for line in edge.lines)

    @property
    def asks(self) -> bool:
        """Whether seats are asked one after another in some phase."""
        return any(node.kind is NodeKind.ASKING for node in self.nodes)

    def node(self, name: str) -> DiagramNode:
        """The node called `name`."""
        return next(node for node in self.nodes if node.name == name)

    def leaving(self, node: DiagramNode) -> list[tuple[Line, str]]:
        """The arcs that leave a node, each with the name of the node to which it leads."""
        return [(line, edge.dest) for edge in self.edges if edge.source == node.name for line in edge.lines]


def ranges(indices: Iterable[int]) -> list[tuple[int, int]]:
    """Ascending numbers as the first and last number of each range."""
    rows = [[index for _, index in row] for _, row in groupby(enumerate(indices), lambda each: each[1] - each[0])]
    return [(row[0], row[-1]) for row in rows]


class DiagramError(Explained, RuntimeError):
    """No program that draws pictures is installed; the message names what to install."""


# ---------------------------------------------------------------- diagrams of declarations


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


def _node(declaration: Chart, phase: Phase, active: bool) -> DiagramNode:
    control = declaration.control_of(phase)
    offers, kind = tuple(offer.trigger for offer in control.offers), _kind(declaration, phase, control)
    who = kind.value if declaration.has_turns or kind is not NodeKind.CHOICE else SOMEBODY
    return DiagramNode(phase.name, str(phase), kind, control.forced, offers, active, control.declines, who)


def _kind(declaration: Chart, phase: Phase, control: Control) -> NodeKind:
    if phase is declaration.initial:
        return NodeKind.INITIAL
    if phase is declaration.final:
        return NodeKind.FINAL
    if not control.offers:
        return NodeKind.FORCED
    if control.declines:
        return NodeKind.ASKING
    return NodeKind.TURN if control.starts_turn else NodeKind.CHOICE


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


def _mark(marks: RuleMarks | None, arc: Arc) -> str:
    """What house rules did to an arc, in words; empty if nothing."""
    done = [("+ added", marks.added), ("~ changed", marks.changed), ("\u2212 removed", marks.removed)] if marks else []
    return next((f"{what} by {', '.join(arcs[arc])}" for what, arcs in done if arc in arcs), "")


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
                for reason in guard_reasons(guard):
                    yield Refusal(phase.name, trigger, re.sub(r"(?:(\w+) )?{(\w+)}", _without_fact, reason.sentence))
            for guard in _in_all(arc.unless for arc in arcs):
                yield Refusal(phase.name, trigger, excluded(guard))


def _without_fact(found: re.Match[str]) -> str:
    """The words of a fact, after the previous word unless the fact repeats it."""
    before, fact = found[1], found[2].split("_")
    if before == fact[0]:
        return " ".join(fact)
    words_of_fact = f"the {' '.join(fact)}"
    return words_of_fact if before in (None, fact[-1]) else f"{before} {words_of_fact}"


def _without_declines(nodes: Sequence[DiagramNode], edges: Sequence[Edge]) -> tuple[Edge, ...]:
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
