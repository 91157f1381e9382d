"""A diagram as SCXML, the W3C's state chart XML, for independent interpreters.

Phases are states and arcs are transitions, which exclude each other, so their order is irrelevant. The data of an event
contain the value of each guard, which the conditions read; the callbacks are logged in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from render.diagram.model import Diagram, Kind, Line, Node

NAMESPACE = "http://www.w3.org/2005/07/scxml"
DATA = "_event.data"


def scxml(diagram: Diagram) -> str:
    """The SCXML source of `diagram`; it starts in the active phase, else in the initial one."""
    named = f'name={quoteattr(diagram.title)} initial="{diagram.start}"'
    head = f'<scxml xmlns="{NAMESPACE}" version="1.0" datamodel="ecmascript" {named}>'
    body = (f"  {line}" for node in diagram.nodes for line in _state(diagram, node))
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *body, "</scxml>"]) + "\n"


def identifier(words: str) -> str:
    """The name of a guard in the data of an event, and of a callback in the log."""
    return words.replace(" ", "_")


def _state(diagram: Diagram, node: Node) -> Iterator[str]:
    if node.kind is Kind.FINAL:
        yield f'<final id="{node.name}"/>'
        return
    yield f'<state id="{node.name}">'
    for line, dest in diagram.leaving(node):
        yield from (f"  {text}" for text in _transition(line, dest))
    yield "</state>"


def _transition(line: Line, dest: str) -> Iterator[str]:
    condition = f" cond={quoteattr(_condition(line))}" if line.conditions or line.unless else ""
    yield f"<!-- {re.sub('-(?=-)', '- ', line.description)} -->"  # two hyphens in a row are not allowed in a comment
    opening = f"<transition event={quoteattr(line.event)}{condition} target={quoteattr(dest)}"
    if not line.before:
        yield f"{opening}/>"
        return
    yield f"{opening}>"
    for callback in line.before:
        yield f"  <log label={quoteattr(identifier(callback))}/>"
    yield "</transition>"


def _condition(line: Line) -> str:
    """The guards as a condition of the datamodel: an arc cannot be fired if a guard is missing."""
    required = [f"{DATA}.{identifier(guard)} === true" for guard in line.conditions]
    return " && ".join(required + [f"{DATA}.{identifier(guard)} === false" for guard in line.unless])
