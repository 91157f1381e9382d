"""How cost and memory grow: with games, seats, threads and distinct decks, tables on a server, and worlds of a search.

python -m benchmarks.growth [--games N] [--repeats K] [--plot FILE.svg] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from statistics import median
from typing import Any

from benchmarks.measuring import markdown, surroundings, three_digits, whole_number, write_json
from benchmarks.tables import served
from fsm.edge.numbers import cores

MOST = 10_000_000
SEATS, DECKS = (2, 3, 4), (1_000, 10_000, 100_000, 1_000_000)
TOTAL = """
import json, resource, sys, time
from maumau import bulk
players, games, threads, decks = map(int, sys.argv[1:])
given = bulk.deal(players, decks, seed=7) if decks else None
def work(games):
    if given is None:
        bulk.total(players, games, 7, threads=threads)
    for _ in range(0, games if decks else 0, max(decks, 1)):
        bulk.play(players, given, threads=threads)
work(min(games, 1000))
peak, wall, cpu = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter(), time.process_time()
work(games)
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
print(json.dumps([wall, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""

TABLES, SECONDS, WORLDS, DECISIONS = (1, 10, 100), 10, (8, 32, 128, 512, 2048), 30
SEARCHED = """
import json, resource, sys, time
from benchmarks.search import positions
from maumau import MauMau, Search
worlds, decisions = map(int, sys.argv[1:])
search = Search(MauMau, 3, worlds, threads=1)
games = list(positions(MauMau, search, decisions))
search.best(games[0])
wall, cpu = time.perf_counter(), time.process_time()
for game in games:
    search.best(game)
wall, cpu = ((now - before) / len(games) for now, before in ((time.perf_counter(), wall), (time.process_time(), cpu)))
print(json.dumps([wall, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""

HEAD = ["what grows", "games", "players", "threads", "distinct decks", "CPU a game, ns", "on the clock, ns", "peak, MB"]
LEGEND = """\
Mau-Mau, each row in fresh processes whose machine code is in the cache, in turn, medians; a thousand games are played
before the clock starts. Totals are of decks that are dealt; where decks are given, they are played again and again."""
OTHER_HEAD = ["what grows", "how many", "CPU, ms", "on the clock, ms", "peak, MB"]
OTHER_LEGEND = f"""\
tables: a move at one of so many tables on a server (`benchmarks.tables`, {SECONDS} seconds): its processor time, and
the median time until all seats have been shown the move. worlds: a decision of a search in Mau-Mau with three players,
on one thread, the mean of {DECISIONS} positions. Fresh processes, in turn, medians."""
Point = tuple[str, int, int, int, int]


def points(most: int) -> list[Point]:
    """What is measured: what grows, games, players, threads, and distinct decks, 0 where all are dealt."""
    games = [10**power for power in range(3, len(str(most))) if 10**power <= most]
    some = min(most, 1_000_000)
    found = [("games", each, 3, cores(), 0) for each in games]
    found += [("seats", some, each, cores(), 0) for each in SEATS]
    found += [("threads", some, 3, each, 0) for each in range(1, cores() + 1)]
    return found + [("decks", some, 3, 1, each) for each in DECKS if each <= some]


def run(code: str, *numbers: int) -> list[float]:
    """Seconds on the clock and of processor time, and MB at the peak, of one run in a process of its own."""
    command = [sys.executable, "-c", code, *map(str, numbers)]
    found: list[float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


def measured(most: int, repeats: int) -> list[dict[str, Any]]:
    """The figures of all points, measured in turn."""
    found: dict[Point, list[list[float]]] = {point: [] for point in points(most)}
    for _ in range(repeats):
        for point, runs in found.items():
            _, games, players, threads, decks = point
            runs.append(run(TOTAL, players, games, threads, decks))
    rows = []
    for point, runs in found.items():
        wall, cpu, peak = (median(each[place] for each in runs) for place in range(3))
        what, games, players, threads, decks = point
        figures = {"cpu": cpu / games * 1e9, "wall": wall / games * 1e9, "peak": peak}
        rows.append({"what": what, "games": games, "players": players, "threads": threads, "decks": decks, **figures})
    return rows


def others(repeats: int) -> list[dict[str, Any]]:
    """The figures of servers with more and more tables, and of searches with more and more worlds."""
    found: dict[tuple[str, int], list[list[float]]] = {("tables", count): [] for count in TABLES}
    found |= {("worlds", count): [] for count in WORLDS}
    for _ in range(repeats):
        for (what, count), runs in found.items():
            runs.append(at_tables(count) if what == "tables" else run(SEARCHED, count, DECISIONS))
    names = ("wall", "cpu", "peak")
    return [
        {"what": what, "count": count} | dict(zip(names, map(median, zip(*runs, strict=True)), strict=True))
        for (what, count), runs in found.items()
    ]


def at_tables(count: int) -> list[float]:
    """The same of a move at a table."""
    times, used, peak = served(count, SECONDS)
    return [median(times), used / len(times), peak]


def other_cells(row: dict[str, Any]) -> list[str]:
    """The cells of a row of the other table."""
    times = (three_digits(1000 * row[name]) for name in ("cpu", "wall"))
    return [row["what"], f"{row['count']:,}", *times, f"{row['peak']:.0f}"]


def cells(row: dict[str, Any]) -> list[str]:
    """The cells of a row of the table."""
    counts = [f"{row[name]:,}" for name in ("games", "players", "threads")]
    return [row["what"], *counts, f"{row['decks']:,}" if row["decks"] else "all", three_digits(row["cpu"]),
            three_digits(row["wall"]), f"{row['peak']:.0f}"]  # fmt: skip


def plot(rows: list[dict[str, Any]], file: str) -> None:
    """Draw the cost of a game and the peak of memory by games, the cost by distinct decks, tables and worlds."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams["svg.hashsalt"] = "growth"
    figure = Figure(figsize=(13, 3.2), layout="constrained")
    panels = (("games", "games", "cpu", "CPU a game, ns", 1), ("games", "games", "peak", "peak of memory, MB", 1),
              ("decks", "decks", "cpu", "CPU a game, ns", 1), ("tables", "count", "cpu", "CPU a move, ms", 1000),
              ("worlds", "count", "cpu", "CPU a decision, ms", 1000))  # fmt: skip
    for axes, (what, across, up, label, scale) in zip(figure.subplots(1, len(panels)), panels, strict=True):
        chosen = [row for row in rows if row["what"] == what]
        heights = [scale * row[up] for row in chosen]
        axes.plot([row[across] for row in chosen], heights, marker="o")
        axes.set(xscale="log", xlabel="distinct decks" if what == "decks" else what, ylabel=label)
        axes.set_ylim(0, 1.15 * max(heights))
    figure.savefig(file, metadata={"Date": None})


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=whole_number, default=MOST, help="most games (default: %(default)s)")
    parser.add_argument("--repeats", type=whole_number, default=3, help="rounds (default: %(default)s)")
    parser.add_argument("--plot", metavar="FILE.svg", help="draw a plot, too (needs the extra study)")
    parser.add_argument("--json", metavar="FILE", help="write the figures to a file, too")
    options = parser.parse_args(arguments)
    print(f"{surroundings('llvmlite', 'numpy')}\n", flush=True)
    rows = measured(options.games, options.repeats)
    print(f"{markdown(HEAD, map(cells, rows))}\n\n{LEGEND}")
    more = others(options.repeats)
    print(f"\n{markdown(OTHER_HEAD, map(other_cells, more))}\n\n{OTHER_LEGEND}")
    if options.plot:
        plot([*rows, *more], options.plot)
    write_json(options.json, [*rows, *more])


if __name__ == "__main__":
    main()
