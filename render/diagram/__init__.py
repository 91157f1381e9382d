"""The state diagram of a declared game: extracted to a small model, rendered in several formats.

>>> from fsm.games.maumau import MAUMAU
>>> render(MAUMAU, "mermaid").splitlines()[0]
'stateDiagram-v2'
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from fsm.declaration.chart import Chart
from fsm.edge.numbers import as_int, of_type
from render.diagram.dot import dot, enlarged, picture, svg
from render.diagram.model import Diagram, DiagramError, DiagramNode, Edge, Line, NodeKind, Refusal, extract
from render.diagram.overlay import PLAIN, Overlay
from render.diagram.statecharts import document, events, mermaid, phases, scxml, table, xstate

__all__ = [
    "FORMATS",
    "MAX_SCALE",
    "PLAIN",
    "SCALED",
    "SHOWN_BY",
    "Diagram",
    "DiagramError",
    "DiagramNode",
    "Edge",
    "Line",
    "NodeKind",
    "Overlay",
    "Refusal",
    "extract",
    "render",
]

FORMATS: dict[str, Callable[[Diagram], str | bytes]] = {
    "dot": dot,
    "mermaid": mermaid,
    "events": events,
    "table": table,
    "phases": phases,
    "markdown": document,
    "svg": svg,
    "png": partial(picture, "png"),
    "pdf": partial(picture, "pdf"),
    "scxml": scxml,
    "xstate": xstate,
}
"""The renderers by the names of their formats."""
MAX_SCALE = 8
"""A diagram of this size is larger than any screen."""
DRAWN = ("dot", "mermaid", "svg", "png", "pdf")
SHOWN_BY: dict[str, tuple[str, ...]] = {
    "traffic": (*DRAWN[:2], "table", "markdown", *DRAWN[2:]),
    "marks": (*DRAWN[:2], "table", "markdown", *DRAWN[2:]),
    "folds": DRAWN,
}
"""The formats that show each part of an overlay."""


SCALED: dict[str, Callable[[Diagram, int], str | bytes]] = {
    "svg": lambda diagram, scale: enlarged(svg(diagram), scale),
    "png": lambda diagram, scale: picture("png", diagram, scale),
}
"""The formats whose pictures have a size, and how they are drawn in a multiple of it."""


def render(declaration: Chart, format: str, shown: Overlay = PLAIN, scale: int = 1) -> str | bytes:
    """Return the diagram of `declaration`: bytes for png and pdf, text for all others.

    format: one of FORMATS. shown: the active phase, how often each transition was fired, the path of a game. scale:
    times the usual size, for the formats of SCALED. Raises ValueError for an unknown format, or one that does not show
    these, and DiagramError if nothing is installed that can draw a picture.
    """
    of_type("declaration", declaration, Chart, "a declaration")
    of_type("format", format, str, "the name of a format")
    of_type("shown", shown, Overlay, "an Overlay")
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r}; use one of {', '.join(FORMATS)}")
    for part in shown.parts:
        if format not in (formats := SHOWN_BY[part]):
            raise ValueError(f"format {format!r} shows no {part}; use one of {', '.join(formats)}")
    diagram = extract(declaration, shown)
    if as_int("scale", scale, 1, MAX_SCALE) == 1:
        return FORMATS[format](diagram)
    if format not in SCALED:
        raise ValueError(f"format {format!r} has no size; use one of {', '.join(SCALED)}")
    return SCALED[format](diagram, scale)
