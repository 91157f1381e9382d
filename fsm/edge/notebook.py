"""What a notebook shows of a value: its text, and what the installed renderers make of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class SheetTable(NamedTuple):
    """A table of a notebook: the heading of each column, the cells of each row, a title, and what is written below."""

    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    title: str = ""
    note: str = ""


class Sheet(NamedTuple):
    """What a notebook shows of a value that consists of figures: a title and tables."""

    title: str
    tables: Sequence[SheetTable]

    def bundle(self, text: str) -> dict[str, Any]:
        """Return what a notebook shows of the value, by MIME type. text: the value as plain text."""
        return notebook_bundle(self, text)


def notebook_bundle(value: object, text: str) -> dict[str, Any]:
    """Return what a notebook shows of a value, by MIME type. text: the value as plain text."""
    from importlib.metadata import entry_points  # it takes longer to import than anything else here

    bundle: dict[str, Any] = {"text/plain": text}
    for renderer in entry_points(group="maumau.notebook"):
        bundle |= renderer.load()(value)
    return bundle
