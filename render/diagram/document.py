"""A diagram as a Markdown document: the drawing, which GitHub and others draw from Mermaid, and all tables."""

from __future__ import annotations

from render.diagram.markdown import escaped
from render.diagram.mermaid import mermaid
from render.diagram.model import Diagram
from render.diagram.registry import renderer
from render.diagram.table import table


@renderer("markdown", "traffic", "marks")
def document(diagram: Diagram) -> str:
    """The document of `diagram`; what is counted or marked is said under the title."""
    note = f"{escaped(diagram.note)}\n\n" if diagram.note else ""
    return f"# {diagram.title}\n\n{note}```mermaid\n{mermaid(diagram)}```\n\n{table(diagram)}"
