"""The formats of a diagram: each renderer registers itself under the name of its format."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from render.diagram.model import Diagram

Renderer = Callable[[Diagram], str | bytes]
R = TypeVar("R", bound=Renderer)

FORMATS: dict[str, Renderer] = {}
"""The renderers by the names of their formats."""


def renderer(format: str) -> Callable[[R], R]:
    """Register a renderer of `format`: a function of a diagram that returns text or bytes."""

    def register(function: R) -> R:
        FORMATS[format] = function
        return function

    return register
