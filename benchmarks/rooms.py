"""The tables of rooms without a network: moves a second, each with the views and logs that are pushed to all seats.

`python -m benchmarks.rooms` measures this checkout. `--against FOLDER` measures another checkout as well, in pairs of
processes that take turns, and this checkout against itself, and prints ratios of medians with an interval: a room is
slower than before only if the whole interval lies below 1.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from benchmarks.measuring import markdown, surroundings, three_digits, whole_number, write_json

GAMES = "maumau", "uno", "mahjong", "uno-official"
PEOPLE = (1, 2, 4)
"""People at the tables, by turns; computer players have the other seats."""
SEATS = 4
MAX_CHANGES = 300
"""Changes of a table after which the next one begins."""
SAMPLES = 2000
"""Samples of the pairs from which the interval of a ratio is found."""
HERE = Path(__file__).parents[1]


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
    python = folder / ".venv" / "bin" / "python"
    program = [str(python if python.exists() else sys.executable), __file__, "--probe", game, "--tables", str(tables)]
    environment = os.environ | {"PYTHONPATH": f"{folder}:{HERE}"}
    ran = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SystemExit(ran.stderr)
    return float(ran.stdout)


def in_pairs(folders: Sequence[Path], game: str, options: argparse.Namespace) -> Iterator[list[float]]:
    """The changes a second of each folder, round by round; each round begins with another one."""
    for number in range(options.pairs):
        order = [*range(len(folders))]
        order = order[number % len(order) :] + order[: number % len(order)]
        found = {place: measured(folders[place], game, options.tables) for place in order}
        yield [found[place] for place in range(len(folders))]


def ratio(pairs: Sequence[tuple[float, float]]) -> str:
    """The median of the ratios of pairs, with the interval that holds 95 % of the medians of samples of them."""
    random, ratios = Random(1), [ours / theirs for ours, theirs in pairs]
    medians = sorted(median(random.choices(ratios, k=len(ratios))) for _ in range(SAMPLES))
    low, high = medians[SAMPLES // 40], medians[-SAMPLES // 40]
    return f"{median(ratios):.3f} ({low:.3f} to {high:.3f})"


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
    head, rows = ["game", "changes a second"], []
    if options.against:
        head += ["against the other", "this against itself", "the other against itself"]
    other = options.against.resolve() if options.against else None
    for game in options.games:
        rounds = list(in_pairs([HERE, other, other, HERE] if other else [HERE], game, options))
        row = [game, three_digits(median(each[0] for each in rounds))]
        for first, second in ((0, 1), (0, 3), (1, 2)) if other else ():
            row.append(ratio([(each[first], each[second]) for each in rounds]))
        rows.append(row)
    print(f"{surroundings()}\n")
    print(markdown(head, rows))
    write_json(options.json, [dict(zip(head, row, strict=True)) for row in rows])


if __name__ == "__main__":
    main()
