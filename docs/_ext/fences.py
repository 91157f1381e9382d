"""The fenced blocks of a page in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

FENCE = re.compile(r"^```(?P<info>[^\n`]+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r":(\S+?): *(.*)\n")


class Block(NamedTuple):
    """A fenced block. caption: the file that it is. argument: what stands behind its name.

    marks: `thorough` (slow), `not-run` (only its commands are read), `installed` (does not run in the playground).
    end: where it ends in the page.
    """

    page: str
    line: int
    language: str
    argument: str
    caption: str
    marks: frozenset[str]
    body: str
    end: int

    @property
    def place(self) -> str:
        """The page and the line, for messages."""
        return f"{self.page}:{self.line}"


def blocks_of(page: str, text: str) -> Iterator[Block]:
    """The blocks of the text of a page."""
    for found in FENCE.finditer(text):
        info, body = found["info"].split(), found["body"]
        options: dict[str, str] = {}
        while match := OPTION.match(body):
            options[match[1]], body = match[2], body[match.end() :]
        language = info.pop(1) if info[0] == "{code-block}" else info[0]
        line = text[: found.start()].count("\n") + 1
        marks = frozenset(options.get("class", "").split())
        caption, body = options.get("caption", ""), body.lstrip("\n")
        yield Block(page, line, language, " ".join(info[1:]), caption, marks, body, found.end())
