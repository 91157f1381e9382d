"""A report as one HTML page that needs nothing else: plots, tables, and the machine with its traffic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from maumau.study.report import plots
from maumau.study.report.registry import renderer
from maumau.study.report.sections import Kind, Section, completion, headline, interval_method, sections
from maumau.study.report.traffic import traffic_picture
from maumau.study.summary import Summary

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


@renderer("html", "matplotlib")
def page(summary: Summary) -> str:
    """The page."""
    parts = [part for section in sections(summary) for part in _section(section, *_pictures(summary, section.name))]
    return _document(headline(summary), completion(summary), parts, interval_method(summary))


def written(title: str, ended: str, tables: Iterable[Section], method: str) -> str:
    """A page of tables. ended: a sentence after the title, if any. method: what the intervals are."""
    return _document(title, ended, [part for section in tables for part in _section(section)], method)


def _document(title: str, ended: str, parts: Sequence[str], method: str) -> str:
    """The whole page around its sections."""
    title = escape(title)
    head = [f"<h1>{title}</h1>", f'<p class="note">{escape(ended)}</p>' if ended else ""]
    foot = f'<p class="note">Intervals (from, to): {escape(method)}.</p>'
    body = "\n".join(part for part in (*head, *parts, foot) if part)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f"<style>\n{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _section(section: Section, *pictures: str) -> Iterator[str]:
    """The heading, the plots, the table and the note of a section."""
    yield f'<h2 id="{section.name}">{escape(section.title)}</h2>'
    yield from pictures
    table = _table(section)
    if len(section.rows) > LONG:
        table = f"<details><summary>{len(section.rows):,} rows</summary>\n{table}\n</details>"
    yield table
    yield f'<p class="note">{escape(section.note)}</p>' if section.note else ""


def _pictures(summary: Summary, name: str) -> Iterator[str]:
    """The plots that belong to a section."""
    if name == "wins":
        yield _figure(plots.win_rates(summary), "wins")
    elif name == "lengths":
        for index, seating in enumerate(summary.seatings):
            if len(summary.seatings) > 1:
                yield f"<h3>{escape(', '.join(seating.policies))}</h3>"
            figures = [
                _figure(plots.histogram(distribution), f"{index}-{number}")
                for number, distribution in enumerate(seating.histograms)
            ]
            yield '<div class="row">\n' + "\n".join(figures) + "\n</div>"
    elif name == "chains":
        yield _figure(plots.chains(summary), "chains")
    elif name == "arcs" and (picture := traffic_picture(summary)):
        yield f'<figure class="machine">\n{picture}\n</figure>'


def _figure(svg: str, name: str) -> str:
    """A plot; its own identifiers are made those of the page."""
    for mark in ('id="', "url(#", 'href="#'):
        svg = svg.replace(mark, f"{mark}plot-{name}-")
    return f"<figure>\n{svg}\n</figure>"


def _table(section: Section) -> str:
    sides = [' class="right"' if column.kind is not Kind.TEXT else "" for column in section.columns]
    head = "".join(f"<th{side}>{escape(each.title)}</th>" for each, side in zip(section.columns, sides, strict=True))
    rows = [
        "<tr>" + "".join(f"<td{side}>{escape(cell)}</td>" for cell, side in zip(row, sides, strict=True)) + "</tr>"
        for row in section.cells()
    ]
    body = "\n".join(rows)
    return f'<div class="table"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'
