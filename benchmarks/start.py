"""Start-up time of the command, compile time, and peak memory.

python -m benchmarks.start [--repeats K] [--games N] [--json FILE] [--against FOLDER [--pairs N]]
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.measuring import (
    COMPARED,
    HERE,
    CannotMeasureError,
    in_pairs,
    interpreter_of,
    markdown,
    surroundings,
    time_text,
    whole_number,
    write_json,
)
from fsm import MauMau
from fsm.edge.numbers import cores
from rules.mahjong.tiles import COPIES, TILES

SEED, GAMES, TOTALLED = 7, 49, 1000
FLAT = 1.05

NOTHING = "python -c pass, for comparison"
VERSION = "maumau --version"
HELP = "maumau --help"
SIMULATE = f"maumau simulate, {GAMES} games"
HANDS, PEOPLE = 5000, 1000
WAITS = f"maumau waits, {HANDS:,} hands"
ACQUAINTANCE = f"maumau acquaintance, {PEOPLE:,} people in {PEOPLE:,} groups of 4"
CROWDS = f"the same, in {PEOPLE:,} groups of {PEOPLE:,}"
WARM = f"maumau simulate --engine compiled, {GAMES} games"
FIRST = "the same command, first compile in an empty MAUMAU_CACHE"
TOTALS = f"bulk.total, {TOTALLED:,} games of three players"
FIRST_TOTALS = "the same totals, first compile in an empty MAUMAU_CACHE"
TIMES = {VERSION: 5, TOTALS: 32}
"""At most so many times as long as a bare interpreter."""

TOTALLING = """
import sys
from maumau.kernels import bulk
bulk.total(3, int(sys.argv[1]), 7)
try:
    lines = open("/proc/self/status").read().splitlines()
    print(next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")))
except OSError:
    import resource
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1))
"""

HEAD = ["start", "on the clock", "CPU", "times", "required", "met"]
LEGEND = f"""\
Each run is a fresh process; rows were measured in turn, medians. on the clock: what a user waits; the requirement is
about that. CPU: of all threads and children. Unless a row is about a first compile, the kernel is in MAUMAU_CACHE
already, as after any earlier use. times: the time on the clock by that of a bare interpreter. Memory: the peak of a
fresh process that totals games of three players on all cores; flat is at most {FLAT} times that of a hundredth of the
games."""


@dataclass(frozen=True)
class Row:
    """The result of one start, in seconds; reason: why there is none. times: how many bare interpreters start in it."""

    what: str
    wall: float = 0
    cpu: float = 0
    reason: str = ""
    times: float = 0

    def cells(self) -> list[str]:
        """The cells of the table."""
        limit = TIMES.get(self.what, 0)
        required = f"<= {limit}" if limit else ""
        if self.reason:
            return [self.what, "", "", "", required, f"not measured: {self.reason}"]
        met = ("yes" if self.times <= limit else "no") if limit else ""
        return [self.what, time_text(self.wall), time_text(self.cpu), f"{self.times:.2f}", required, met]


@dataclass(frozen=True)
class Memory:
    """The peak memory of a process that totals games, in KiB, and how many times that of the fewest games it is."""

    games: int
    peak: int
    times: float

    def cells(self) -> list[str]:
        """The cells of the table."""
        what = f"bulk.total of {self.games:,} games"
        if self.times == 1:
            return [what, f"{self.peak / 1024:.1f} MiB", "", "", ""]
        met = "yes" if self.times <= FLAT else "no"
        return [what, f"{self.peak / 1024:.1f} MiB", f"{self.times:.3f}", f"<= {FLAT}", met]


class Starts:
    """The starts that are measured, with their input and caches below one folder."""

    def __init__(self, folder: str) -> None:
        self.folder, self.warm = Path(folder), Path(folder) / "warm"
        self.input = self.folder / "games.txt"
        decks = ((2 + number % 3, number) for number in range(GAMES))
        lines = [MauMau.write(players, MauMau.deck_of(players, SEED, number)) for players, number in decks]
        self.input.write_text("\n".join([str(GAMES), *lines]) + "\n")
        self.missing: dict[str, str] = {}
        maumau = command()
        simulate = [*maumau, "simulate", str(self.input)]
        self.measures: dict[str, Callable[[], tuple[float, float]]] = {
            NOTHING: lambda: run([sys.executable, "-c", "pass"], self.warm),
            VERSION: lambda: run([*maumau, "--version"], self.warm),
            HELP: lambda: run([*maumau, "--help"], self.warm),
            SIMULATE: lambda: run(simulate, self.warm),
            WAITS: self._command("waits", hands_dealt()),
            ACQUAINTANCE: self._command("acquaintance", groups_of(4)),
            CROWDS: self._command("acquaintance", groups_of(PEOPLE)),
        }
        self._add_compiling([*simulate, "--engine", "compiled"], WARM, FIRST)
        self._add_compiling([sys.executable, "-c", TOTALLING, str(TOTALLED)], TOTALS, FIRST_TOTALS)

    def rows(self, repeats: int, only: Collection[str] = ()) -> list[Row]:
        """Measure all in turn, or only some."""
        if only:
            self.measures = {what: measure for what, measure in self.measures.items() if what in only}
            self.missing = {what: reason for what, reason in self.missing.items() if what in only}
        for what in self.measures.keys() - {FIRST, FIRST_TOTALS}:
            self.measures[what]()  # what lies on the disk is in memory from here on
        timings: dict[str, list[tuple[float, float]]] = {what: [] for what in self.measures}
        for _ in range(repeats):
            for what, measure in self.measures.items():
                timings[what].append(measure())
        rows = [self._row(what, timings) for what in timings]
        return rows + [Row(what, reason=reason) for what, reason in self.missing.items()]

    def _row(self, what: str, timings: Mapping[str, Sequence[tuple[float, float]]]) -> Row:
        """The medians of one start; times: of its time on the clock by that of a bare interpreter in the same round."""
        wall, cpu = map(median, zip(*timings[what], strict=True))
        pairs = zip(timings[what], timings[NOTHING], strict=True)
        return Row(what, wall, cpu, times=median(one[0] / bare[0] for one, bare in pairs))

    def _command(self, name: str, text: str) -> Callable[[], tuple[float, float]]:
        """A command that reads `text` from a file."""
        file = self.folder / f"{name}-{len(text)}.txt"
        file.write_text(text)
        return lambda: run([*command(), name, str(file)], self.warm)

    def _add_compiling(self, arguments: Sequence[str], warm: str, first: str) -> None:
        """Add a command that compiles, if it does: the kernel lies in the warm cache afterwards."""
        before = set(self.warm.rglob("*"))
        try:
            run(arguments, self.warm)
            if not set(self.warm.rglob("*")) - before:
                raise CannotMeasureError("the command left nothing in MAUMAU_CACHE, so it compiled nothing")
        except CannotMeasureError as error:
            self.missing |= dict.fromkeys((warm, first), str(error))
            return
        self.measures[warm] = lambda: run(arguments, self.warm)
        self.measures[first] = lambda: self._in_empty_cache(arguments)

    def _in_empty_cache(self, arguments: Sequence[str]) -> tuple[float, float]:
        with tempfile.TemporaryDirectory(dir=self.folder) as empty:
            return run(arguments, Path(empty))


def starts_a_second(folder: Path, arguments: Sequence[str], warm: Path, is_first: bool) -> float:
    """Return how often a checkout starts something in a second of CPU time. is_first: with an empty MAUMAU_CACHE."""
    with tempfile.TemporaryDirectory() as empty:
        cache = Path(empty) if is_first else warm / ("this" if folder == HERE else "other")
        return 1 / run([interpreter_of(folder), *arguments], cache, folder)[1]


def compared(starts: Starts, against: Path, pairs: int) -> list[list[str]]:
    """Return the rows that compare the starts of this checkout with those of another one."""
    simulate, totals = ["-m", "maumau", "simulate", str(starts.input)], ["-c", TOTALLING, str(TOTALLED)]
    works = {SIMULATE: (simulate, False), TOTALS: (totals, False), FIRST_TOTALS: (totals, True)}
    rows = []
    for what, (arguments, is_first) in works.items():
        if reason := starts.missing.get(what):
            rows.append([what, f"not measured: {reason}", *[""] * len(COMPARED)])
            continue
        measure = partial(starts_a_second, arguments=arguments, warm=starts.warm, is_first=is_first)
        for folder in (HERE, against.resolve()):
            measure(folder)  # what lies on the disk is in memory from here on
        often, ratios = in_pairs(measure, against, pairs)
        rows.append([what, time_text(1 / often), *ratios])
    return rows


def hands_dealt() -> str:
    """Mahjong hands dealt at random, as input."""
    dice, wall = random.Random(SEED), [name for name in TILES.cards for _ in range(COPIES)]
    lines = (f"{''.join(dice.sample(wall, 13))} NONE" for _ in range(HANDS))
    return "\n".join([str(HANDS), *lines]) + "\n"


def groups_of(size: int) -> str:
    """A case of acquaintance as input: people in groups of `size`, drawn at random."""
    dice = random.Random(SEED)
    groups = ([size, *dice.sample(range(PEOPLE), size)] for _ in range(PEOPLE))
    return "\n".join([f"{PEOPLE} {PEOPLE}", *(" ".join(map(str, group)) for group in groups)]) + "\n"


def run(arguments: Sequence[str], cache: Path, folder: Path | None = None) -> tuple[float, float]:
    """Return the seconds on the clock and of CPU that a process takes. Raises CannotMeasureError if it fails.

    folder: of the checkout whose packages it has; without one, those that are installed.
    """
    variables = {**environment(cache), **({"PYTHONPATH": str(folder)} if folder else {})}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, env=variables, cwd=folder)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):  # 1: a game had no winner
        raise CannotMeasureError(last_line(done.stderr))
    if "Traceback" in done.stderr:
        raise CannotMeasureError(last_line(done.stderr))
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peak_memory(games: int, cache: Path) -> int:
    """Peak memory in KiB of a fresh process that totals `games` games. Raises CannotMeasureError if it fails."""
    command = [sys.executable, "-c", TOTALLING, str(games)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment(cache))
    if done.returncode:
        raise CannotMeasureError(last_line(done.stderr))
    return int(done.stdout)


def environment(cache: Path) -> Mapping[str, str]:
    """The environment of a process whose kernels are stored in `cache`, and whose modules are compiled once."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"MAUMAU_CACHE": str(cache)}


def command() -> list[str]:
    """The command `maumau`: the one of this Python, else that on PATH, else its module."""
    beside = shutil.which("maumau", path=str(Path(sys.executable).parent))
    found = beside or shutil.which("maumau")
    return [found] if found else [sys.executable, "-m", "maumau"]


def last_line(text: str) -> str:
    """The last line of the output of a process."""
    return (text.strip().splitlines() or ["it failed without a message"])[-1]


def memories(games: int, cache: Path, repeats: int) -> list[Memory]:
    """Peak memory of totalling a hundredth of `games` and all of them. Raises CannotMeasureError."""
    sizes = (max(1, games // 100), games)
    peak_memory(sizes[0], cache)  # the kernel is compiled
    memory = [[peak_memory(size, cache) for size in sizes] for _ in range(repeats)]
    peaks = [int(median(column)) for column in zip(*memory, strict=True)]
    return [Memory(size, peak, peak / peaks[0]) for size, peak in zip(sizes, peaks, strict=True)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.start", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeats", type=whole_number, default=5, help="rounds in turn (default: %(default)s)")
    games_help = "games totalled for peak memory, against a hundredth of them (default: %(default)s)"
    parser.add_argument("--games", type=whole_number, default=10_000_000, help=games_help)
    parser.add_argument("--json", metavar="FILE", help="write the rows into FILE, too")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="another checkout, in place of requirements")
    parser.add_argument("--pairs", type=whole_number, default=10, help="pairs of checkouts (default: %(default)s)")
    options = parser.parse_args(arguments)
    machine = surroundings("llvmlite", "numpy", "click")
    print(f"{machine}; {options.pairs if options.against else options.repeats} rounds\n")
    with tempfile.TemporaryDirectory() as folder:
        starts = Starts(folder)
        if options.against:
            try:
                pairs = compared(starts, options.against, options.pairs)
            except CannotMeasureError as error:
                raise SystemExit(f"not measured: {error}") from None
            print(markdown(["start", "CPU", *COMPARED], pairs))
            write_json(options.json, pairs)
            return
        rows = starts.rows(options.repeats)
        print(markdown(HEAD, [row.cells() for row in rows]), "\n")
        try:
            peaks = memories(options.games, starts.warm, min(options.repeats, 3))
            cells = [peak.cells() for peak in peaks]
        except CannotMeasureError as error:
            peaks, cells = [], [["bulk.total", "", "", "", f"not measured: {error}"]]
    print(markdown([f"memory, {cores()} threads", "peak", "times", "required", "met"], cells))
    print(f"\n{LEGEND}")
    measured = {"starts": [asdict(row) for row in rows], "memory": [asdict(peak) for peak in peaks]}
    write_json(options.json, {"machine": machine, "repeats": options.repeats} | measured)


if __name__ == "__main__":
    main()
