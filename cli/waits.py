"""`maumau waits`: the tiles that mahjong hands wait for, and what they score."""

from __future__ import annotations

import json

import click

from cli.failure import BadInput
from cli.source import read_source
from rules.reading import InputError, decoded

HELP = """Print the tiles that the mahjong hands of FILE, or of standard input, wait for, and what they then score.

The input is the problem's (SPOJ MAHJONG): the number of hands, then a line for each: its hidden tiles, and its
exposed melds one after another or NONE. A tile is a digit and D, B or M.

\b
Examples:
  maumau waits hands.txt
  maumau waits --explain - < hands.txt
  maumau waits --json hands.txt
"""


@click.command(help=HELP)
@click.argument("file", default="-", metavar="[FILE|-]")
@click.option("--explain", is_flag=True, help="Draw the best split of each wait, with every item and its points.")
@click.option("--json", "as_json", is_flag=True, help="Print one record a hand, one a line.")
def waits(file: str, explain: bool, as_json: bool) -> None:
    """Run `maumau waits`."""
    if explain and as_json:
        raise BadInput("--explain and --json: expected one of them")
    from render.text.waits import explained, record, result
    from rules.mahjong import read_hands
    from rules.mahjong import waits as waits_of

    data, source = read_source(file)
    try:
        hands = read_hands(decoded(data, source), source)
    except InputError as error:
        raise BadInput(str(error)) from None
    for number, hand in enumerate(hands, 1):
        found = waits_of(*hand)
        if as_json:
            print(json.dumps(record(hand, found)))
        elif explain:
            print(explained(number, hand, found), end="\n\n")
        else:
            print(result(number, found))
