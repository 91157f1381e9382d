"""What a diagram is, whatever it is shown as: nodes in groups, and edges that carry the words of their arcs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """Who acts in a phase, in words; in the order in which the groups are laid out."""

    INITIAL = "the game begins"
    TURN = "a turn starts: the player chooses"
    CHOICE = "the turn goes on: the player chooses"
    FORCED = "happens by itself"
    FINAL = "the game is over"


@dataclass(frozen=True)
class Node:
    """A phase.

    name: its identifier. title: how it is shown. forced: events that happen by themselves while they can.
    offers: events among which the player in turn chooses. lit: whether it is highlighted.
    """

    name: str
    title: str
    kind: Kind
    forced: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    lit: bool = False

    @property
    def acts(self) -> tuple[str, ...]:
        """Who acts here, in one line for the player and one for what is forced."""
        actors = ("player", self.offers), ("forced", self.forced)
        return tuple(f"{actor}: {', '.join(events)}" for actor, events in actors if events)


@dataclass(frozen=True)
class Line:
    """An arc in words. fired: how often it was fired, or None if nobody counted."""

    event: str
    guards: str
    callbacks: str
    says: str
    fired: int | None = None

    def __str__(self) -> str:
        return " ".join(part for part in (self.event, self.condition, self.action, self.count) if part)

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
        """How often the arc was fired, or nothing."""
        return "" if self.fired is None else f"(fired {self.fired:,})"


@dataclass(frozen=True)
class Edge:
    """All arcs from the node `source` to the node `dest`, each with a line of its own."""

    source: str
    dest: str
    lines: tuple[Line, ...]

    @property
    def fired(self) -> int | None:
        """How often any of its arcs was fired, or None if nobody counted."""
        counts = [line.fired for line in self.lines if line.fired is not None]
        return sum(counts) if counts else None


@dataclass(frozen=True)
class Group:
    """The nodes in which the same one acts."""

    kind: Kind
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Diagram:
    """A game as nodes and edges; `groups` hold all nodes, in the order of Kind."""

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    groups: tuple[Group, ...]

    def node(self, name: str) -> Node:
        """The node called `name`."""
        return next(node for node in self.nodes if node.name == name)
