"""A report as one HTML page that needs nothing else: plots, tables, and the machine with its traffic."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from maumau.study.report.model import Kind, Report, Section

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
summary { cursor: pointer; }
"""
LONG = 30
"""Rows of a table from which on it is folded."""


def page(report: Report) -> str:
    """The page."""
    title, foot = escape(report.title), f"Intervals (from, to): {report.intervals}."
    parts = [part for each in report.sections for part in (*_section(each, report), _note(report.remark))]
    body = "\n".join(filter(None, (f"<h1>{title}</h1>", _note(report.ended), *parts, _note(foot))))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f"<style>\n{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _section(section: Section, report: Report) -> Iterator[str]:
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
    sides = [' class="right"' if column.kind is not Kind.TEXT else "" for column in section.columns]
    head = "".join(f"<th{side}>{escape(each.title)}</th>" for each, side in zip(section.columns, sides, strict=True))
    rows = [
        "<tr>" + "".join(f"<td{side}>{escape(cell)}</td>" for cell, side in zip(row, sides, strict=True)) + "</tr>"
        for row in section.cells()
    ]
    body = "\n".join(rows)
    return f'<div class="table"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'
