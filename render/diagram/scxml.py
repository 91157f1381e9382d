"""A diagram as SCXML, the W3C's state chart XML, which interpreters run: the machine given to an independent judge.

Phases are states, arcs transitions; their order means nothing, they exclude each other. Whoever sends an event tells
with it what each guard answers, so a condition asks the data of its event; the callbacks are logged in their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from render.diagram.model import Diagram, Edge, Kind, Line, Node
from render.diagram.registry import renderer

NAMESPACE = "http://www.w3.org/2005/07/scxml"
DATA = "_event.data"


@renderer("scxml")
def scxml(diagram: Diagram) -> str:
    """The SCXML source of `diagram`; the lit phase is the one that it starts in, else the initial one."""
    start = max(diagram.nodes, key=lambda node: (node.active, node.kind is Kind.INITIAL))
    named = f'name={quoteattr(diagram.title)} initial="{start.name}"'
    head = f'<scxml xmlns="{NAMESPACE}" version="1.0" datamodel="ecmascript" {named}>'
    body = (f"  {line}" for node in diagram.nodes for line in _state(diagram, node))
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *body, "</scxml>"]) + "\n"


def identifier(words: str) -> str:
    """The name under which an event's data tells of a guard, and under which a callback is logged."""
    return words.replace(" ", "_")


def _state(diagram: Diagram, node: Node) -> Iterator[str]:
    if node.kind is Kind.FINAL:
        yield f'<final id="{node.name}"/>'
        return
    yield f'<state id="{node.name}">'
    for edge in diagram.edges:
        if edge.source == node.name:
            for line in edge.lines:
                yield from (f"  {text}" for text in _transition(edge, line))
    yield "</state>"


def _transition(edge: Edge, line: Line) -> Iterator[str]:
    condition = f" cond={quoteattr(_condition(line))}" if line.when or line.unless else ""
    yield f"<!-- {_comment(line.description)} -->"
    opening = f"<transition event={quoteattr(line.event)}{condition} target={quoteattr(edge.dest)}"
    if not line.then:
        yield f"{opening}/>"
        return
    yield f"{opening}>"
    for callback in line.then:
        yield f"  <log label={quoteattr(identifier(callback))}/>"
    yield "</transition>"


def _condition(line: Line) -> str:
    """The guards as a condition of the datamodel: one that is not told lets no arc be fired."""
    asked = [f"{DATA}.{identifier(guard)} === true" for guard in line.when]
    return " && ".join(asked + [f"{DATA}.{identifier(guard)} === false" for guard in line.unless])


def _comment(description: str) -> str:
    """Text that may stand in a comment, where two hyphens in a row may not."""
    return re.sub("-(?=-)", "- ", description)
