"""From a declaration to the model of its diagram: nothing of a particular game is known here."""

from __future__ import annotations

from collections.abc import Mapping

from fsm.arcs import Acting, Arc, Declaration, Phase
from render.diagram.model import Diagram, Edge, Group, Kind, Line, Node


def extract(declaration: Declaration, lit: Phase | None = None, traffic: Mapping[Arc, int] | None = None) -> Diagram:
    """The diagram of `declaration`, with the phase `lit` highlighted and the counts of `traffic` on the arcs."""
    nodes = tuple(_node(declaration, phase, phase is lit) for phase in declaration.phases)
    ends = dict.fromkeys((arc.source, arc.dest) for arc in declaration.arcs)
    edges = tuple(_edge(declaration, source, dest, traffic) for source, dest in ends)
    groups = tuple(Group(kind, tuple(node for node in nodes if node.kind is kind)) for kind in Kind)
    return Diagram(declaration.title, nodes, edges, tuple(group for group in groups if group.nodes))


def _node(declaration: Declaration, phase: Phase, lit: bool) -> Node:
    acting = declaration.acting.get(phase, Acting())
    offers = tuple(offer.trigger for offer in acting.offers)
    return Node(phase.name, str(phase), _kind(declaration, phase, acting), acting.forced, offers, lit)


def _kind(declaration: Declaration, phase: Phase, acting: Acting) -> Kind:
    if phase is declaration.initial:
        return Kind.INITIAL
    if phase is declaration.final:
        return Kind.FINAL
    if not acting.offers:
        return Kind.FORCED
    return Kind.TURN if acting.starts_turn else Kind.CHOICE


def _edge(declaration: Declaration, source: Phase, dest: Phase, traffic: Mapping[Arc, int] | None) -> Edge:
    lines = tuple(_line(arc, traffic) for arc in declaration.leaving(source) if arc.dest is dest)
    return Edge(source.name, dest.name, lines)


def _line(arc: Arc, traffic: Mapping[Arc, int] | None) -> Line:
    fired = None if traffic is None else traffic.get(arc, 0)
    return Line(arc.trigger, arc.guards, arc.callbacks, arc.says, fired)
