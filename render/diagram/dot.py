"""A diagram as DOT, laid out without overlaps, and as a picture that Graphviz draws of it.

The label of an edge is a small node halfway between its ends, so the layout reserves space for it and routes every
other edge around it. An edge has the colour of the phase that it leaves. The kinds of phases follow
each other from left to right; edges that lead back are reversed for the layout only. Where seats are asked, there are
more phases; so that they fit into the window of a laptop, such a game begins in the column in which turns start, and
ends in that of what happens by itself.

The ids of the picture: a phase has its identifier, the label of arc 12 is `arc-12`, and the halves of an edge are
`SOURCE-DEST-out` and `SOURCE-DEST-in`.

It is drawn by the Graphviz in pygraphviz, else by the program `dot`. Graphviz 2 (distributions ship 2.43) draws edge
labels over each other and drops the ids of arcs, which pages need. It is refused in both cases, and so is any SVG
without an id.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from html import escape, unescape
from itertools import chain, cycle
from math import sqrt
from textwrap import wrap
from typing import Any

from fsm.edge.extras import install_command
from render.diagram.model import Diagram, DiagramError, DiagramNode, Edge, Line, NodeKind


def printable(text: str) -> str:
    """The text, with the bytes of a file name in another encoding escaped: `\\udcff`."""
    return text.encode(errors="backslashreplace").decode()


WRAP = 24
"""Characters in a line of an edge label."""
WRAP_NOTE = 110
"""Characters in a line about what is counted."""
FONT = "Helvetica,Arial,sans-serif"
INK, GREY, PALE = "#222222", "#5a5a5a", "#c4c4c4"
HUES = ("#1f5fa8", "#8a6d00", "#b3402a", "#7a4fa3", "#2b7a4b", "#00767f", "#a03a72", "#5b6b1f", "#4a5a94", "#8c5030")
"""Colours of phases and of the edges that leave them, with sufficient contrast on white."""
FILLS = {
    NodeKind.TURN: "#e6effa",
    NodeKind.CHOICE: "#e8f4ea",
    NodeKind.ASKING: "#fbeee0",
    NodeKind.FORCED: "#eeeeee",
    NodeKind.FINAL: "#ffffff",
}
ACTIVE_FILL = "#ffd54d"
LAYOUT = {"rankdir": "LR", "nodesep": "0.12", "ranksep": "0.43", "pad": "0.1", "bgcolor": "white"}
NARROW = LAYOUT | {"nodesep": "0.1", "ranksep": "0.3"}
WRAP_ACTS, WRAP_ACTS_NARROW = 34, 26
"""Characters in a line about who acts in a phase."""
COLUMNS = {kind: index for index, kind in enumerate(NodeKind)} | {
    NodeKind.ASKING: list(NodeKind).index(NodeKind.CHOICE)
}
"""The index of each kind of phases in the layout; seats are asked beside the other choices."""
FEWER_COLUMNS = COLUMNS | {NodeKind.INITIAL: COLUMNS[NodeKind.TURN], NodeKind.FINAL: COLUMNS[NodeKind.FORCED]}
BOLDEST, TAKEN = 9.0, 2.4
"""Width in points of the edge with the most traffic, and of an edge on the path of the game."""


def dot(diagram: Diagram) -> str:
    """The DOT source of `diagram`; equal diagrams give equal text."""
    phases = [node.name for node in diagram.nodes if node.kind is not NodeKind.INITIAL]
    hues = {node.name: INK for node in diagram.nodes} | dict(zip(phases, cycle(HUES), strict=False))
    most = max((edge.fired or 0 for edge in diagram.edges), default=0)

    def drawn_edge(edge: Edge) -> tuple[str, dict[str, str]]:
        look = {"color": hues[edge.source], **_look(edge, most)}
        bar = f'BORDER="1" SIDES="L" COLOR="{look["color"]}"'
        return labelled(bar, edge, partial(_rows, hue=look["color"])), look

    legend = {"fontname": FONT, "fontsize": "11", "label": _legend(diagram), "labelloc": "t", "labeljust": "l"}
    defaults = {
        "graph": legend | (NARROW if diagram.asks else LAYOUT),
        "node": {"fontname": FONT, "fontsize": "10", "fontcolor": INK},
        "edge": {"arrowsize": "0.75"},
    }
    return graph_source(diagram, defaults, lambda node: _phase(diagram, node, hues[node.name]), drawn_edge)


def graph_source(
    diagram: Diagram,
    defaults: Mapping[str, dict[str, str]],
    drawn_node: Callable[[DiagramNode], dict[str, str]],
    drawn_edge: Callable[[Edge], tuple[str, dict[str, str]]],
) -> str:
    """The DOT source of a diagram. defaults: the attributes of the graph and of all nodes and edges. drawn_node: the
    attributes of a phase. drawn_edge: the label of an edge, and the attributes of its halves.
    """
    from graphviz import Digraph

    graph = Digraph(diagram.title)
    for kind, attributes in defaults.items():
        graph.attr(kind, **attributes)
    for group, nodes in diagram.groups.items():
        with graph.subgraph() as column:
            if group is NodeKind.TURN:
                column.attr(rank="same")
            for node in nodes:
                column.node(node.name, id=node.name, **drawn_node(node))
    for edge in diagram.edges:
        _add_edge(graph, diagram, edge, *drawn_edge(edge))
    return str(graph.source)


def _phase(diagram: Diagram, node: DiagramNode, hue: str) -> dict[str, str]:
    """The attributes of a phase: a black dot for the initial one, a double circle for the final one."""
    highlight = {"fillcolor": ACTIVE_FILL, "penwidth": "3"} if node.active else {}
    if node.kind is NodeKind.INITIAL:
        return {"shape": "circle", "style": "filled", "fillcolor": INK, "label": "", "width": "0.22"} | highlight
    size = 12 if node.kind is NodeKind.FINAL else 14
    title = f'<FONT POINT-SIZE="{size}"><B>{escape(node.title)}</B></FONT>'
    width = WRAP_ACTS_NARROW if diagram.asks else WRAP_ACTS
    acts = "".join(f"<BR/>{escape(line)}" for line in chain(*(wrap(text, width) for text in node.acts)))
    if node.kind is NodeKind.FINAL:
        shape = {"shape": "doublecircle", "style": "filled", "margin": "0"}
    else:
        shape = {"shape": "box", "style": "rounded,filled", "margin": "0.14,0.08"}
    look = {"label": f"<{title}{acts}>", "color": hue, "penwidth": "1.6", "fillcolor": FILLS[node.kind]}
    return shape | look | highlight


def _add_edge(graph: Any, diagram: Diagram, edge: Edge, words: str, look: dict[str, str]) -> None:
    """Add an edge in two halves with its label between them; the head is at the destination."""
    middle, name = f"{edge.source} to {edge.dest}", f"{edge.source}-{edge.dest}"
    first, second = {"id": f"{name}-out", **look}, {"id": f"{name}-in", **look}
    graph.node(middle, shape="plain", label=words)
    columns = FEWER_COLUMNS if diagram.asks else COLUMNS
    source, dest = (columns[diagram.node(end).kind] for end in (edge.source, edge.dest))
    if source > dest:
        graph.edge(middle, edge.source, dir="none", **first)
    else:
        graph.edge(edge.source, middle, dir="none", **first)
    if source < dest:
        graph.edge(middle, edge.dest, headport="w", **second)
    else:
        graph.edge(edge.dest, middle, dir="back", **second)


def _look(edge: Edge, most: int) -> dict[str, str]:
    """The attributes of an edge for its traffic and for the path of a game. most: the traffic of any edge.

    The square of its width grows with its traffic; an edge without traffic is dotted, one off the path is pale.
    """
    if edge.taken is not None:
        return {"penwidth": f"{TAKEN}"} if edge.taken else {"color": PALE}
    if edge.is_removed or edge.fired == 0:
        return {"style": "dotted"}
    if edge.fired is None:
        return {}
    return {"penwidth": f"{1 + (BOLDEST - 1) * sqrt(edge.fired / most):.1f}", "arrowsize": "0.6"}


def labelled(border: str, edge: Edge, rows: Callable[[Line], Iterable[str]]) -> str:
    """The label of an edge: a table of its arcs, of which a browser shows the rules as tooltips.

    border: the attributes of the border. rows: the texts of an arc.
    """
    cells = "".join(
        f'<TR><TD ALIGN="LEFT" BALIGN="LEFT" ID="arc-{line.number}" TITLE="{escape(line.description)}">'
        f"{'<BR/>'.join(rows(line))}</TD></TR>"
        for line in edge.lines
    )
    return f'<<TABLE {border} CELLBORDER="0" CELLSPACING="0" CELLPADDING="2">{cells}</TABLE>>'


def _rows(line: Line, hue: str) -> Iterator[str]:
    """`event [guards]`, then `/ effects`, then the count and the indices in a game, wrapped."""
    pale = line.path == ()
    ink, grey = (PALE, PALE) if pale else (INK, GREY)
    first, *more = _wrapped(f"{line.event} {line.condition}")
    event = f"<S>{escape(line.event)}</S>" if line.is_removed else escape(line.event)
    yield f'<FONT COLOR="{hue}"><B>{event}</B></FONT>{_in(ink, first.removeprefix(line.event))}'
    yield from (_in(ink, text) for text in more)
    yield from (_in(grey, text) for text in _wrapped(line.action))
    yield from (f"<B>{_in(hue, text)}</B>" for text in _wrapped(line.count) + _wrapped(line.indices))
    yield from (f"<I>{_in(hue, text)}</I>" for text in _wrapped(line.mark))


def _in(colour: str, text: str) -> str:
    """`text` in a colour, unless it is the default one."""
    return escape(text) if colour == INK or not text else f'<FONT COLOR="{colour}">{escape(text)}</FONT>'


def _wrapped(text: str) -> list[str]:
    return wrap(text, WRAP, break_long_words=False, break_on_hyphens=False)


def _legend(diagram: Diagram) -> str:
    """The title, the reading of an edge, the note on its counts, and the colours of the phases."""
    title = f'<FONT POINT-SIZE="18"><B>{escape(diagram.title)}</B></FONT>'
    reading = f'<FONT COLOR="{GREY}">event [guards] / effects, in the colour of the phase that is left</FONT>'
    note = [f"<B>{escape(text)}</B>" for text in wrap(diagram.note, WRAP_NOTE)]
    boxes = "".join(
        f'<TD BGCOLOR="{FILLS[kind]}">{escape(nodes[0].who)}</TD>'
        for kind, nodes in diagram.groups.items()
        if kind not in (NodeKind.INITIAL, NodeKind.FINAL)
    )
    kinds = f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="3" CELLPADDING="4"><TR>{boxes}</TR></TABLE>'
    rows = "".join(f'<TR><TD ALIGN="LEFT">{row}</TD></TR>' for row in (title, reading, *note, kinds))
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="3">{rows}</TABLE>>'


# ---------------------------------------------------------------- for pages

WRAP_BRIEF = 22
"""Characters in a line of an edge label."""
SHAPES = {
    NodeKind.INITIAL: {"shape": "circle", "label": "", "width": "0.22"},
    NodeKind.FINAL: {"shape": "doublecircle", "margin": "0.02", "fontsize": "11"},
}
SPACED, CLOSE = {"nodesep": "0.1", "ranksep": "0.34"}, {"nodesep": "0.04", "ranksep": "0.22"}
"""Distances of most machines, and of those that have more phases because seats are asked."""
BOX = {"shape": "box", "style": "rounded", "margin": "0.2,0.11"}


def brief(diagram: Diagram) -> str:
    """The DOT source of `diagram` with the names of phases and events, and the guards that distinguish arcs.

    Phases have the class `phase` and that of their kind, the label of an edge the class `words`.
    """
    defaults = {
        "graph": LAYOUT | {"bgcolor": "transparent"} | (CLOSE if diagram.asks else SPACED),
        "node": {"fontname": FONT, "fontsize": "10"},
        "edge": {"arrowsize": "0.7"},
    }
    return graph_source(diagram, defaults, _brief_phase, lambda edge: (labelled('BORDER="0"', edge, _brief_rows), {}))


def _brief_phase(node: DiagramNode) -> dict[str, str]:
    style = {"label": node.title, "fontsize": "13", "class": f"phase {node.kind.name.lower()}"}
    return style | SHAPES.get(node.kind, BOX)


def _brief_rows(line: Line) -> Iterable[str]:
    """The event, then the guards that distinguish the arc."""
    words = f"{line.event} [{line.apart}]" if line.apart else line.event
    return map(escape, [words] if len(words) <= WRAP_BRIEF else words.split(" ", 1))


OLDEST = 3
"""The oldest supported major version of Graphviz."""
INSTALL = f"install Graphviz {OLDEST} or later, or {install_command('diagrams')}"
NO_NEED = "the formats dot, mermaid and table need neither"
NOTHING_DRAWS = f"nothing is installed that draws pictures: {INSTALL}"

Draw = Callable[[str, str], bytes]
"""Draws DOT text in a format of Graphviz."""


def svg(diagram: Diagram) -> str:
    """The picture as an `<svg>` element, which may stand in a page or a file. Raises DiagramError."""
    source = dot(diagram)
    return fitted(draw_svg(diagram, source), draw(source, "json"))


def picture(format: str, diagram: Diagram, scale: int = 1) -> bytes:
    """The picture as a file of another format of Graphviz. scale: times the usual size. Raises DiagramError."""
    source = dot(diagram)
    if scale != 1:
        source = source.replace("{\n", f"{{\n\tgraph [dpi={DPI * scale}]\n", 1)
    return draw(source, format)


DPI = 96
"""Pixels an inch of a picture of the usual size."""
SIZE_OF_PICTURE = re.compile(r'(?<=<svg )width="(\d+)pt" height="(\d+)pt"')


def enlarged(text: str, scale: int) -> str:
    """An `<svg>` element in a multiple of its size."""
    return SIZE_OF_PICTURE.sub(lambda size: f'width="{int(size[1]) * scale}pt" height="{int(size[2]) * scale}pt"', text)


def draw_svg(diagram: Diagram, source: str) -> str:
    """The `<svg>` element of DOT text that shows `diagram`. Raises DiagramError, also if an id is missing in it."""
    text = draw(source, "svg").decode()
    found = set(re.findall(r'\bid="([^"]*)"', unescape(text)))
    names = [node.name for node in diagram.nodes]
    for edge in diagram.edges:
        names += [f"arc-{line.number}" for line in edge.lines]
        names += [f"{edge.source}-{edge.dest}-{half}" for half in ("out", "in")]
    if missing := [name for name in names if name not in found and f"a_{name}" not in found]:
        raise DiagramError(f"the installed Graphviz drops ids, such as {missing[0]!r}: {INSTALL}; {NO_NEED}")
    return text[text.index("<svg") :]


def draw(source: str, format: str) -> bytes:
    """DOT text drawn in a format of Graphviz. Raises DiagramError if no suitable Graphviz is installed."""
    refused = NOTHING_DRAWS
    for fault, drawing in _installed():
        if not fault:
            return drawing(printable(source), format)
        refused = fault
    raise DiagramError(f"{refused}; {NO_NEED}")


def _installed() -> Iterator[tuple[str, Draw]]:
    """What is installed that draws, best first: the reason why it cannot be used, if there is one, and how it draws."""
    try:
        import pygraphviz
    except ModuleNotFoundError:
        pass
    except ImportError as error:  # a library of the system that its wheel does not bring
        unloaded = f"pygraphviz cannot be loaded, {error}"
        yield f"{unloaded}: install that library, or Graphviz {OLDEST} or later", lambda source, format: b""
    else:
        fault = _too_old("that of pygraphviz", pygraphviz.graphviz.GRAPHVIZ_MAJOR_VERSION)
        yield fault, lambda source, format: pygraphviz.AGraph(string=source).draw(format=format, prog="dot")
    import graphviz

    with suppress(graphviz.ExecutableNotFound):
        fault = _too_old("the program dot", graphviz.version()[0])
        yield fault, lambda source, format: graphviz.Source(source).pipe(format)


def _too_old(name: str, major: int) -> str:
    """Why a version of Graphviz cannot be used; empty if it can."""
    return f"{name} is Graphviz {major}, which draws labels over each other: {INSTALL}" if major < OLDEST else ""


# ---------------------------------------------------------------- widths of texts

TEXT = re.compile(r"<text (?P<attributes>[^>]*)>(?P<text>[^<]*)</text>")
SIZE = re.compile(r'font-size="([\d.]+)"')
BOLD, ITALIC = 1, 2
"""Flags of a font in Graphviz's JSON."""


Shown = tuple[str, float, int]
"""A text, its size and the flags of its font: what decides how wide it is."""


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
    return unescape(found["text"]), float(size[1]) if size else 0.0, flags


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
                    yield (operation["text"], size, flags), operation["width"]
