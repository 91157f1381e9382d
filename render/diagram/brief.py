"""A diagram as DOT for the interactive page: short labels, no legend, colours from the style sheet."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from render.diagram.dot import FONT, LAYOUT, graph_source, labelled
from render.diagram.model import Diagram, Kind, Line, Node

WRAP = 22
"""Characters in a line of an edge label."""
SHAPES = {
    Kind.INITIAL: {"shape": "circle", "label": "", "width": "0.22"},
    Kind.FINAL: {"shape": "doublecircle", "margin": "0.02", "fontsize": "11"},
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
    return graph_source(diagram, defaults, _phase, lambda edge: (labelled('BORDER="0"', edge, _rows), {}))


def _phase(node: Node) -> dict[str, str]:
    style = {"label": node.title, "fontsize": "13", "class": f"phase {node.kind.name.lower()}"}
    return style | SHAPES.get(node.kind, BOX)


def _rows(line: Line) -> Iterable[str]:
    """The event, then the guards that distinguish the arc."""
    words = f"{line.event} [{line.apart}]" if line.apart else line.event
    return map(escape, [words] if len(words) <= WRAP else words.split(" ", 1))
