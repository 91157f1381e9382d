"""The state diagram of any declared game: extracted to one small model, shown in several formats.

>>> from fsm.maumau import MAUMAU
>>> render(MAUMAU, "mermaid").splitlines()[0]
'stateDiagram-v2'
"""

from __future__ import annotations

from collections.abc import Mapping

from fsm.arcs import Arc, Declaration, Phase
from render.diagram import dot, mermaid, picture, table
from render.diagram.errors import DiagramError
from render.diagram.extract import extract
from render.diagram.model import Diagram, Edge, Group, Kind, Line, Node
from render.diagram.registry import FORMATS, renderer

__all__ = [
    "FORMATS",
    "Diagram",
    "DiagramError",
    "Edge",
    "Group",
    "Kind",
    "Line",
    "Node",
    "dot",
    "extract",
    "mermaid",
    "picture",
    "render",
    "renderer",
    "table",
]


def render(
    declaration: Declaration, format: str, lit: Phase | None = None, traffic: Mapping[Arc, int] | None = None
) -> str | bytes:
    """The diagram of `declaration` in one of FORMATS: text for dot, mermaid, table and svg, bytes for png and pdf.

    lit: the phase to highlight. traffic: how often each arc was fired; the more often, the bolder it is drawn.
    Raises ValueError for an unknown format, and DiagramError if nothing is installed that can draw a picture.
    """
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r}, expected one of {', '.join(FORMATS)}")
    return FORMATS[format](extract(declaration, lit, traffic))
