"""A diagram as Markdown tables: the phases and who acts there, every event by phase, the arcs and their rules."""

from __future__ import annotations

from collections.abc import Iterator

from render.diagram.events import events
from render.diagram.markdown import code, escaped, rows, title
from render.diagram.model import Diagram, Line, Node
from render.diagram.registry import renderer


@renderer("table", "traffic", "marks")
def table(diagram: Diagram) -> str:
    """All tables of `diagram`; the active phase is bold; traffic and paths have columns of their own."""
    return f"{phases(diagram)}\n{events(diagram)}\n{arcs(diagram)}"


@renderer("phases")
def phases(diagram: Diagram) -> str:
    """The table of the phases: who acts in each, and what can happen there."""
    heads = ["phase", "who acts", "the player chooses", "forced while possible"]
    return rows(heads, ([title(node), node.kind.value, *_acts(node)] for node in diagram.nodes))


def arcs(diagram: Diagram) -> str:
    """The table of the arcs: a row for each, with its rule."""
    heads = ["from", "event", "guards", "callbacks", "to", "rule"]
    lines = [line for edge in diagram.edges for line in edge.lines]
    heads += ["fired", "percent"] * any(line.fired is not None for line in lines)
    heads += ["path"] * any(line.path is not None for line in lines)
    heads += ["house rules"] * any(line.mark for line in lines)
    return rows(heads, _arcs(diagram))


def _acts(node: Node) -> tuple[str, str]:
    return ", ".join(map(code, node.offers)), ", ".join(map(code, node.forced))


def _arcs(diagram: Diagram) -> Iterator[list[str]]:
    marked = any(line.mark for edge in diagram.edges for line in edge.lines)
    for edge in diagram.edges:
        source, dest = title(diagram.node(edge.source)), title(diagram.node(edge.dest))
        for line in edge.lines:
            words = [escaped(text) for text in (line.guards, line.callbacks)]
            yield [source, code(line.event), *words, dest, escaped(line.description), *_overlay(line, marked)]


def _overlay(line: Line, marked: bool) -> Iterator[str]:
    """How often the arc was fired, its places in the path, and the marks of house rules."""
    if line.fired is not None:
        yield from (f"{line.fired:,}", line.percent)
    if line.path is not None:
        yield line.indices
    if marked:
        yield escaped(line.mark)
