"""A report as Markdown: a heading and a table for each section."""

from __future__ import annotations

import re
from collections.abc import Iterator

from maumau.study.report.model import Kind, Report, Section


def markdown(report: Report) -> str:
    """A title, then a heading and a table for each section."""
    end = "" if report.is_closed else f"{report.sentences()} Intervals (from, to): {report.intervals}."
    parts = (f"# {_escaped(report.title)}", *(part for each in report.sections for part in _parts(each)), _escaped(end))
    return "\n\n".join(filter(None, parts)) + "\n"


def _parts(section: Section) -> Iterator[str]:
    lines = [
        [_escaped(column.title) for column in section.columns],
        ["---" if column.kind is Kind.TEXT else "---:" for column in section.columns],
        *([_escaped(cell) for cell in row] for row in section.cells()),
    ]
    yield f"## {section.title}"
    yield "\n".join(f"| {' | '.join(line)} |" for line in lines)
    yield _escaped(section.note)


def _escaped(text: str) -> str:
    """Markdown's backslash before the characters that mean something to it."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text)
