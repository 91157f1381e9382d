"""The tables of rooms without a network: moves a second, each with the views and logs that are pushed to all seats.

`python -m benchmarks.rooms` measures this checkout. `--against FOLDER` measures another checkout as well, in pairs of
processes that take turns, and this checkout against itself, and prints ratios of medians with an interval: a room is
slower than before only if the whole interval lies below 1.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.measuring import (
    COMPARED,
    in_pairs,
    markdown,
    printed_in,
    surroundings,
    three_digits,
    whole_number,
    write_json,
)

GAMES = "maumau", "uno", "mahjong", "uno-official"
PEOPLE = (1, 2, 4)
"""People at the tables, by turns; computer players have the other seats."""
SEATS = 4
MAX_CHANGES = 300
"""Changes of a table after which the next one begins."""


def changes(game: str, seed: int) -> int:
    """Play at a table, and encode after each change what all seats receive. Returns the changes."""
    from maumau.play.table import Computer, Person, Setup, Table
    from maumau.play.table.view import encoded

    people = PEOPLE[seed % len(PEOPLE)]
    seats = tuple(Person(f"person {seat}") if seat < people else Computer("house") for seat in range(SEATS))
    random, table, number = Random(seed), Table(Setup(game=game, seats=seats, seed=seed)), 0
    versions = dict.fromkeys(table.logs.versions, 0)
    while table.state == "playing" and number < MAX_CHANGES:
        if not table.advance():
            player: Any = table.asked
            (question,) = (part.fields["question"] for part in table.parts(player - 1) if "question" in part.fields)
            table.act(player, random.choice(question["moves"]), at=table.version(player))
        number += 1
        for seat, version in versions.items():
            if version != table.logs.versions[seat]:
                [entry.text for _, entry in table.logs.since(seat, version)]
                encoded(table.parts(seat))
                versions[seat] = table.logs.versions[seat]
    return number


def probe(game: str, tables: int) -> None:
    """Print the changes a second of processor time of so many tables, after a warm-up."""
    changes(game, 0)
    begin = time.process_time()
    done = sum(changes(game, seed) for seed in range(1, tables + 1))
    print(done / (time.process_time() - begin))


def measured(folder: Path, game: str, tables: int) -> float:
    """The changes a second of a checkout, in a process of its own."""
    return float(printed_in(folder, __file__, "--probe", game, "--tables", str(tables)))


def main() -> None:
    """Print a row for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=GAMES, help="registered games (default: %(default)s)")
    parser.add_argument("--tables", type=whole_number, default=6, help="tables in each process")
    parser.add_argument("--pairs", type=whole_number, default=20, help="how often each is measured")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="another checkout")
    parser.add_argument("--probe", metavar="GAME", help=argparse.SUPPRESS)
    parser.add_argument("--json", metavar="FILE", help="write the figures into FILE, too")
    options = parser.parse_args()
    if options.probe:
        probe(options.probe, options.tables)
        return
    head, rows = ["game", "changes a second", *(COMPARED if options.against else ())], []
    for game in options.games:
        measure = partial(measured, game=game, tables=options.tables)
        changes_a_second, ratios = in_pairs(measure, options.against, options.pairs)
        rows.append([game, three_digits(changes_a_second), *ratios])
    print(f"{surroundings()}\n")
    print(markdown(head, rows))
    write_json(options.json, [dict(zip(head, row, strict=True)) for row in rows])


if __name__ == "__main__":
    main()
