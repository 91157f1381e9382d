"""A diagram as a picture, drawn by the Graphviz in pygraphviz, else by the program `dot`.

Graphviz 2 (distributions ship 2.43) draws edge labels over each other and drops the ids of arcs, which pages need. It
is refused in both cases, and so is any SVG without an id.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from html import unescape
from typing import Any, NamedTuple

from fsm.edge.extras import install_command
from render.diagram.dot import dot
from render.diagram.model import Diagram, DiagramError
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


def picture(format: str, diagram: Diagram) -> bytes:
    """The picture as a file of another format of Graphviz. Raises DiagramError."""
    return draw(dot(diagram), format)


def draw_svg(diagram: Diagram, source: str) -> str:
    """The `<svg>` element of DOT text that shows `diagram`. Raises DiagramError, also if an id is missing in it."""
    text = draw(source, "svg").decode()
    found = set(re.findall(r'\bid="([^"]*)"', unescape(text)))
    names = [node.name for node in diagram.nodes]
    for edge in diagram.edges:
        names += [f"arc-{line.number}" for line in edge.lines]
        names += [f"{edge.source}-{edge.dest}-{half}" for half in ("out", "in")]
    if missing := [name for name in names if name not in found and f"a_{name}" not in found]:
        raise DiagramError(f"the installed Graphviz drops ids, {missing[0]!r} for one: {INSTALL}; {NO_NEED}")
    return text[text.index("<svg") :]


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
    with suppress(ImportError):
        import pygraphviz

        major = pygraphviz.graphviz.GRAPHVIZ_MAJOR_VERSION
        yield (
            "that of pygraphviz",
            major,
            lambda source, format: pygraphviz.AGraph(string=source).draw(format=format, prog="dot"),
        )
    import graphviz

    with suppress(graphviz.ExecutableNotFound):
        major = graphviz.version()[0]
        yield "the program dot", major, lambda source, format: graphviz.Source(source).pipe(format)


# ---------------------------------------------------------------- widths of texts

TEXT = re.compile(r"<text (?P<attributes>[^>]*)>(?P<text>[^<]*)</text>")
SIZE = re.compile(r'font-size="([\d.]+)"')
BOLD, ITALIC = 1, 2
"""Flags of a font in Graphviz's JSON."""


class Shown(NamedTuple):
    """What decides how wide a text is."""

    text: str
    size: float
    flags: int


def fitted(svg: str, layout: bytes) -> str:
    """The SVG with the width of each text. layout: the same drawing in Graphviz's JSON, which has these widths."""
    widths = dict(_texts(json.loads(layout)))

    def with_width(found: re.Match[str]) -> str:
        width = widths.get(_shown(found))
        if not width:
            return found[0]
        return found[0].replace("<text ", f'<text textLength="{width:.2f}" lengthAdjust="spacingAndGlyphs" ', 1)

    return TEXT.sub(with_width, svg)


def _shown(found: re.Match[str]) -> Shown:
    attributes = found["attributes"]
    size = SIZE.search(attributes)
    flags = BOLD * ('font-weight="bold"' in attributes) | ITALIC * ('font-style="italic"' in attributes)
    return Shown(unescape(found["text"]), float(size[1]) if size else 0.0, flags)


def _texts(layout: dict[str, Any]) -> Iterator[tuple[Shown, float]]:
    """The texts of a drawing, with their widths in points."""
    for element in (layout, *layout.get("objects", ()), *layout.get("edges", ())):
        size, flags = 0.0, 0
        for operation in element.get("_ldraw_", ()):
            match operation["op"]:
                case "F":
                    size = operation["size"]
                case "t":
                    flags = operation["fontchar"] & (BOLD | ITALIC)
                case "T":
                    yield Shown(operation["text"], size, flags), operation["width"]
