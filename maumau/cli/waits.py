"""`maumau waits`: the waits of mahjong hands and their scores."""

from __future__ import annotations

import json

import click

from maumau.cli.modes import modes, one_of
from maumau.cli.output import read_source
from rules.reading import decoded

HELP = """Print the waits of mahjong hands from FILE or standard input, and their scores.

The input is that of the problem SPOJ MAHJONG: the number of hands, then one line per hand: its hidden tiles, and its
exposed melds one after another or NONE. A tile is a digit and D, B or M.

\b
Examples:
  maumau waits hands.txt
  maumau waits --explain - < hands.txt
  maumau waits --json hands.txt
"""


@click.command(help=HELP)
@modes(one_of("--explain", "--json"))
@click.argument("file", default="-", metavar="[FILE|-]")
@click.option(
    "--explain", is_flag=True, help="Print the best split of each wait, with every scoring item and its points."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON record per line, for each hand.")
def waits(file: str, explain: bool, as_json: bool) -> None:
    """Run `maumau waits`."""
    from render.text.waits import explained, record, result
    from rules.mahjong import read_hands
    from rules.mahjong import waits as waits_of

    data, source = read_source(file)
    for number, hand in enumerate(read_hands(decoded(data, source), source), 1):
        found = waits_of(*hand)
        if as_json:
            print(json.dumps(record(hand, found)))
        elif explain:
            print(explained(number, hand, found), end="\n\n")
        else:
            print(result(number, found))
