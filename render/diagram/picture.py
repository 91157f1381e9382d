"""A diagram as a picture, drawn by the Graphviz in pygraphviz, else by the program `dot`.

Graphviz 2 (distributions ship 2.43) draws edge labels over each other and drops the ids of arcs, which pages need. It
is refused in both cases, and so is any SVG without an id.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from html import unescape

from fsm.edge.extras import install_command
from render.diagram.dot import dot
from render.diagram.errors import DiagramError
from render.diagram.fitted import fitted
from render.diagram.model import Diagram
from render.printable import printable

OLDEST = 3
"""The oldest supported major version of Graphviz."""
INSTALL = f"install Graphviz {OLDEST} or later, or {install_command('diagrams')}"
NO_NEED = "the formats dot, mermaid and table need neither"
NOTHING_DRAWS = f"nothing is installed that draws pictures: {INSTALL}; {NO_NEED}"

Draw = Callable[[str, str], bytes]
"""Draws DOT text in a format of Graphviz."""


def svg(diagram: Diagram) -> str:
    """The picture as an `<svg>` element, which may stand in a page or a file. Raises DiagramError."""
    source = dot(diagram)
    return fitted(draw_svg(diagram, source), draw(source, "json"))


def png(diagram: Diagram) -> bytes:
    """The picture as a PNG file. Raises DiagramError."""
    return draw(dot(diagram), "png")


def pdf(diagram: Diagram) -> bytes:
    """The picture as a PDF file. Raises DiagramError."""
    return draw(dot(diagram), "pdf")


def draw_svg(diagram: Diagram, source: str) -> str:
    """The `<svg>` element of DOT text that shows `diagram`. Raises DiagramError, also if an id is missing in it."""
    text = draw(source, "svg").decode()
    found = set(re.findall(r'\bid="([^"]*)"', unescape(text)))
    if missing := [name for name in ids(diagram) if name not in found and f"a_{name}" not in found]:
        raise DiagramError(f"the installed Graphviz drops ids, {missing[0]!r} for one: {INSTALL}; {NO_NEED}")
    return text[text.index("<svg") :]


def ids(diagram: Diagram) -> Iterator[str]:
    """The ids of phases, arcs and halves of edges in a picture."""
    yield from (node.name for node in diagram.nodes)
    for edge in diagram.edges:
        yield from (f"arc-{line.number}" for line in edge.lines)
        yield from (f"{edge.source}-{edge.dest}-{half}" for half in ("out", "in"))


def draw(source: str, format: str) -> bytes:
    """DOT text drawn in a format of Graphviz. Raises DiagramError if no suitable Graphviz is installed."""
    refused = NOTHING_DRAWS
    for name, major, drawing in _installed():
        if major >= OLDEST:
            return drawing(printable(source), format)
        refused = f"{name} is Graphviz {major}, which draws labels over each other: {INSTALL}; {NO_NEED}"
    raise DiagramError(refused)


def _installed() -> Iterator[tuple[str, int, Draw]]:
    """The installed drawing programs, best first: name, major version of Graphviz, and drawing function."""
    try:
        from pygraphviz import graphviz as bundled
    except ImportError:
        pass
    else:
        yield "that of pygraphviz", bundled.GRAPHVIZ_MAJOR_VERSION, _draw_by_pygraphviz
    import graphviz

    with suppress(graphviz.ExecutableNotFound):
        yield "the program dot", graphviz.version()[0], _draw_by_dot


def _draw_by_pygraphviz(source: str, format: str) -> bytes:
    from pygraphviz import AGraph

    drawn: bytes = AGraph(string=source).draw(format=format, prog="dot")
    return drawn


def _draw_by_dot(source: str, format: str) -> bytes:
    import graphviz

    drawn: bytes = graphviz.Source(source).pipe(format)
    return drawn
