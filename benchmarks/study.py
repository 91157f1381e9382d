"""The overhead of a study over playing its games: `maumau study` against bulk.play, with totals alone and with Parquet.

python -m benchmarks.study [--games N] [--repeats K] [--threads T] [--json FILE]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.measuring import (
    cpu_time,
    in_turn,
    markdown,
    ratio_text,
    surroundings,
    three_digits,
    time_text,
    wall_time,
    whole_number,
    write_json,
)
from fsm.edge.numbers import cores
from maumau.kernels import bulk
from maumau.study.folder import Folder
from maumau.study.playing import Threads, prepare
from maumau.study.run import run
from maumau.study.spec import StudySpec

PLAYERS, SEED = 4, 7
PLAY, DEALT, TALLIED = "bulk.play, decks given", "bulk.play_dealt", "bulk.play_dealt, transitions and rules counted"
TOTALS, PARQUET = "study, totals alone", "study, with Parquet"
REQUIRED = {TOTALS: 0.85, PARQUET: 0.5}
LIMIT = 400 * 1024

LEGEND = f"""\
{PLAYERS} players by house rules, all rows in turn in one process, medians. Ratios: games a second on the clock, against
each of the three rows of bulk. A study deals its games, plays them, counts every arc and decision rule, and stores
histograms of turns, cards, reshuffles and scores; with Parquet it also encodes, writes and syncs a row for each game.
What is required stands against {PLAY}: its decks lie in memory, their dealing is not counted. Memory:
the peak of a fresh process of the command, at most {LIMIT // 1024} MiB are required."""

WATCHED = """
import sys
from maumau.cli.main import app
app(sys.argv[1:], standalone_mode=False)
lines = open("/proc/self/status").read().splitlines()
print(next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")), file=sys.stderr)
"""


@dataclass(frozen=True)
class Row:
    """What came out for one contender, in seconds a game; ratios against the rows of bulk."""

    what: str
    wall: float
    cpu: float
    ratios: tuple[float, ...]

    def cells(self) -> list[str]:
        """The cells of the table."""
        required = f"at least {REQUIRED[self.what]}" if self.what in REQUIRED else ""
        times = [time_text(self.cpu), three_digits(1 / self.wall)]
        return [self.what, *times, *map(ratio_text, self.ratios), required]


def contenders(games: int, threads: int, folder: str) -> dict[str, Callable[[], object]]:
    """The contenders, each for `games` games on `threads` threads."""
    decks = bulk.deal(PLAYERS, games, SEED)
    spec = StudySpec.of("maumau", PLAYERS, games, SEED)
    prepare(spec)
    names = iter(range(1_000_000))

    def stored() -> None:
        with Folder.open(Path(folder, str(next(names))), spec, resume=False) as opened:
            run(spec, Threads(threads), opened)

    return {
        PLAY: lambda: bulk.play(PLAYERS, decks, threads=threads),
        DEALT: lambda: bulk.play_dealt(PLAYERS, games, SEED, threads=threads),
        TALLIED: lambda: bulk.play_dealt(PLAYERS, games, SEED, threads=threads, tally=True),
        TOTALS: lambda: run(spec, Threads(threads)),
        PARQUET: stored,
    }


def measured(games: int, threads: int, repeats: int) -> list[Row]:
    """The rows: on the clock and in CPU time, measured in turn."""
    with tempfile.TemporaryDirectory() as folder:
        works = contenders(games, threads, folder)
        for work in works.values():
            work()
        cpu: dict[str, list[float]] = {what: [] for what in works}

        def timed(what: str) -> float:
            wall: list[float] = []
            cpu[what].append(cpu_time(lambda: wall.append(wall_time(works[what]))))
            return wall[0]

        walls = in_turn({what: (lambda what=what: timed(what)) for what in works}, repeats)  # type: ignore[misc]
    against = [walls[what] for what in (PLAY, DEALT, TALLIED)]
    return [
        Row(what, wall / games, sorted(cpu[what])[repeats // 2] / games, tuple(other / wall for other in against))
        for what, wall in walls.items()
    ]


def peak(games: int, *more: str) -> str:
    """The peak memory of the command for so many games."""
    arguments = ["study", "--players", str(PLAYERS), "--games", str(games), "--seed", str(SEED), "--format", "json"]
    line = [sys.executable, "-c", WATCHED, *arguments, *more]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    kib = int(done.stderr.split()[-1])
    return f"{games:,} games {' '.join(more[:1])}: {kib / 1024:.0f} MiB, {'met' if kib <= LIMIT else 'NOT MET'}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.study", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=whole_number, default=2_000_000, help="in each round (default: %(default)s)")
    parser.add_argument("--repeats", type=whole_number, default=5, help="rounds in turn (default: %(default)s)")
    parser.add_argument("--threads", type=whole_number, default=cores(), help="(default: all cores)")
    parser.add_argument("--json", metavar="FILE", help="write the rows into FILE, too")
    options = parser.parse_args(arguments)
    machine = surroundings("llvmlite", "numpy", "pyarrow")
    rows = measured(options.games, options.threads, options.repeats)
    head = ["what", "CPU a game", "games a second", "of bulk.play", "of play_dealt", "of the same, counted", "required"]
    print(f"{machine}; {options.repeats} rounds of {options.games:,} games on {options.threads} threads\n")
    print(markdown(head, [row.cells() for row in rows]))
    print(f"\n{LEGEND}\n")
    with tempfile.TemporaryDirectory() as folder:
        for games, more in (
            (options.games, ()),
            (5 * options.games, ()),
            (5 * options.games, ("--out", folder + "/o")),
        ):
            print(f"- {peak(games, *more)}")
    write_json(options.json, {"machine": machine, "rows": [asdict(row) for row in rows]})


if __name__ == "__main__":
    main()
