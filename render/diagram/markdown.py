"""Helpers of the Markdown renderers: rows of a table, and escapes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from render.diagram.model import Node


def rows(heads: list[str], cells: Iterable[list[str]]) -> str:
    """A table with `heads` over rows of `cells`."""
    return "".join(f"| {' | '.join(row)} |\n" for row in (heads, ["---"] * len(heads), *cells))


def title(node: Node) -> str:
    """The name of a phase, bold if it is active."""
    return f"**{escaped(node.title)}**" if node.active else escaped(node.title)


def code(event: str) -> str:
    """An event as code."""
    return f"`{event.replace('|', chr(92) + '|')}`"


def escaped(text: str) -> str:
    """Escape the special characters of Markdown."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text)
