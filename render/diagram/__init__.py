"""The state diagram of a declared game: extracted to a small model, rendered in several formats.

>>> from fsm.games.maumau import MAUMAU
>>> render(MAUMAU, "mermaid").splitlines()[0]
'stateDiagram-v2'
"""

from __future__ import annotations

from fsm.declaration.chart import Chart
from fsm.edge.numbers import of_type
from render.diagram import brief, document, dot, events, mermaid, picture, scxml, table, xstate
from render.diagram.errors import DiagramError
from render.diagram.extract import PLAIN, Overlay, extract, rules_note, traffic_note
from render.diagram.model import Diagram, Edge, Group, Kind, Line, Node, Refusal
from render.diagram.registry import FORMATS, formats_with, renderer

__all__ = [
    "FORMATS",
    "PLAIN",
    "Diagram",
    "DiagramError",
    "Edge",
    "Group",
    "Kind",
    "Line",
    "Node",
    "Overlay",
    "Refusal",
    "brief",
    "document",
    "dot",
    "events",
    "extract",
    "formats_with",
    "mermaid",
    "picture",
    "render",
    "renderer",
    "rules_note",
    "scxml",
    "table",
    "traffic_note",
    "xstate",
]


def render(declaration: Chart, format: str, shown: Overlay = PLAIN) -> str | bytes:
    """The diagram of `declaration`: bytes for png and pdf, text for all others.

    format: one of FORMATS. shown: the active phase, how often each arc was fired, the path of a game. Raises ValueError
    for an unknown format, or one that does not show these, and DiagramError if nothing is installed that can draw a
    picture.
    """
    of_type("declaration", declaration, Chart, "a declaration")
    of_type("format", format, str, "the name of a format")
    of_type("shown", shown, Overlay, "an Overlay")
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r}, expected one of {', '.join(FORMATS)}")
    for part in shown.parts:
        if format not in (formats := formats_with(part)):
            raise ValueError(f"format {format!r} shows no {part}, expected one of {', '.join(formats)}")
    return FORMATS[format](extract(declaration, shown))
