"""Texts of an SVG keep the widths for which they are laid out, also where another font replaces theirs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any, NamedTuple

TEXT = re.compile(r"<text (?P<attributes>[^>]*)>(?P<text>[^<]*)</text>")
SIZE = re.compile(r'font-size="([\d.]+)"')
BOLD, ITALIC = 1, 2
"""Flags of a font in Graphviz's JSON."""


class Shown(NamedTuple):
    """What decides how wide a text is."""

    text: str
    size: float
    flags: int


def fitted(svg: str, layout: bytes) -> str:
    """The SVG with the width of each text. layout: the same drawing in Graphviz's JSON, which has these widths."""
    widths = dict(_texts(json.loads(layout)))

    def with_width(found: re.Match[str]) -> str:
        width = widths.get(_shown(found))
        if not width:
            return found[0]
        return found[0].replace("<text ", f'<text textLength="{width:.2f}" lengthAdjust="spacingAndGlyphs" ', 1)

    return TEXT.sub(with_width, svg)


def _shown(found: re.Match[str]) -> Shown:
    attributes = found["attributes"]
    size = SIZE.search(attributes)
    flags = BOLD * ('font-weight="bold"' in attributes) | ITALIC * ('font-style="italic"' in attributes)
    return Shown(unescape(found["text"]), float(size[1]) if size else 0.0, flags)


def _texts(layout: dict[str, Any]) -> Iterator[tuple[Shown, float]]:
    """The texts of a drawing, with their widths in points."""
    for element in (layout, *layout.get("objects", ()), *layout.get("edges", ())):
        size, flags = 0.0, 0
        for operation in element.get("_ldraw_", ()):
            match operation["op"]:
                case "F":
                    size = operation["size"]
                case "t":
                    flags = operation["fontchar"] & (BOLD | ITALIC)
                case "T":
                    yield Shown(operation["text"], size, flags), operation["width"]
