"""A diagram as DOT, laid out to be read without overlaps.

The words of an edge are a small node of their own halfway between its ends, so the layout makes room for them and
leads every other edge around them. An edge has the colour of the phase that it leaves. The kinds of phases follow
each other from left to right; edges that lead back are turned around for the layout, and only for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from itertools import chain, cycle
from math import log
from textwrap import wrap
from typing import Any

from render.diagram.model import Diagram, Edge, Kind, Line, Node
from render.diagram.registry import renderer

WRAP = 24
"""Characters in a line of an edge's words."""
WRAP_ACTS = 34
"""Characters in a line about who acts in a phase."""
FONT = "Helvetica,Arial,sans-serif"
INK, GREY = "#222222", "#5a5a5a"
HUES = ("#1f5fa8", "#8a6d00", "#b3402a", "#7a4fa3", "#2b7a4b", "#00767f", "#a03a72", "#5b6b1f", "#4a5a94", "#8c5030")
"""Colours of phases and of the edges that leave them: dark enough to be read on white."""
FILLS = {Kind.TURN: "#e6effa", Kind.CHOICE: "#e8f4ea", Kind.FORCED: "#eeeeee", Kind.FINAL: "#ffffff"}
LIT = "#ffd54d"
LAYOUT = {"rankdir": "LR", "nodesep": "0.12", "ranksep": "0.43", "pad": "0.1", "bgcolor": "white"}
BOLDEST = 5.0
"""Width of the edge with the most traffic, in points."""


@renderer("dot")
def dot(diagram: Diagram) -> str:
    """The DOT source of `diagram`; equal diagrams give equal text."""
    from graphviz import Digraph

    hues = dict(zip((node.name for node in diagram.nodes if node.kind is not Kind.INITIAL), cycle(HUES), strict=False))
    graph = Digraph(diagram.title)
    graph.attr("graph", fontname=FONT, fontsize="11", label=_legend(diagram), labelloc="t", labeljust="l", **LAYOUT)
    graph.attr("node", fontname=FONT, fontsize="10", fontcolor=INK)
    graph.attr("edge", arrowsize="0.75")
    for group in diagram.groups:
        with graph.subgraph() as column:
            if group.kind is Kind.TURN:
                column.attr(rank="same")
            for node in group.nodes:
                column.node(node.name, **_phase(node, hues.get(node.name, INK)))
    boldness = _boldness(diagram)
    for edge in diagram.edges:
        _add(graph, diagram, edge, hues.get(edge.source, INK), boldness(edge))
    return str(graph.source)


def _phase(node: Node, hue: str) -> dict[str, str]:
    """The attributes of a phase: a black dot for the initial one, a double circle for the final one."""
    if node.kind is Kind.INITIAL:
        return {"shape": "circle", "style": "filled", "fillcolor": INK, "label": "", "width": "0.22", **_light(node)}
    size = 12 if node.kind is Kind.FINAL else 14
    title = f'<FONT POINT-SIZE="{size}"><B>{escape(node.title)}</B></FONT>'
    acts = "".join(f"<BR/>{escape(line)}" for line in chain(*(wrap(text, WRAP_ACTS) for text in node.acts)))
    if node.kind is Kind.FINAL:
        shape = {"shape": "doublecircle", "style": "filled", "margin": "0"}
    else:
        shape = {"shape": "box", "style": "rounded,filled", "margin": "0.14,0.08"}
    return {**shape, "label": f"<{title}{acts}>", "color": hue, "penwidth": "1.6", "fillcolor": FILLS[node.kind]} | (
        _light(node)
    )


def _light(node: Node) -> dict[str, str]:
    return {"fillcolor": LIT, "penwidth": "3"} if node.lit else {}


def _add(graph: Any, diagram: Diagram, edge: Edge, hue: str, look: dict[str, str]) -> None:
    """Add an edge in two halves, its words between them; the head is at the destination."""
    words = f"{edge.source} to {edge.dest}"
    graph.node(words, shape="plain", label=_words(edge, hue), tooltip=_rules(edge))
    look = {"color": hue, **look}
    if _leads_back(diagram, edge):
        graph.edge(words, edge.source, dir="none", **look)
    else:
        graph.edge(edge.source, words, dir="none", **look)
    if _leads_on(diagram, edge):
        graph.edge(words, edge.dest, headport="w", **look)
    else:
        graph.edge(edge.dest, words, dir="back", **look)


def _leads_on(diagram: Diagram, edge: Edge) -> bool:
    return _place(diagram, edge.source) < _place(diagram, edge.dest)


def _leads_back(diagram: Diagram, edge: Edge) -> bool:
    return _place(diagram, edge.source) > _place(diagram, edge.dest)


def _place(diagram: Diagram, name: str) -> int:
    """The place of a node's group in the layout; the initial phase is first, whatever follows it."""
    return list(Kind).index(diagram.node(name).kind)


def _boldness(diagram: Diagram) -> Callable[[Edge], dict[str, str]]:
    """How an edge shows its traffic: the wider the more, on a logarithmic scale; dotted if it has none."""
    most = max((edge.fired or 0 for edge in diagram.edges), default=0)

    def look(edge: Edge) -> dict[str, str]:
        if edge.fired is None:
            return {}
        if not edge.fired:
            return {"style": "dotted"}
        return {"penwidth": f"{1 + (BOLDEST - 1) * log(edge.fired + 1) / log(most + 1):.1f}"}

    return look


def _words(edge: Edge, hue: str) -> str:
    """The words of all arcs of an edge: a table with a bar in the colour of the edge at its left."""
    cells = "".join(
        f'<TR><TD ALIGN="LEFT" BALIGN="LEFT">{"<BR/>".join(_rows(line, hue))}</TD></TR>' for line in edge.lines
    )
    bar = f'BORDER="1" SIDES="L" COLOR="{hue}"'
    return f'<<TABLE {bar} CELLBORDER="0" CELLSPACING="0" CELLPADDING="2">{cells}</TABLE>>'


def _rules(edge: Edge) -> str:
    """The sentences of an edge's rules; a picture in a browser shows them under the pointer."""
    from graphviz import escape as quoted

    return str(quoted(" ".join(line.says for line in edge.lines)))


def _rows(line: Line, hue: str) -> Iterator[str]:
    """`event [guards]`, then `/ callbacks`, then the count, wrapped."""
    first, *more = _wrapped(f"{line.event} {line.condition}")
    yield f'<FONT COLOR="{hue}"><B>{escape(line.event)}</B></FONT>{escape(first.removeprefix(line.event))}'
    yield from map(escape, more)
    for text in _wrapped(line.action):
        yield f'<FONT COLOR="{GREY}">{escape(text)}</FONT>'
    if line.count:
        yield f'<FONT COLOR="{hue}">{escape(line.count)}</FONT>'


def _wrapped(text: str) -> list[str]:
    return wrap(text, WRAP, break_long_words=False, break_on_hyphens=False)


def _legend(diagram: Diagram) -> str:
    """Title, how an edge is read, and what the colours of the phases mean."""
    title = f'<FONT POINT-SIZE="18"><B>{escape(diagram.title)}</B></FONT>'
    reading = f'<FONT COLOR="{GREY}">event [guards] / callbacks, in the colour of the phase that is left</FONT>'
    boxes = "".join(
        f'<TD BGCOLOR="{FILLS[group.kind]}">{escape(group.kind.value)}</TD>'
        for group in diagram.groups
        if group.kind not in (Kind.INITIAL, Kind.FINAL)
    )
    kinds = f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="3" CELLPADDING="4"><TR>{boxes}</TR></TABLE>'
    rows = "".join(f'<TR><TD ALIGN="LEFT">{row}</TD></TR>' for row in (title, reading, kinds))
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="3">{rows}</TABLE>>'
