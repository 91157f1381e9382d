"""What the renderers of Markdown share: rows of a table, and the escapes of what means something to Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable

from render.diagram.model import Node


def rows(heads: list[str], cells: Iterable[list[str]]) -> str:
    """A table with `heads` over rows of `cells`."""
    return "".join(f"| {' | '.join(row)} |\n" for row in (heads, ["---"] * len(heads), *cells))


def title(node: Node) -> str:
    """The name of a phase, bold if it is lit."""
    return f"**{escaped(node.title)}**" if node.active else escaped(node.title)


def code(event: str) -> str:
    """An event as code."""
    return f"`{event.replace('|', chr(92) + '|')}`"


def escaped(text: str) -> str:
    """Markdown's backslash before the characters that mean something to it."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text)
