"""A diagram as a picture: drawn by the program `dot` if it is there, else by the Graphviz inside of pygraphviz."""

from __future__ import annotations

from fsm.extras import install_command
from render.diagram.dot import dot
from render.diagram.errors import DiagramError
from render.diagram.model import Diagram
from render.diagram.registry import renderer

NOTHING_DRAWS = (
    f"nothing is installed that draws pictures: install Graphviz, or {install_command('diagrams')}; "
    "the formats dot, mermaid and table need neither"
)


@renderer("svg")
def svg(diagram: Diagram) -> str:
    """The picture as an `<svg>` element, which may stand in a page or a file. Raises DiagramError."""
    text = draw(dot(diagram), "svg").decode()
    return text[text.index("<svg") :]


@renderer("png")
def png(diagram: Diagram) -> bytes:
    """The picture as a PNG file. Raises DiagramError."""
    return draw(dot(diagram), "png")


@renderer("pdf")
def pdf(diagram: Diagram) -> bytes:
    """The picture as a PDF file. Raises DiagramError."""
    return draw(dot(diagram), "pdf")


def draw(source: str, format: str) -> bytes:
    """DOT text drawn in a format of Graphviz. Raises DiagramError if nothing is installed that can."""
    import graphviz

    try:
        drawn: bytes = graphviz.Source(source).pipe(format)
    except graphviz.ExecutableNotFound:
        return _draw_by_pygraphviz(source, format)
    return drawn


def _draw_by_pygraphviz(source: str, format: str) -> bytes:
    try:
        from pygraphviz import AGraph
    except ImportError:
        raise DiagramError(NOTHING_DRAWS) from None
    drawn: bytes = AGraph(string=source).draw(format=format, prog="dot")
    return drawn
