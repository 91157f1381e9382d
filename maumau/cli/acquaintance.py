"""`maumau acquaintance`: shortest chains of acquaintances between two people."""

from __future__ import annotations

from maumau.cli.output import read_text
from render.text.acquaintance import answers_to_cases, answers_to_players


def run(file: str, seats: bool, between: tuple[tuple[str, str], ...], explain: bool, as_json: bool) -> None:
    """Run `maumau acquaintance`."""
    given = *read_text(file), explain, as_json
    for answer in answers_to_players(*given, between) if seats else answers_to_cases(*given):
        print(answer)
