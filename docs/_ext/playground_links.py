"""Links that open the examples of the pages in the playground: each carries its example in its fragment.

A session opens with the sessions before it on its page, whose names it uses; a file of a machine opens as a whole. A
block that is marked `installed` runs only where the package is installed: it has no link, nor have those that take
long.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fences import Block, blocks_of

DOCS = Path(__file__).resolve().parents[1]
WITHOUT = {"not-run", "thorough", "installed"}
"""The marks of blocks without a link."""
MACHINE = re.compile(r"^class \w+\(Game\b|^\w+ = Variant\(", re.MULTILINE)
"""A class of a game, or a house rule."""


def opened(page: str, text: str) -> Iterator[tuple[Block, str]]:
    """The blocks of a page that open in the playground, each with the text that is shown there."""
    sessions: list[str] = []
    for block in blocks_of(page, text):
        if block.marks & WITHOUT:
            continue
        if block.language == "pycon":
            sessions.append(block.body)
            yield block, "\n".join(sessions)
        elif MACHINE.search(machine := _machine(block)):
            yield block, machine


def _machine(block: Block) -> str:
    """The text of a block that may declare a machine: its own, or that of the file of which it shows a part."""
    if block.language == "python":
        return block.body
    if block.language == "{literalinclude}" and block.argument.endswith(".py"):
        return (DOCS / block.page).parent.joinpath(block.argument).read_text(encoding="utf-8")
    return ""


def fragment(text: str) -> str:
    """A text as the playground reads it from the fragment of an address: deflated, in the alphabet of base64url."""
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(text.encode()) + packer.flush()
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def with_links(page: str, text: str) -> str:
    """The text of a page with a link behind each block that opens in the playground."""
    site = "../" * page.count("/")
    parts, end = [], 0
    for block, shown in opened(page, text):
        address = f"{site}playground/index.html#code={fragment(shown)}"
        parts += [
            text[end : block.end],
            f'\n\n<p class="playground"><a href="{address}">Open in the playground</a></p>\n',
        ]
        end = block.end
    return "".join([*parts, text[end:]])


def _read(app: Any, name: str, source: list[str]) -> None:
    if (DOCS / f"{name}.md").exists():
        source[0] = with_links(f"{name}.md", source[0])


def setup(app: Any) -> dict[str, bool]:
    """Add the links to each page when Sphinx reads it."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True}
