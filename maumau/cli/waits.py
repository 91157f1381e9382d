"""`maumau waits`: the waits of mahjong hands and their scores."""

from __future__ import annotations

import json

from maumau.cli.output import read_source
from render.text.waits import explained, record, result
from rules.mahjong import read_hands, waits
from rules.reading import decoded


def run(file: str, explain: bool, as_json: bool) -> None:
    """Run `maumau waits`."""
    data, source = read_source(file)
    for number, hand in enumerate(read_hands(decoded(data, source), source), 1):
        found = waits(*hand)
        if as_json:
            print(json.dumps(record(hand, found)))
        elif explain:
            print(explained(number, hand, found), end="\n\n")
        else:
            print(result(number, found))
