"""Shared by the benchmarks: alternating measurements, and results as a Markdown table."""

from __future__ import annotations

import gc
import json
import os
import platform
import subprocess
import sys
import time
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from math import sqrt
from pathlib import Path
from random import Random
from statistics import median, stdev
from typing import Any, TypeVar

from fsm.edge.numbers import cores

T = TypeVar("T")
Work = Callable[[], object]
HERE = Path(__file__).parents[1]
WIDE = 1.96
"""Standard errors on each side of a mean in its 95 % interval."""
SAMPLES = 2000
"""Samples of the pairs from which the interval of a ratio is found."""
COMPARED = ("against the other", "this against itself", "the other against itself")
"""The columns of the ratios of two checkouts."""
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


class CannotMeasureError(Exception):
    """Something cannot be measured here; the message is the reason."""


def in_turn(contenders: Mapping[str, Callable[[], float]], repeats: int) -> dict[str, float]:
    """The median of the seconds of each contender, measured A B C A B C ..., so that noise affects all alike."""
    timings: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(repeats):
        for name, measure in contenders.items():
            timings[name].append(measure())
    return {name: median(seconds) for name, seconds in timings.items()}


def interpreter_of(folder: Path) -> str:
    """Return the interpreter of a checkout: of its own environment, if it has one.

    Ends the benchmark with a message for a folder that is not a checkout.
    """
    if not (folder / "fsm").is_dir():
        raise SystemExit(
            f"{folder}: it is not a checkout of this project; name a folder that has fsm, rules and maumau"
        )
    python = folder / ".venv" / "bin" / "python"
    return str(python if python.exists() else sys.executable)


def printed_in(folder: Path, *arguments: str) -> str:
    """Return what the interpreter of a checkout prints, with its packages. Ends the benchmark if that fails."""
    program = [interpreter_of(folder), *arguments]
    environment = os.environ | {"PYTHONPATH": f"{folder}:{HERE}"}
    ran = subprocess.run(program, env=environment, capture_output=True, text=True, check=False, cwd=folder)
    if ran.returncode:
        raise SystemExit(ran.stderr)
    return ran.stdout


def in_pairs(measure: Callable[[Path], float], against: Path | None, pairs: int) -> tuple[float, list[str]]:
    """How much this checkout does a second, and the ratios that COMPARED names, if there is another one.

    measure: how much a checkout does a second, in a process of its own. They take turns, and each round begins with
    another one.
    """
    other = against.resolve() if against else None
    folders = [HERE, other, other, HERE] if other else [HERE]
    rounds = []
    for number in range(pairs):
        order = [*range(len(folders))]
        order = order[number % len(order) :] + order[: number % len(order)]
        found = {place: measure(folders[place]) for place in order}
        rounds.append([found[place] for place in range(len(folders))])
    compared = ((0, 1), (0, 3), (1, 2)) if other else ()
    ratios = [ratio([(each[first], each[second]) for each in rounds]) for first, second in compared]
    return median(each[0] for each in rounds), ratios


def ratio(pairs: Sequence[tuple[float, float]]) -> str:
    """The median of the ratios of pairs, with the interval that holds 95 % of the medians of samples of them."""
    random, ratios = Random(1), [ours / theirs for ours, theirs in pairs]
    medians = sorted(median(random.choices(ratios, k=len(ratios))) for _ in range(SAMPLES))
    low, high = medians[SAMPLES // 40], medians[-SAMPLES // 40]
    return f"{median(ratios):.3f} ({low:.3f} to {high:.3f})"


def cpu_time(work: Work) -> float:
    """Seconds of CPU time, in all threads of this process, that `work` takes."""
    return _timed(work, time.process_time)


def wall_time(work: Work) -> float:
    """Seconds on the wall clock that `work` takes."""
    return _timed(work, time.perf_counter)


def _timed(work: Work, clock: Callable[[], float]) -> float:
    gc.collect()
    start = clock()
    work()
    return clock() - start


def time_text(seconds: float) -> str:
    """Seconds with three digits and the unit that fits: `1.23 us`."""
    size, unit = next((size, unit) for size, unit in (*UNITS, UNITS[-1]) if seconds >= size or size == UNITS[-1][0])
    return f"{three_digits(seconds / size)} {unit}"


def three_digits(number: float) -> str:
    """A number with three significant digits: `4,210`, `17.3`, `0.912`."""
    if number >= 100:
        return f"{float(f'{number:.3g}'):,.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}" if number >= 1 else f"{number:.3f}"


def ratio_text(ratio: float) -> str:
    """A ratio; a tiny one as a fraction: `1/310`."""
    return f"1/{three_digits(1 / ratio)}" if 0 < ratio < 0.1 else three_digits(ratio)


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table with columns of even width; columns of numbers are right-aligned."""
    rows = [list(row) for row in rows]
    columns = list(zip(head, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    right = [all(not cell or cell[0].isdigit() for cell in column[1:]) for column in columns]

    def line(cells: Sequence[str]) -> str:
        placed = [
            cell.rjust(width) if far else cell.ljust(width)
            for cell, width, far in zip(cells, widths, right, strict=True)
        ]
        return f"| {' | '.join(placed)} |"

    rule = ["-" * (width - 1) + (":" if far else "-") for width, far in zip(widths, right, strict=True)]
    return "\n".join([line(head), line(rule), *map(line, rows)])


def surroundings(*packages: str) -> str:
    """One line on the machine: processor, cores, load, versions."""
    parts = [_processor(), f"{cores()} cores", f"Python {platform.python_version()}"]
    parts += [f"{package} {_version(package)}" for package in packages]
    if hasattr(os, "getloadavg"):
        parts.append(f"load {os.getloadavg()[0]:.1f} at the start")
    return ", ".join(parts)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"


@dataclass
class Decided:
    """What a player gained of each deck, in the mean of the seats, and the processor time of its decisions."""

    player: str
    gains: list[float] = field(default_factory=list)
    seconds: float = 0.0
    decisions: int = 0

    @property
    def milliseconds(self) -> float:
        """Processor time of a decision."""
        return 1000 * self.seconds / max(self.decisions, 1)

    def timed(self, decide: Callable[[], T]) -> T:
        """Return what is decided, and add the time that it takes."""
        start = time.process_time()
        decided = decide()
        self.seconds += time.process_time() - start
        self.decisions += 1
        return decided


def half_width(numbers: Sequence[float]) -> float:
    """Return half of the 95 % interval of the mean of some numbers."""
    return WIDE * stdev(numbers) / sqrt(len(numbers)) if len(numbers) > 1 else 0.0


def whole_number(text: str) -> int:
    """A number of 1 or more from the command line; `200_000` and `200,000` are accepted."""
    try:
        number = int(text.replace(",", ""))
    except ValueError:
        number = 0
    if number < 1:
        raise ArgumentTypeError(f"{text!r}; use a whole number of at least 1")
    return number


def write_json(file: str | None, measured: Any) -> None:
    """Write what was measured as JSON into `file`, if one is named."""
    if file:
        Path(file).write_text(json.dumps(measured, indent=1) + "\n")
