"""The formats of a diagram: each renderer registers itself under the name of its format."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar

from render.diagram.model import Diagram

Renderer = Callable[[Diagram], str | bytes]
R = TypeVar("R", bound=Renderer)

FORMATS: dict[str, Renderer] = {}
"""The renderers by the names of their formats."""
Part = Literal["traffic", "marks", "folds"]
"""What an overlay adds that not every format shows; the active phase is shown by all."""
_parts: dict[str, tuple[Part, ...]] = {}


def renderer(format: str, *parts: Part) -> Callable[[R], R]:
    """Register a renderer of `format`: a function of a diagram that returns text or bytes. parts: what it shows."""

    def register(function: R) -> R:
        FORMATS[format], _parts[format] = function, parts
        return function

    return register


def formats_with(part: str) -> list[str]:
    """The formats that show a part of an overlay."""
    return [format for format, parts in _parts.items() if part in parts]
