"""`maumau acquaintance`: how few steps of acquaintance are between two people."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from itertools import chain as chained
from typing import Literal

import click

from cli.failure import BadInput
from cli.source import read_source
from rules.notation import shown as quoted
from rules.reading import InputError, decoded

Pairs = tuple[tuple[str, str], ...]
Overlay = Literal["result", "told", "record"]


HELP = """Print by how many persons at most the first person of each case can know the last one, wywcgs.

The input is the problem's (HOJ 2434), from FILE or standard input: cases until `0 0` or the end. A case is the
numbers of groups and of people on a line, then a line a group: the number of its members, and the members, from 0.

With --seats a line of the input is a table: the names of the players who sat there, any words with blanks between
them. Printed is how many steps players are apart: 1 if they sat at one table, `never` if no chain links them.

\b
Examples:
  maumau acquaintance groups.txt
  maumau acquaintance --explain - < groups.txt
  maumau acquaintance --seats tables.txt --between anna dora --between anna emil
"""


@click.command(help=HELP)
@click.argument("file", default="-", metavar="[FILE|-]")
@click.option("--seats", is_flag=True, help="Read tables instead: on each line the names of the players who sat there.")
@click.option(
    "--between",
    nargs=2,
    multiple=True,
    metavar="NAME NAME",
    help="With --seats: two players, as often as wanted; by default every two.",
)
@click.option("--explain", is_flag=True, help="Tell a shortest chain, and the groups or tables that link it.")
@click.option("--json", "as_json", is_flag=True, help="Print one record a case, or a pair of players, one a line.")
def acquaintance(file: str, seats: bool, between: Pairs, explain: bool, as_json: bool) -> None:
    """Run `maumau acquaintance`."""
    if explain and as_json:
        raise BadInput("--explain and --json: expected one of them")
    if between and not seats:
        raise BadInput("--between: names of players, expected with --seats only")
    data, source = read_source(file)
    shown: Overlay = "record" if as_json else "told" if explain else "result"
    try:
        text = decoded(data, source)
        answers = _players(text, source, between, shown) if seats else _cases(text, source, shown)
        for answer in answers:
            print(answer)
    except InputError as error:
        raise BadInput(str(error)) from None


def _cases(text: str, source: str, shown: Overlay) -> Iterator[str]:
    """The answer to each case. Raises InputError before the first one."""
    from render.text.acquaintance import case_told, record, result
    from rules.acquaintance.graph import Acquaintance
    from rules.acquaintance.reading import read_cases

    for number, case in enumerate(read_cases(text, source), 1):
        known, last = Acquaintance(case.groups), case.people - 1
        chain = known.chain(0, last)
        if shown == "record":
            yield json.dumps(record(0, last, chain))
        else:
            yield f"{case_told(number, case, known, chain)}\n" if shown == "told" else result(chain)


def _players(text: str, source: str, between: Pairs, shown: Overlay) -> Iterator[str]:
    """How far players are apart. Raises InputError or BadInput before the first answer."""
    from render.text.acquaintance import distance, distance_told, record
    from rules.acquaintance.graph import Acquaintance
    from rules.acquaintance.reading import read_tables

    known = Acquaintance(read_tables(text, source))
    _check_players(between, known.people, source)
    pairs = ((first, last, known.chain(first, last)) for first, last in between) if between else known.chains()
    for first, last, chain in pairs:
        if shown == "record":
            yield json.dumps(record(first, last, chain), ensure_ascii=False)
        else:
            yield distance_told(first, last, known, chain) if shown == "told" else distance(first, last, chain)


def _check_players(between: Pairs, players: Collection[str], source: str) -> None:
    """Raise BadInput, which tells names like those that are unknown, if somebody sat at no table."""
    from difflib import get_close_matches

    faults = []
    for name in dict.fromkeys(chained.from_iterable(between)):
        if name not in players:
            like = get_close_matches(name, players)
            expected = ", ".join(like) if like else f"one of {len(players)} players, such as {next(iter(players))}"
            faults.append(f"--between: {quoted(name)} sat at no table of {source}, expected {expected}")
    if faults:
        raise BadInput("\n".join(faults))
