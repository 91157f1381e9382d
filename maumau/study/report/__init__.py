"""The report of a study, in several formats."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from io import StringIO

from maumau.study.errors import require
from maumau.study.formats import FORMATS
from maumau.study.report.model import Kind, Report, Section, known
from maumau.study.report.page import page
from maumau.study.report.sections import report_of_rules, report_of_study
from maumau.study.report.terminal import terminal
from maumau.study.summary import RuleComparison, Summary

__all__ = ["FORMATS", "check", "render"]


def check(format: str) -> None:
    """Raise ValueError for an unknown format, StudyError if a package is missing that it needs."""
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r}, expected one of {', '.join(FORMATS)}")
    require("study", f"the format {format}", *FORMATS[format])


def render(found: Summary | RuleComparison, format: str) -> str:
    """The report of a study, or of rules that are compared, in one of FORMATS. Raises like `check`."""
    check(format)
    report = report_of_study(found) if isinstance(found, Summary) else report_of_rules(found)
    return _WRITERS[format](report)


def _as_json(report: Report) -> str:
    return json.dumps(known(report.plain), indent=1, allow_nan=False) + "\n"


def _markdown(report: Report) -> str:
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


def _delimited(report: Report) -> str:
    """CSV, one figure a line at full precision, so that one file holds all tables."""
    page = StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(["table", "row", "column", "value"])
    for section in report.sections:
        writer.writerows(_figures(section))
    return page.getvalue()


def _figures(section: Section) -> Iterator[tuple[object, ...]]:
    for row in section.rows:
        cells = list(zip(section.columns, row, strict=True))
        named = " | ".join(str(value) for column, value in cells if column.key)
        yield from ((section.name, named, column.title, value) for column, value in cells if not column.key)


_WRITERS = {"table": terminal, "markdown": _markdown, "json": _as_json, "csv": _delimited, "html": page}
