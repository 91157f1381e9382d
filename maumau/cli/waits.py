"""`maumau waits`: the waits of mahjong hands and their scores."""

from __future__ import annotations

from maumau.cli.output import read_text
from rules.mahjong.answers import answers


def run(file: str, explain: bool, as_json: bool) -> None:
    """Run `maumau waits`."""
    for answer in answers(*read_text(file), explain, as_json):
        print(answer)
