"""Folds the phases in which seats are asked one after another: what happens when a seat declines is one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from render.diagram.model import Edge, Line, Node


def folded(nodes: Sequence[Node], edges: Sequence[Edge]) -> tuple[Edge, ...]:
    """The edges without the arcs by which the next seat is asked; those by which nobody is left are one line each."""
    declines = {node.name: node.declines for node in nodes}
    found = (replace(edge, lines=tuple(_folded(edge, declines[edge.source]))) for edge in edges)
    return tuple(edge for edge in found if edge.lines)


def _folded(edge: Edge, declines: Sequence[str]) -> Iterator[Line]:
    """The lines of an edge, those of declining joined to one at the place of the first."""
    joined = [line for line in edge.lines if line.event in declines]
    if edge.source != edge.dest and joined:
        yield _joined(joined)
    yield from (line for line in edge.lines if line.event not in declines)


def _joined(lines: Sequence[Line]) -> Line:
    """One line for the arcs that are fired when the last seat that is asked does nothing."""
    first = lines[0]
    fired = None if first.fired is None else sum(line.fired or 0 for line in lines)
    path = None if first.path is None else tuple(sorted(index for line in lines for index in line.path or ()))
    events = " or ".join(dict.fromkeys(line.event for line in lines))
    share = sum(line.share for line in lines)
    return replace(first, event=events, when=("all were asked",), unless=(), fired=fired, share=share, path=path)
