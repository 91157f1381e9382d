"""A report for the terminal, as rich's tables; in a file they have no colours and need no terminal's width."""

from __future__ import annotations

import sys
from io import StringIO
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from maumau.study.report.model import Kind, Report, Section

if TYPE_CHECKING:
    from rich.console import Console

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


def terminal(report: Report) -> str:
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
        if section.name != "study":
            listed = section.first(LISTED, "see --format json") if section.name == "unfinished" else section
            _print(console, listed)
    console.print(Text(f"\nIntervals (from, to): {report.intervals}.", style="dim"))
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines()) + "\n"


def _print(console: Console, section: Section) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    look: dict[str, Any] = {"box": box.SIMPLE_HEAD, "pad_edge": False, "padding": (0, 1, 0, 0)}
    shown = Table(title=Text(section.title, style="bold"), title_justify="left", **look)
    for column in section.columns:
        right = column.kind is not Kind.TEXT
        shown.add_column(Text(column.title), justify="right" if right else "left", no_wrap=right)
    for row in section.cells():
        shown.add_row(*map(Text, row))
    console.print()
    console.print(shown)
    if section.note:
        console.print(Text(section.note, style="dim"))
