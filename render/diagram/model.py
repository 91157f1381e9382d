"""The model of a diagram, independent of formats: nodes in groups, and edges with the labels of their arcs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from rules.errors import Explained

MAX_RANGES = 6
"""Maximum number of ranges of indices in the label of an arc; the rest is counted."""


class Kind(Enum):
    """Who acts in a phase, in words; in the order in which the groups are laid out."""

    INITIAL = "the game begins"
    TURN = "a turn starts: the player chooses"
    CHOICE = "the turn goes on: the player chooses"
    ASKING = "seats are asked one after another"
    FORCED = "happens by itself"
    FINAL = "the game is over"


@dataclass(frozen=True)
class Node:
    """A phase.

    name: its identifier. title: how it is shown. forced: events that happen by themselves while they can.
    offers: events among which the player who acts chooses. active: whether it is highlighted. declines: where seats are
    asked one after another, the events after which the next one is asked.
    """

    name: str
    title: str
    kind: Kind
    forced: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    active: bool = False
    declines: tuple[str, ...] = ()

    @property
    def acts(self) -> tuple[str, ...]:
        """Who acts here, in one line for the player and one for what is forced."""
        actors = ("seat asked" if self.declines else "player", self.offers), ("forced", self.forced)
        return tuple(f"{actor}: {', '.join(events)}" for actor, events in actors if events)


@dataclass(frozen=True)
class Line:
    """An arc in words.

    conditions, unless: the guards that must, and must not, hold. before: the callbacks, in order. fired: how often it
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
    def callbacks(self) -> str:
        """All callbacks: `lay card, next player`."""
        return ", ".join(self.before)

    @property
    def condition(self) -> str:
        """The guards in brackets, or nothing."""
        return f"[{self.guards}]" if self.guards else ""

    @property
    def action(self) -> str:
        """The callbacks after a slash, or nothing."""
        return f"/ {self.callbacks}" if self.callbacks else ""

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
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    events: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    note: str = ""

    @property
    def groups(self) -> dict[Kind, list[Node]]:
        """The nodes by their kinds, in the order of Kind."""
        groups = {kind: [node for node in self.nodes if node.kind is kind] for kind in Kind}
        return {kind: nodes for kind, nodes in groups.items() if nodes}

    @property
    def start(self) -> str:
        """The name of the active node, else of the initial one."""
        return max(self.nodes, key=lambda node: (node.active, node.kind is Kind.INITIAL)).name

    @property
    def is_marked(self) -> bool:
        """Whether house rules did something to an arc."""
        return any(line.mark for edge in self.edges for line in edge.lines)

    @property
    def asks(self) -> bool:
        """Whether seats are asked one after another in some phase."""
        return any(node.kind is Kind.ASKING for node in self.nodes)

    def node(self, name: str) -> Node:
        """The node called `name`."""
        return next(node for node in self.nodes if node.name == name)

    def leaving(self, node: Node) -> list[tuple[Line, str]]:
        """The arcs that leave a node, each with the name of the node to which it leads."""
        return [(line, edge.dest) for edge in self.edges if edge.source == node.name for line in edge.lines]


def ranges(indices: Iterable[int]) -> list[tuple[int, int]]:
    """Ascending numbers as the first and last number of each range."""
    rows: list[tuple[int, int]] = []
    for index in indices:
        if rows and rows[-1][1] == index - 1:
            rows[-1] = rows[-1][0], index
        else:
            rows.append((index, index))
    return rows


class DiagramError(Explained, RuntimeError):
    """No program that draws pictures is installed; the message names what to install."""
