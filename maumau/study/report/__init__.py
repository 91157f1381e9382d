"""The report of a study, in several formats."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from io import StringIO
from itertools import chain
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, cast

from fsm.edge.extras import require
from fsm.edge.notebook import Sheet, SheetTable
from maumau.study import FORMATS
from maumau.study.counts import StudyProgress
from maumau.study.report.sections import report_of_rules, report_of_study
from maumau.study.report.tables import ColumnKind, Section, StudyReport, known
from maumau.study.summary import Findings, RuleComparison, Summary, comparison, summary
from render.diagram.statecharts import in_markdown

if TYPE_CHECKING:
    from rich.console import Console


__all__ = ["FORMATS", "check", "render", "report_text"]


def check(format: str) -> None:
    """Raise ValueError for an unknown format, StudyError if a package is missing that it needs."""
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r}; use one of {', '.join(FORMATS)}")
    require(f"the format {format}", *FORMATS[format])


def render(found: Summary | RuleComparison, format: str) -> str:
    """Return the report of a study, or of rules that are compared, in one of FORMATS. Raises what `check` raises."""
    check(format)
    return _WRITERS[format](_report_of(found))


def report_text(progress: StudyProgress, format: str) -> str:
    """Return the report of the progress of a study, in one of FORMATS. Raises what `check` raises."""
    return render((summary if progress.spec.compared_with is None else comparison)(progress), format)


def _report_of(found: Findings) -> StudyReport:
    return report_of_study(found) if isinstance(found, Summary) else report_of_rules(cast(RuleComparison, found))


def sheet_of(found: Findings) -> Sheet:
    """Return the report as a notebook shows it."""
    report = _report_of(found)
    tables = [
        SheetTable([column.title for column in section.columns], section.cells(), section.title, section.note)
        for section in report.sections
    ]
    return Sheet(" ".join(filter(None, (report.title, report.sentences()))), tables)


def _markdown(report: StudyReport) -> str:
    """A title, then a heading and a table for each section."""
    end = "" if report.is_closed else f"{report.sentences()} Intervals (from, to): {report.intervals}."
    tables = chain.from_iterable(map(_parts, report.sections))
    parts = (f"# {in_markdown(report.title)}", *tables, in_markdown(end))
    return "\n\n".join(filter(None, parts)) + "\n"


def _parts(section: Section) -> Iterator[str]:
    lines = [
        [in_markdown(column.title) for column in section.columns],
        ["---" if column.kind is ColumnKind.TEXT else "---:" for column in section.columns],
        *([in_markdown(cell) for cell in row] for row in section.cells()),
    ]
    yield f"## {section.title}"
    yield "\n".join(f"| {' | '.join(line)} |" for line in lines)
    yield in_markdown(section.note)


def _delimited(report: StudyReport) -> str:
    """CSV, one figure a line at full precision, so that one file holds all tables."""
    page = StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(["table", "row", "column", "value"])
    for section in report.sections:
        for row in section.rows:
            cells = list(zip(section.columns, row, strict=True))
            named = " | ".join(str(value) for column, value in cells if column.key)
            writer.writerows((section.name, named, column.title, value) for column, value in cells if not column.key)
    return page.getvalue()


LISTED = 20
"""Games without a winner that are listed on a terminal."""
WIDE = 200
"""Columns of a page that is not a terminal."""
NARROWEST = 100
"""Columns that are filled at least: on a narrower terminal lines go on in the next one, no digit is lost."""


class _Page(StringIO):
    """Text in the encoding of standard output: rich draws in ASCII what is not for UTF-8."""

    @property
    def encoding(self) -> str:  # type: ignore[override]  # there it is an attribute
        return getattr(sys.stdout, "encoding", None) or "utf-8"


def terminal(report: StudyReport) -> str:
    """The tables of a report."""
    from rich.console import Console
    from rich.text import Text

    is_terminal = sys.stdout.isatty()
    width = max(get_terminal_size().columns, NARROWEST) if is_terminal else WIDE
    console = Console(file=(page := _Page()), force_terminal=is_terminal, width=width)
    console.print(Text(report.title, style="bold"))
    if sentences := report.sentences():
        console.print(Text(sentences))
    for section in report.sections:
        if section.name == "unfinished" and (more := len(section.rows) - LISTED) > 0:
            note = f"{section.note} {more:,} more: see --format json.".strip()
            _print(console, replace(section, rows=section.rows[:LISTED], note=note))
        elif section.name != "study":
            _print(console, section)
    console.print(Text(f"\nIntervals (from, to): {report.intervals}.", style="dim"))
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines()) + "\n"


def _print(console: Console, section: Section) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    look: dict[str, Any] = {"box": box.SIMPLE_HEAD, "pad_edge": False, "padding": (0, 1, 0, 0)}
    shown = Table(title=Text(section.title, style="bold"), title_justify="left", **look)
    for column in section.columns:
        right = column.kind is not ColumnKind.TEXT
        shown.add_column(Text(column.title), justify="right" if right else "left", no_wrap=right)
    for row in section.cells():
        shown.add_row(*map(Text, row))
    console.print()
    console.print(shown)
    if section.note:
        console.print(Text(section.note, style="dim"))


STYLE = """\
:root { color-scheme: light dark; --font: system-ui, sans-serif;
  --ink: #1d1d1f; --ground: #ffffff; --faint: #6b6b70; --line: #d8d8dc;
  --hue-1: #2f6db3; --hue-2: #c0582c; --hue-3: #2b7a4b; --hue-4: #8050a8; }
@media (prefers-color-scheme: dark) { :root {
  --ink: #e8e8ea; --ground: #17181a; --faint: #a0a0a6; --line: #3a3b3f;
  --hue-1: #6ea8e8; --hue-2: #ec8f63; --hue-3: #66bd8a; --hue-4: #b990e0; } }
body { font: 15px/1.5 var(--font); color: var(--ink); background: var(--ground); max-width: 72rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
p.note { color: var(--faint); max-width: 50rem; }
div.table { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .8rem .2rem 0; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } th.right, td.right { text-align: right; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; }
div.row { display: flex; flex-wrap: wrap; gap: 1rem; }
figure.machine { background: #ffffff; overflow-x: auto; } figure.machine svg { min-width: 60rem; }
@media (prefers-color-scheme: dark) { figure.machine { filter: invert(0.92) hue-rotate(180deg); } }
summary { cursor: pointer; }
"""
LONG = 30
"""Rows of a table from which on it is folded."""


def page(report: StudyReport) -> str:
    """Return the page."""
    title, foot = escape(report.title), f"Intervals (from, to): {report.intervals}."
    parts = [part for each in report.sections for part in (*_section(each, report), _note(report.remark))]
    body = "\n".join(filter(None, (f"<h1>{title}</h1>", _note(report.ended), *parts, _note(foot))))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f"<style>\n{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _section(section: Section, report: StudyReport) -> Iterator[str]:
    """The heading, the plots, the table and the note of a section."""
    yield f'<h2 id="{section.name}">{escape(section.title)}</h2>'
    yield from report.pictures(section.name)
    table = _table(section)
    folded = f"<details><summary>{len(section.rows):,} rows</summary>\n{table}\n</details>"
    yield folded if len(section.rows) > LONG else table
    yield _note(section.note)


def _note(text: str) -> str:
    return f'<p class="note">{escape(text)}</p>' if text else ""


def _table(section: Section) -> str:
    sides = [' class="right"' if column.kind is not ColumnKind.TEXT else "" for column in section.columns]
    head = "".join(f"<th{side}>{escape(each.title)}</th>" for each, side in zip(section.columns, sides, strict=True))
    rows = [
        "<tr>" + "".join(f"<td{side}>{escape(cell)}</td>" for cell, side in zip(row, sides, strict=True)) + "</tr>"
        for row in section.cells()
    ]
    body = "\n".join(rows)
    return f'<div class="table"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'


_WRITERS = {
    "table": terminal,
    "markdown": _markdown,
    "json": lambda report: json.dumps(known(report.plain), indent=1, allow_nan=False) + "\n",
    "csv": _delimited,
    "html": page,
}
