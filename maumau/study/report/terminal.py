"""A report for the terminal, as rich's tables; in a file they have no colours and need no terminal's width."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import StringIO
from shutil import get_terminal_size
from typing import Any

from maumau.study.report.registry import renderer
from maumau.study.report.sections import Kind, Section, completion, headline, interval_method, sections
from maumau.study.summary import Summary

LISTED = 20
"""Games without a winner that are listed on a terminal."""
WIDE = 200
"""Columns of a page that is no terminal."""
NARROWEST = 100
"""Columns that are filled at least: on a narrower terminal lines go on in the next one, no digit is lost."""


class _Page(StringIO):
    """Text in the encoding of standard output: rich draws in ASCII what is not for UTF-8."""

    @property
    def encoding(self) -> str:  # type: ignore[override]  # there it is an attribute
        return getattr(sys.stdout, "encoding", None) or "utf-8"


@renderer("table", "rich")
def table(summary: Summary) -> str:
    """The tables of a report."""
    shown = [section for section in sections(summary) if section.name != "study"]
    listed = [each.first(LISTED, "see --format json") if each.name == "unfinished" else each for each in shown]
    return printed(headline(summary), completion(summary), listed, interval_method(summary))


def printed(title: str, ended: str, tables: Sequence[Section], sure: str) -> str:
    """A page of tables. ended: a sentence after the title, if any. sure: what the intervals are."""
    from rich.console import Console
    from rich.text import Text

    terminal = sys.stdout.isatty()
    page = _Page()
    console = Console(
        file=page, force_terminal=terminal, width=max(get_terminal_size().columns, NARROWEST) if terminal else WIDE
    )
    console.print(Text(title, style="bold"))
    if ended:
        console.print(Text(ended))
    for section in tables:
        console.print()
        _print(console, section)
    console.print(Text(f"\nIntervals (from, to): {sure}.", style="dim"))
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines()) + "\n"


def _print(console: object, section: Section) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    assert isinstance(console, Console)
    look: dict[str, Any] = {"box": box.SIMPLE_HEAD, "pad_edge": False, "padding": (0, 1, 0, 0)}
    shown = Table(title=Text(section.title, style="bold"), title_justify="left", **look)
    for column in section.columns:
        right = column.kind is not Kind.TEXT
        shown.add_column(Text(column.title), justify="right" if right else "left", no_wrap=right)
    for row in section.cells():
        shown.add_row(*map(Text, row))
    console.print(shown)
    if section.note:
        console.print(Text(section.note, style="dim"))
