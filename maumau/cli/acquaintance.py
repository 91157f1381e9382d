"""`maumau acquaintance`: shortest chains of acquaintances between two people."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from itertools import chain as chained
from typing import Literal

import click

from maumau.cli.interrupt import BadInput
from maumau.cli.modes import modes, one_of, only_with
from maumau.cli.output import read_source
from rules.notation import shown as quoted
from rules.reading import decoded

Pairs = tuple[tuple[str, str], ...]
Format = Literal["result", "explanation", "record"]

HELP = """Print the number of persons between the first and the last person of each case.

The input is that of the problem HOJ 2434, from FILE or standard input: cases until `0 0` or the end of the input. A
case is a line with the number of groups and of people, then one line per group: the number of its members, and the
members, from 0. The output is that of the problem, which calls the last person wywcgs.

With --seats, each line of the input is a table: the names of its players, separated by blanks. The output is the
distance between players: 1 if they sat at the same table, `never` if no chain connects them.

\b
Examples:
  maumau acquaintance groups.txt
  maumau acquaintance --explain - < groups.txt
  maumau acquaintance --seats tables.txt --between anna dora --between anna emil
"""


@click.command(help=HELP)
@modes(one_of("--explain", "--json"), only_with("--seats", "--between", reason="whose players have names"))
@click.argument("file", default="-", metavar="[FILE|-]")
@click.option(
    "--seats", is_flag=True, help="Read tables instead: each line contains the names of the players at a table."
)
@click.option(
    "--between",
    nargs=2,
    multiple=True,
    metavar="NAME NAME",
    help="With --seats: a pair of players; may be repeated. By default all pairs.",
)
@click.option("--explain", is_flag=True, help="Print a shortest chain, and the groups or tables that connect it.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON record per line, for each case or pair of players."
)
def acquaintance(file: str, seats: bool, between: Pairs, explain: bool, as_json: bool) -> None:
    """Run `maumau acquaintance`."""
    data, source = read_source(file)
    format: Format = "record" if as_json else "explanation" if explain else "result"
    text = decoded(data, source)
    for answer in _players(text, source, between, format) if seats else _cases(text, source, format):
        print(answer)


def _cases(text: str, source: str, format: Format) -> Iterator[str]:
    """The answer to each case. Raises InputError before the first one."""
    from render.text.acquaintance import explained_case, record, result
    from rules.acquaintance.graph import Acquaintance
    from rules.acquaintance.reading import read_cases

    for number, case in enumerate(read_cases(text, source), 1):
        known, last = Acquaintance(case.groups), case.people - 1
        chain = known.chain(0, last)
        if format == "record":
            yield json.dumps(record(0, last, chain))
        else:
            yield f"{explained_case(number, case, known, chain)}\n" if format == "explanation" else result(chain)


def _players(text: str, source: str, between: Pairs, format: Format) -> Iterator[str]:
    """The distances between players. Raises InputError or BadInput before the first one."""
    from render.text.acquaintance import distance, explained_distance, record
    from rules.acquaintance.graph import Acquaintance
    from rules.acquaintance.reading import read_tables

    known = Acquaintance(read_tables(text, source))
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
    from difflib import get_close_matches

    faults = []
    for name in dict.fromkeys(chained.from_iterable(between)):
        if name not in players:
            similar = get_close_matches(name, players)
            expected = (
                ", ".join(similar) if similar else f"one of {len(players)} players, such as {next(iter(players))}"
            )
            faults.append(f"--between: {quoted(name)} sat at no table of {source}, expected {expected}")
    if faults:
        raise BadInput("\n".join(faults))
