"""Sheets of tables and a drawing, as notebooks show machines, checks, totals and studies: HTML without a script."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape

from render.page.document import asset

DRAWING = (
    '<div style="overflow-x:auto"><img style="width:100%;min-width:48em;background:#ffffff;border-radius:8px" '
    'alt="{}" src="data:image/svg+xml;base64,{}"></div>'
)


def sheet(title: str, *parts: str) -> str:
    """Return a sheet with a title. parts: HTML, as of `table`."""
    style = asset("sheet.css")
    return f'<style>{style}</style><div class="maumau-sheet"><b>{escape(title)}</b>{"".join(parts)}</div>'


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str = "", note: str = "") -> str:
    """Return a table; numbers are written with commas, and stand at the right as texts that begin with a digit do.

    columns: the heading of each. rows: the cells of each row, numbers or text. note: what is written below.
    """
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    below = f"<p>{escape(note)}</p>" if note else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


def _cell(value: object) -> str:
    text = f"{value:,}" if isinstance(value, int) else str(value)
    is_number = text.lstrip("-+")[:1].isdigit()
    return f"<td{' class=number' if is_number else ''}>{escape(text)}</td>"


def drawing(picture: str, words: str) -> str:
    """Return a drawing as wide as the sheet. picture: an SVG. words: what it shows, for people who hear it.

    As an image, its ids clash with those of no other output of the notebook, and it runs no script.
    """
    return DRAWING.format(escape(words), b64encode(picture.encode()).decode())
