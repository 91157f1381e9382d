"""The table of who writes and who reads which format is what the commands declare."""

from __future__ import annotations

from pathlib import Path

from closed_loops import calls

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "formats.md"


def row(format: str) -> str:
    writers = dict.fromkeys(call.command for call in calls() if call.writes == format)
    readers = dict.fromkeys(call.command for call in calls() if call.reads == format)
    named = [", ".join(f"`{name}`" for name in names) for names in (writers, readers)]
    return f"| {' | '.join([format, *named])} |".replace("|  |", "| |")


def test_the_table_has_what_the_commands_declare() -> None:
    formats = dict.fromkeys(format for call in calls() for format in (call.reads, call.writes) if format)
    page = PAGE.read_text(encoding="utf-8").splitlines()
    table = page[page.index("| format | written by | read by |") :]
    assert table[1 : table.index("")] == ["|---|---|---|", *map(row, formats)]
