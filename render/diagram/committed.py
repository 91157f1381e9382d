"""The files of diagrams/: which there are, and what stands in them."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.arcs import Declaration
from fsm.games import NAMES, game_class
from render.diagram.dot import dot
from render.diagram.extract import extract
from render.diagram.mermaid import mermaid
from render.diagram.model import Diagram
from render.diagram.picture import svg
from render.diagram.table import table

GAMES = NAMES
"""The games that have a diagram there."""


def declarations() -> Iterator[Declaration]:
    """The declarations of GAMES."""
    return (game_class(name).declaration for name in GAMES)


def texts(declaration: Declaration) -> dict[str, str]:
    """The files of a game that are equal on every machine, by name: DOT, and a page with Mermaid and the tables."""
    diagram = extract(declaration)
    return {f"{declaration.name}.dot": dot(diagram), f"{declaration.name}.md": _page(diagram)}


def pictures(declaration: Declaration) -> dict[str, str]:
    """The pictures of a game, by name; versions of Graphviz lay them out differently. Raises DiagramError."""
    return {f"{declaration.name}.svg": svg(extract(declaration)) + "\n"}


def _page(diagram: Diagram) -> str:
    return f"# {diagram.title}\n\n```mermaid\n{mermaid(diagram)}```\n\n{table(diagram)}"
