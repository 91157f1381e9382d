"""The main job: text in, text out, in processes of their own, beside a contest solution in C++ of the same text.

python -m benchmarks.main_job [--games N] [--repeats K] [--plot FILE.svg] [--json FILE]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.cpp import FLAGS, compiled
from benchmarks.measuring import CannotMeasureError, markdown, surroundings, three_digits, whole_number, write_json
from maumau import MauMau, Uno, bulk
from maumau.kernels.bulk.text import DeckText

SEED, UNO_PLAYERS, BLOCK, FEW = 7, 4, 1 << 16, 500
MAUMAU = [sys.executable, "-m", "maumau"]
PLAY = """
import sys
import numpy as np
from maumau import Uno, bulk
decks = np.fromfile(sys.argv[1], np.uint8).reshape(-1, 108)
bulk.play(4, decks, game=Uno)
"""
"""A program that plays decks of UNO and prints nothing."""
HEAD = ["job", "processor time, s", "beside the start, us a game", "ratio"]
LEGEND = """\
Processor time of the whole process, user and system, on all cores; medians, all rows in turn. The start is that
of the same command for a single game. The ratio of `simulate` is to C++, that of UNO to `bulk.play` of the same decks
from a file, that of `--trace` to stepping alone, each beside its start."""


class Row:
    """A job. command: with the file that it reads. alike: the row to which it is compared."""

    def __init__(self, name: str, command: Sequence[str], games: int, start: Sequence[str], alike: str = "") -> None:
        self.name, self.command, self.games, self.start, self.alike = name, command, games, start, alike
        self.times: list[tuple[float, float]] = []

    def measure(self) -> None:
        """Run the start and the job once."""
        self.times.append((used(self.start), used(self.command)))

    @property
    def whole(self) -> float:
        """Seconds of the whole process."""
        return median(whole for _, whole in self.times)

    @property
    def each(self) -> float:
        """Seconds a game beside the start."""
        return median(whole - start for start, whole in self.times) / self.games


def used(command: Sequence[str]) -> float:
    """Seconds of processor time, user and system, of a process. An input is named by `<FILE` at the end."""
    *words, last = command
    words = words if last.startswith("<") else [*words, last]
    with (
        open(last[1:] if last.startswith("<") else os.devnull, "rb") as given,
        subprocess.Popen(words, stdin=given, stdout=subprocess.DEVNULL) as process,
    ):
        _, status, resources = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):  # 1: a game without a winner
        raise CannotMeasureError(f"{words[0]} ended with status {process.returncode}")
    return resources.ru_utime + resources.ru_stime


def write_decks(kind: Any, players: Any, games: int, file: Path) -> None:
    """Write dealt decks. players: of each game, bytes."""
    text = DeckText(kind.deck_format())
    decks = bulk.deal(2 if kind is MauMau else UNO_PLAYERS, games, SEED, game=kind)
    with file.open("wb") as opened:
        opened.write(b"%d\n" % games)
        for start in range(0, games, BLOCK):
            opened.write(text.write(players[start : start + BLOCK], decks[start : start + BLOCK]))
    decks.tofile(file.with_suffix(".bin"))


def rows(folder: Path, games: int) -> Iterator[Row]:
    """What is measured."""
    mixed = np.random.default_rng(SEED).integers(2, 5, games).astype(np.uint8)
    many, one = folder / "maumau.txt", folder / "one.txt"
    write_decks(MauMau, mixed, games, many)
    write_decks(MauMau, mixed, 1, one)
    uno, one_uno = folder / "uno.txt", folder / "one-uno.txt"
    write_decks(Uno, np.full(games, UNO_PLAYERS, np.uint8), games, uno)
    write_decks(Uno, np.full(1, UNO_PLAYERS, np.uint8), 1, one_uno)
    contest = str(compiled("contest.cpp", FLAGS, folder / "contest"))
    yield Row("C++", [contest, f"<{many}"], games, [contest, f"<{one}"])
    job = [*MAUMAU, "simulate", "--engine", "compiled"]
    yield Row("simulate", [*job, str(many)], games, [*job, str(one)], "C++")
    yield Row("simulate, one thread", [*job, "--threads", "1", str(many)], games, [*job, str(one)], "C++")
    played = [sys.executable, "-c", PLAY]
    named = "bulk.play of UNO, 4 players"
    yield Row(named, [*played, str(uno.with_suffix(".bin"))], games, [*played, str(one_uno.with_suffix(".bin"))])
    job = [*MAUMAU, "simulate", "--game", "uno", "--engine", "compiled"]
    yield Row("simulate --game uno, 4 players", [*job, str(uno)], games, [*job, str(one_uno)], named)
    deal = [*MAUMAU, "deal", "--players", "3", "--seed", str(SEED), "--games"]
    yield Row("deal", [*deal, str(games)], games, [*deal, "1"])
    stepped = "--engine machine"
    for output, size in (("--json --engine compiled", 10_000), (stepped, FEW), ("--trace", FEW)):
        given, job = folder / f"{size}.txt", [*MAUMAU, "simulate", *output.split()]
        write_decks(MauMau, np.resize(mixed, size), size, given)
        alike = f"simulate {stepped}" if output == "--trace" else ""
        yield Row(f"simulate {output}", [*job, str(given)], size, [*job, str(one)], alike)


def table(found: Mapping[str, Row]) -> Iterator[list[str]]:
    """The cells of each row."""
    for row in found.values():
        ratio = three_digits(row.each / found[row.alike].each) if row.alike else ""
        yield [f"`{row.name}`", three_digits(row.whole), three_digits(1e6 * row.each), ratio]


def plot(found: Mapping[str, Row], file: str) -> None:
    """Draw the time of a game beside the start, as bars."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams["svg.hashsalt"] = "main_job"
    figure = Figure(figsize=(8, 3), layout="constrained")
    axes = figure.subplots()
    names = list(found)[::-1]
    bars = axes.barh(names, [1e6 * found[name].each for name in names])
    axes.bar_label(bars, [f" {three_digits(1e6 * found[name].each)}" for name in names])
    axes.set(xscale="log", xlabel="processor time of a game beside the start, us")
    axes.margins(x=0.15)
    figure.savefig(file, metadata={"Date": None})


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=whole_number, default=1_000_000, help="games (default: %(default)s)")
    parser.add_argument("--repeats", type=whole_number, default=3, help="rounds (default: %(default)s)")
    parser.add_argument("--plot", metavar="FILE.svg", help="draw a plot, too (needs the extra study)")
    parser.add_argument("--json", metavar="FILE", help="write the figures to a file, too")
    options = parser.parse_args(arguments)
    print(f"{surroundings('llvmlite', 'numpy')}\n", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        found = {row.name: row for row in rows(Path(folder), options.games)}
        for row in found.values():  # machine code is compiled once for a machine
            used(row.command)
        for _ in range(options.repeats):
            for row in found.values():
                row.measure()
    print(f"{markdown(HEAD, table(found))}\n\n{LEGEND}")
    if options.plot:
        plot(found, options.plot)
    figures = [{"job": row.name, "seconds": row.whole, "a game": row.each} for row in found.values()]
    write_json(options.json, figures)


if __name__ == "__main__":
    main()
