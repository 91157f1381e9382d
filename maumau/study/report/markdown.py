"""A report as Markdown: a heading and a table for each section."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from maumau.study.report.registry import renderer
from maumau.study.report.sections import Kind, Section, headline, sections
from maumau.study.summary import Summary


@renderer("markdown")
def markdown(summary: Summary) -> str:
    """The tables of a report."""
    return written(headline(summary), sections(summary))


def written(title: str, tables: Iterable[Section]) -> str:
    """A title, then a heading and a table for each section."""
    return "\n\n".join([f"# {_escaped(title)}", *map(_section, tables)]) + "\n"


def _section(section: Section) -> str:
    parts = [f"## {section.title}", "\n".join(_lines(section)), _escaped(section.note)]
    return "\n\n".join(part for part in parts if part)


def _lines(section: Section) -> Iterator[str]:
    yield _line([_escaped(column.title) for column in section.columns])
    yield _line(["---" if column.kind is Kind.TEXT else "---:" for column in section.columns])
    for row in section.cells():
        yield _line([_escaped(cell) for cell in row])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """Markdown's backslash before the characters that mean something to it."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text)
