"""A diagram as Mermaid's stateDiagram-v2, which GitHub and others draw in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from render.diagram.model import Diagram, Kind, Node

ACTIVE_CLASS = "classDef active fill:#ffd54d,stroke:#222222,stroke-width:3px"


def mermaid(diagram: Diagram) -> str:
    """The Mermaid source of `diagram`; each arc is a line of its own."""
    return "\n".join(["stateDiagram-v2", *(f"    {line}" for line in _lines(diagram))]) + "\n"


def _lines(diagram: Diagram) -> Iterator[str]:
    for node in diagram.nodes:
        if node.kind is not Kind.INITIAL:
            yield f"{node.name} : {'<br/>'.join(_escaped(text) for text in (node.title, *node.acts))}"
    for edge in diagram.edges:
        source, dest = _name(diagram.node(edge.source)), _name(diagram.node(edge.dest))
        yield from (f"{source} --> {dest} : {_escaped(str(line))}" for line in edge.lines)
    for node in diagram.nodes:
        if node.kind is Kind.FINAL:
            yield f"{node.name} --> [*]"
        if node.active and node.kind is not Kind.INITIAL:
            yield ACTIVE_CLASS
            yield f"class {node.name} active"


def _name(node: Node) -> str:
    return "[*]" if node.kind is Kind.INITIAL else node.name


def _escaped(text: str) -> str:
    """Escape the special characters of Mermaid as its entities."""
    return re.sub(r'[#:;"<>&{}%\n]', lambda found: f"#{ord(found[0])};", text)
