"""`maumau acquaintance`: shortest chains of acquaintances between two people."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from itertools import chain as chained
from typing import Literal

from maumau.cli.interrupt import BadInput
from maumau.cli.output import read_source
from render.text.acquaintance import distance, explained_case, explained_distance, record, result
from rules.acquaintance import Acquaintance, read_cases, read_tables
from rules.notation import expected_name
from rules.notation import shown as quoted
from rules.reading import decoded, plain_name

Pairs = tuple[tuple[str, str], ...]
Format = Literal["result", "explanation", "record"]


def run(file: str, seats: bool, between: Pairs, explain: bool, as_json: bool) -> None:
    """Run `maumau acquaintance`."""
    data, source = read_source(file)
    format: Format = "record" if as_json else "explanation" if explain else "result"
    text = decoded(data, source)
    for answer in _players(text, source, between, format) if seats else _cases(text, source, format):
        print(answer)


def _cases(text: str, source: str, format: Format) -> Iterator[str]:
    """The answer to each case. Raises InputError before the first one."""
    for number, case in enumerate(read_cases(text, source), 1):
        known, last = Acquaintance(case.groups), case.people - 1
        chain = known.chain(0, last)
        if format == "record":
            yield json.dumps(record(0, last, chain))
        else:
            yield f"{explained_case(number, case, known, chain)}\n" if format == "explanation" else result(chain)


def _players(text: str, source: str, between: Pairs, format: Format) -> Iterator[str]:
    """The distances between players. Raises InputError or BadInput before the first one."""
    known = Acquaintance(read_tables(text, source))
    between = tuple((plain_name(first), plain_name(last)) for first, last in between)
    _check_players(between, known.people, source)
    pairs = ((first, last, known.chain(first, last)) for first, last in between) if between else known.chains()
    for first, last, chain in pairs:
        if format == "record":
            yield json.dumps(record(first, last, chain), ensure_ascii=False)
        else:
            explain = format == "explanation"
            yield explained_distance(first, last, known, chain) if explain else distance(first, last, chain)


def _check_players(between: Pairs, players: Collection[str], source: str) -> None:
    """Raise BadInput, which suggests similar names, if a name is unknown."""
    faults = []
    for name in dict.fromkeys(chained.from_iterable(between)):
        if name not in players:
            faults.append(f"--between: {quoted(name)} sat at no table of {source}{expected_name(name, players)}")
    if faults:
        raise BadInput("\n".join(faults))
