"""A diagram as two Markdown tables: the phases and who acts there, the arcs and the rule that each one is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from render.diagram.model import Diagram, Node
from render.diagram.registry import renderer


@renderer("table")
def table(diagram: Diagram) -> str:
    """The Markdown tables of `diagram`; the lit phase is bold, and counts of arcs have a column if there are any."""
    arcs = list(_arcs(diagram))
    heads = ["from", "event", "guards", "callbacks", "to", "rule"]
    if any(edge.fired is not None for edge in diagram.edges):
        heads.append("fired")
    phases = ([_title(node), node.kind.value, *_acts(node)] for node in diagram.nodes)
    return (
        f"{_table(['phase', 'who acts', 'the player chooses', 'forced while possible'], phases)}\n{_table(heads, arcs)}"
    )


def _acts(node: Node) -> tuple[str, str]:
    return ", ".join(map(_code, node.offers)), ", ".join(map(_code, node.forced))


def _arcs(diagram: Diagram) -> Iterator[list[str]]:
    for edge in diagram.edges:
        source, dest = _title(diagram.node(edge.source)), _title(diagram.node(edge.dest))
        for line in edge.lines:
            words = [_escaped(text) for text in (line.guards, line.callbacks)]
            fired = [] if line.fired is None else [f"{line.fired:,}"]
            yield [source, _code(line.event), *words, dest, _escaped(line.says), *fired]


def _table(heads: list[str], rows: Iterable[list[str]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in (heads, ["---"] * len(heads), *rows))


def _title(node: Node) -> str:
    return f"**{_escaped(node.title)}**" if node.lit else _escaped(node.title)


def _code(event: str) -> str:
    return f"`{event.replace('|', chr(92) + '|')}`"


def _escaped(text: str) -> str:
    """Markdown's backslash before the characters that mean something to it."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text)
