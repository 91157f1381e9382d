"""`maumau acquaintance`: shortest chains of acquaintances between two people."""

from __future__ import annotations

from maumau.cli.output import read_text
from rules.acquaintance import answers


def run(file: str, seats: bool, between: tuple[tuple[str, str], ...], explain: bool, as_json: bool) -> None:
    """Run `maumau acquaintance`."""
    for answer in answers(*read_text(file), seats, explain, as_json, between):
        print(answer)
