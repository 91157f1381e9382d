"""A diagram as a table of every event by phase: its destination, and why it is refused."""

from __future__ import annotations

from collections.abc import Iterator

from render.diagram.markdown import code, escaped, rows, title
from render.diagram.model import Diagram, Node
from render.diagram.registry import renderer

REFUSED = "·"


@renderer("events")
def events(diagram: Diagram) -> str:
    """A row for each phase and a column for each event; the reasons of refusals under the table."""
    heads = ["phase", *map(code, diagram.events)]
    cells = ([title(node), *(_cell(diagram, node, event) for event in diagram.events)] for node in diagram.nodes)
    here = "".join(f"- {line}\n" for line in _refusals(diagram))
    elsewhere = f"{REFUSED} is refused: it is no event of the phase. Where it is one, it is refused:"
    return f"{rows(heads, cells)}\n{elsewhere}\n\n{here}"


def _cell(diagram: Diagram, node: Node, event: str) -> str:
    """The destinations of an event from a phase, with the guards that distinguish them."""
    destinations = [
        f"{escaped(f'[{line.apart}] ' if line.apart else '')}→ {title(diagram.node(edge.dest))}"
        for edge in diagram.edges
        for line in edge.lines
        if edge.source == node.name and line.event == event
    ]
    return "<br>".join(destinations) or REFUSED


def _refusals(diagram: Diagram) -> Iterator[str]:
    """`play` in await-play: ..."""
    for refusal in diagram.refusals:
        yield f"{code(refusal.event)} in {escaped(diagram.node(refusal.phase).title)}: {escaped(refusal.why)}"
