"""The formats of a report: each renderer registers itself under the name of its format."""

from __future__ import annotations

from collections.abc import Callable

from maumau.study.summary import Summary

Renderer = Callable[[Summary], str]

FORMATS: dict[str, Renderer] = {}
"""The renderers by the names of their formats."""
NEEDED: dict[str, tuple[str, ...]] = {}
"""The packages that a format needs."""


def renderer(format: str, *needs: str) -> Callable[[Renderer], Renderer]:
    """Register a renderer of `format`: a function of a summary that returns text. needs: packages that it needs."""

    def register(function: Renderer) -> Renderer:
        FORMATS[format] = function
        NEEDED[format] = needs
        return function

    return register
