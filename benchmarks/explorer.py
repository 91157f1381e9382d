"""All positions of small decks: the compiled explorer of `maumau check`, and SPIN with a model of Mau-Mau.

python -m benchmarks.explorer [--games NAME,NAME] [--repeats K] [--json FILE]

`--against FOLDER` measures another checkout in place of SPIN, with one core, in pairs of processes that take turns, and
this checkout against itself, and prints ratios of medians with an interval.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.measuring import (
    COMPARED,
    HERE,
    CannotMeasureError,
    in_pairs,
    markdown,
    printed_in,
    ratio_text,
    surroundings,
    whole_number,
    write_json,
)
from fsm.declaration.arcs import SmallDeck
from fsm.registry import game_class

GAMES = "maumau,uno,uno-official,mahjong"
MODEL = Path(__file__).with_name("maumau.pml")
COMPILING = ("gcc", "-O3", "-DSAFETY", "-DNOCLAIM", "-o", "pan", "pan.c")
DEPTH = "-m5000000"
TRANSITIONS, STATES = r"(\d+) transitions", r"(\d+) states, stored"
MEMORY = r"([\d.]+)\s+total actual memory usage"

EXPLORE = """
import json, os, resource, sys, time
from fsm.registry import game_class
from maumau.kernels.explorer.exhaustive import explore
kind, place, one = game_class(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "one"
if one and hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
explore(kind, kind.declaration.small_decks[0])
peak, wall, cpu = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter(), time.process_time()
report = explore(kind, kind.declaration.small_decks[place])
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak) * 1024
print(json.dumps([report.positions, report.events, wall, cpu, peak]))
"""

HEAD = ["deck", "positions", "a second, one core", "a second, all cores", "bytes each", "SPIN, a second", "times SPIN"]
LEGEND = """\
Each run is a fresh process whose machine code is in the cache; rows were measured in turn, medians. One core: by
processor time, with one thread. All cores: on the clock. Bytes: how much the peak of memory grows. SPIN has one core,
visits depth first and checks for dead ends only; here all properties are evaluated, those over time included, refused
events are tried, and the way to each position is kept. SPIN stores one state more, that before the deal."""


class Explored(NamedTuple):
    """Positions, events, seconds on the clock and of processor time, and bytes of memory."""

    positions: int
    events: int
    wall: float
    cpu: float
    memory: float


def explored(game: str, place: int, cores: str) -> Explored:
    """One run of the explorer in a process of its own. place: of the deck. cores: "one" or "all"."""
    return Explored(*json.loads(printed_in(HERE, "-c", EXPLORE, game, str(place), cores)))


def rate(folder: Path, game: str, place: int) -> float:
    """The positions a second of a checkout, with one core."""
    found = Explored(*json.loads(printed_in(folder, "-c", EXPLORE, game, str(place), "one")))
    return found.positions / found.cpu


def spin_built(small: SmallDeck, folder: Path) -> Path:
    """SPIN's program for a small deck of Mau-Mau, made in a folder. Raises CannotMeasureError."""
    if missing := [name for name in ("spin", "gcc") if shutil.which(name) is None]:
        raise CannotMeasureError(f"no {' and no '.join(missing)}")
    kind = game_class("maumau").with_deck(small.cards, small.each)
    deck = " ".join(f"OF({card})" for card in kind.full_deck())
    head = f"#define PLAYERS {small.players}\n#define EACH {small.each}\n#define DECK(OF) {deck}\n"
    (folder / "model.pml").write_text(head + MODEL.read_text(encoding="utf-8"), encoding="utf-8")
    for command in (("spin", "-a", "model.pml"), COMPILING):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "pan"


def spin_explored(program: Path) -> Explored:
    """One run of SPIN's program: the positions without the state before the deal, and the events that are not deals."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, DEPTH], cwd=program.parent, check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if "max search depth too small" in done.stdout or "errors: 0" not in done.stdout:
        raise CannotMeasureError(done.stdout)
    states, transitions, memory = (float(_found(pattern, done.stdout)) for pattern in (STATES, TRANSITIONS, MEMORY))
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Explored(int(states) - 1, int(transitions), cpu, cpu, memory * 2**20)


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found is not None
    return found[1]


def row(game: str, place: int, repeats: int) -> tuple[list[str], dict[str, object]]:
    """The cells and the figures of a deck."""
    small = game_class(game).declaration.small_decks[place]
    with tempfile.TemporaryDirectory() as folder:
        try:
            program = spin_built(small, Path(folder)) if game == "maumau" else None
            reason = "" if program else "no model"
        except CannotMeasureError as error:
            program, reason = None, str(error)
        ones, alls, spins = [], [], []
        for _ in range(repeats):
            ones.append(explored(game, place, "one"))
            alls.append(explored(game, place, "all"))
            spins += [spin_explored(program)] if program else []
    positions = ones[0].positions
    if any(each.positions != positions for each in (*alls, *spins)):
        raise SystemExit(f"{game}, {small}: {positions} positions, SPIN has {spins[0].positions}")
    rate, wall = positions / median(each.cpu for each in ones), positions / median(each.wall for each in alls)
    spin = positions / median(each.cpu for each in spins) if spins else 0
    memory = median(each.memory for each in alls) / positions
    told = [f"{spin:,.0f}", ratio_text(rate / spin)] if spin else [f"not measured: {reason}", ""]
    cells = [f"{game}, {small}", f"{positions:,}", f"{rate:,.0f}", f"{wall:,.0f}", f"{memory:.0f}", *told]
    return cells, {"game": game, "deck": str(small), "one": ones, "all": alls, "spin": spins}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default=GAMES, help="names of games (default: %(default)s)")
    parser.add_argument("--repeats", type=whole_number, default=3, help="rounds (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the figures to a file, too")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="another checkout")
    parser.add_argument("--pairs", type=whole_number, default=20, help="pairs of checkouts (default: %(default)s)")
    options = parser.parse_args(arguments)
    print(f"{surroundings('llvmlite', 'numpy')}\n", flush=True)
    decks = [
        (game, place, small)
        for game in options.games.split(",")
        for place, small in enumerate(game_class(game).declaration.small_decks)
        if small.large
    ]
    if options.against:
        rows = []
        for game, place, small in decks:
            positions, ratios = in_pairs(partial(rate, game=game, place=place), options.against, options.pairs)
            rows.append([f"{game}, {small}", f"{positions:,.0f}", *ratios])
        print(markdown(["deck", "positions a second", *COMPARED], rows))
        write_json(options.json, rows)
        return
    measured = [row(game, place, options.repeats) for game, place, _ in decks]
    print(f"{markdown(HEAD, [cells for cells, _ in measured])}\n\n{LEGEND}")
    write_json(options.json, [figures for _, figures in measured])


if __name__ == "__main__":
    main()
