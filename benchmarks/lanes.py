"""How fast lanes are: games in lock step against hand-written scalar C++, or against the scalar kernel.

python -m benchmarks.lanes [--games N] [--repeats K] [--game maumau|uno] [--players N] [--policy NAME] [--json FILE]
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from statistics import median
from typing import Any

from benchmarks import start
from benchmarks.bulk import kernel_call
from benchmarks.cpp import RESULT_BYTES, LockStep, Yardstick
from benchmarks.measuring import (
    CannotMeasureError,
    cpu_time,
    markdown,
    surroundings,
    time_text,
    wall_time,
    whole_number,
    write_json,
)
from fsm import MauMau, Uno
from fsm.declaration.arcs import Policy
from fsm.edge.numbers import cores
from fsm.stepping.game import Game
from maumau.kernels import bulk
from maumau.kernels.compiler.program import blank_rows
from maumau.kernels.lanes.kernel import Worker, lane_kernel, seats_word
from maumau.kernels.lanes.request import AVX2, AVX512, Request, Target, UntraceableError, best, why_no_lanes

SEED = 7
GAMES: dict[str, type[Game]] = {"maumau": MauMau, "uno": Uno}
HOUSE, *OTHERS = "house", "random", "first-legal", "house,random", "house,first-legal"
PLAYERS = {"maumau": (2, 3, 4), "uno": (2, 3, 4, 5, 6, 7)}
GIVEN, DEALT = "scalar C++, decks given", "scalar C++, shuffle inside"
SCALAR, LANES, PLAY = "scalar kernel", "lanes: the kernel alone", "lanes: bulk.play"
PLAY_DEALT, TALLIED = "lanes: bulk.play_dealt", "lanes: bulk.total, transitions and rules counted"
LOCK_STEP = "hand-written lock step, decks given"
FOR_AVX2, LANES_AVX2 = "scalar C++ for AVX2, decks given", "lanes for AVX2: the kernel alone"
DEALT_TWICE = "scalar C++, shuffle inside, two threads"
ONE_THREAD, TWO_THREADS = "lanes: bulk.total, one thread, mean rate of two cores", "lanes: bulk.total, two threads"
REQUIRED = {TALLIED: 2.3, TWO_THREADS: 1.85, LANES_AVX2: 1.6}
PLAY_REQUIRED = {2: 2.4, 3: 2.7, 4: 2.7}
"""By players, with AVX-512."""
UNO_REQUIRED = dict.fromkeys((2, 3, 4), 1.4)
"""By players; with more of them lanes have to be as fast as the scalar kernel."""
STARTS = start.NOTHING, start.VERSION, start.WARM, start.FIRST, start.TOTALS, start.FIRST_TOTALS
"""The starts that are measured as well."""
LONGER = 10
"""Times as many games where threads are compared."""

LEGEND = f"""\
Rounds in turn; `ratio` is the median over the rounds of the time of the row beside it by that of the row in the same
round, `of lock step` that of the time of hand-written lock step. Times are CPU time, for threads
time on the clock.
Of virtual cores one is often slower than the other, as others use the machine: one thread is measured on each core in
turn, and its rate is their mean. What two cores give at most is shown by code that shares nothing: {DEALT_TWICE}."""


@dataclass(frozen=True)
class Row:
    """What came out for one contender, in seconds a game."""

    game: str
    players: int
    what: str
    seconds: float
    ratio: float = 0
    against: str = ""
    required: float = 0
    of_lock_step: float = 0

    def cells(self) -> list[str]:
        """The cells of the table."""
        ratio = f"{self.ratio:.2f}" if self.ratio else ""
        required = f"{self.required:.2f}" if self.required else ""
        part = f"{self.of_lock_step:.2f}" if self.of_lock_step else ""
        return [self.game, str(self.players), self.what, time_text(self.seconds), ratio, self.against, required, part]


class Bench:
    """One game with one number of players. contenders: seconds a game, measured once, by name."""

    def __init__(
        self,
        name: str,
        players: int,
        games: int,
        yardsticks: Sequence[Yardstick],
        lock_step: LockStep | None,
        policy: str,
    ) -> None:
        """policy: of all seats, or several that the seats have in turn. yardsticks, lock_step: they play Mau-Mau by
        house rules; the second is for AVX2.
        """
        self.name, self.players, self.games, self.policy = name, players, games, policy
        kind, names = GAMES[name], policy.split(",")
        self.policies = tuple(names[seat % len(names)] for seat in range(players))
        chosen = tuple(map(kind.declaration.policy, self.policies))
        self.contenders: dict[str, Callable[[], float]] = {}
        self.against: dict[str, str] = {}
        decks = bulk.deal(players, games, SEED, game=name)
        rivals = name == "maumau" and policy == HOUSE
        if yardsticks and rivals:
            self._add_yardstick(yardsticks[0])
        if lock_step and rivals:
            records = blank_records(games)
            self._add(LOCK_STEP, lambda: lock_step.play(players, decks, records), GIVEN)
        self._add(SCALAR, kernel_call(kind, players, decks, chosen), GIVEN)
        reference = GIVEN if yardsticks and rivals else SCALAR
        self._add(LANES, lanes_call(kind, players, decks, chosen), reference)
        with suppress(UntraceableError):
            narrow = lanes_call(kind, players, decks, chosen, AVX2)
            if yardsticks and rivals:
                self.contenders[FOR_AVX2] = partial(batch_seconds, yardsticks[1], players, games)
            self._add(LANES_AVX2, narrow, FOR_AVX2 if yardsticks and rivals else SCALAR)
        play = partial(bulk.play, players, decks, self.policies, threads=1, game=name)
        self._add(PLAY, partial(play, into=play()), reference)
        dealt = partial(bulk.play_dealt, players, games, SEED, policies=self.policies, threads=1, game=name)
        self._add(PLAY_DEALT, dealt, DEALT)
        self._add(TALLIED, self._total(games, 1, tally=True), DEALT)
        if cores() > 1:
            total = self._total(games * LONGER, 1, tally=False)
            self.contenders[ONE_THREAD] = lambda: seconds_on_each_core(total) / (games * LONGER)
            both = self._total(games * LONGER, 2, tally=False)
            self.contenders[TWO_THREADS] = lambda: wall_time(both) / (games * LONGER)
            self.against[TWO_THREADS] = ONE_THREAD

    def rows(self, repeats: int) -> Iterator[Row]:
        """Measure all in turn."""
        rounds = [{what: measure() for what, measure in self.contenders.items()} for _ in range(repeats)]
        for what in self.contenders:
            against = self.against.get(what, "")
            ratio = median(each[against] / each[what] for each in rounds) if against in self.contenders else 0
            required = self.required(what)
            seconds = median(each[what] for each in rounds)
            part = 0.0
            if LOCK_STEP in self.contenders and what in (GIVEN, SCALAR, LANES, PLAY, LANES_AVX2):
                part = median(each[LOCK_STEP] / each[what] for each in rounds)
            against, required = (against, required) if ratio else ("", 0)
            yield Row(self.name, self.players, what, seconds, ratio, against, required, part)

    def required(self, what: str) -> float:
        """The least ratio; 0 if there is none."""
        if self.policy != HOUSE:
            return 0
        if self.name == "maumau":
            return PLAY_REQUIRED.get(self.players, 0) if what == PLAY else REQUIRED.get(what, 0)
        return UNO_REQUIRED.get(self.players, 1) if what == LANES else 0

    def _add_yardstick(self, yardstick: Yardstick) -> None:
        self.contenders[GIVEN] = partial(batch_seconds, yardstick, self.players, self.games)
        self.contenders[DEALT] = lambda: yardstick.seconds("rng+game")
        if cores() > 1:
            self.contenders[DEALT_TWICE] = lambda: yardstick.seconds("rng+game_2thr")
            self.against[DEALT_TWICE] = DEALT

    def _add(self, what: str, work: Callable[[], object], against: str) -> None:
        work()  # compiled, and its code in memory
        self.contenders[what] = lambda: cpu_time(work) / self.games
        self.against[what] = against

    def _total(self, games: int, threads: int, *, tally: bool) -> Callable[[], object]:
        return lambda: bulk.total(
            self.players, games, SEED, policies=self.policies, threads=threads, tally=tally, game=self.name
        )


def batch_seconds(yardstick: Yardstick, players: int, games: int) -> float:
    """Seconds a game, decks given, of a run of the yardstick."""
    yardstick.run(players, games)
    return yardstick.seconds("batch")


def lanes_call(
    kind: type[Game], players: int, decks: Any, seated: Sequence[Policy], target: Target | None = None
) -> Callable[[], object]:
    """A call of the lane kernel that plays `decks` into arrays that are there. seated: the policy of each seat. target:
    this processor, if not given.
    """
    policies = tuple(policy for policy in kind.declaration.policies if policy in seated)
    request = Request(kind.declaration, players, policies, dealing=False, target=target or best())
    worker = Worker(lane_kernel(request), len(decks))
    results, scores = blank_rows(len(decks), players)
    where = {"decks": decks.ctypes.data, "results": results.ctypes.data, "scores": scores.ctypes.data}
    where["seats"] = seats_word(list(map(policies.index, seated)))

    def call() -> object:
        return worker.play(len(decks), **where), results, scores

    return call


def blank_records(games: int) -> Any:
    """Room for the results of games in lock step."""
    import numpy as np

    return np.zeros((games + 64, RESULT_BYTES), np.uint8)


def seconds_on_each_core(work: Callable[[], object]) -> float:
    """Seconds that work takes at the mean rate of two cores: it is done on each of them."""
    everywhere = os.sched_getaffinity(0)
    rates = []
    try:
        for core in sorted(everywhere)[:2]:
            os.sched_setaffinity(0, {core})
            rates.append(1 / wall_time(work))
    finally:
        os.sched_setaffinity(0, everywhere)
    return len(rates) / sum(rates)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lanes", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=whole_number, default=200_000, help="distinct decks (default: %(default)s)")
    parser.add_argument("--repeats", type=whole_number, default=7, help="rounds in turn (default: %(default)s)")
    parser.add_argument("--game", choices=GAMES, help="only this game")
    parser.add_argument("--players", type=whole_number, help="only this number of players")
    seated = "of all seats, or in turn (default: %(default)s)"
    parser.add_argument("--policy", choices=[HOUSE, *OTHERS], default=HOUSE, help=seated)
    parser.add_argument("--json", metavar="FILE", help="write the rows into FILE, too")
    options = parser.parse_args(arguments)
    machine = surroundings("llvmlite", "numpy")
    head = ["game", "players", "what", "a game", "ratio", "against", "required", "of lock step"]
    rows: list[Row] = []
    yardsticks: list[Yardstick] = []
    lock_step: LockStep | None = None
    with tempfile.TemporaryDirectory() as folder:
        try:
            yardsticks = [Yardstick(folder), Yardstick(folder, AVX2.model)]
        except CannotMeasureError as error:
            print(f"not measured: {GIVEN}: {error}\n")
        try:
            lock_step = None if why_no_lanes(AVX512) else LockStep(folder)
        except CannotMeasureError as error:
            print(f"not measured: {LOCK_STEP}: {error}\n")
        for name in [options.game] if options.game else GAMES:
            for players in [options.players] if options.players else PLAYERS[name]:
                try:
                    bench = Bench(name, players, options.games, yardsticks, lock_step, options.policy)
                    rows += bench.rows(options.repeats)
                except UntraceableError as error:
                    print(f"not measured: {name}, {players} players: {error}\n")
        starts = start.Starts(folder).rows(options.repeats, only=STARTS)
    print(f"{machine}; {options.repeats} rounds\n")
    print(markdown(head, [row.cells() for row in rows]))
    print(f"\n{LEGEND}\n")
    print(markdown(start.HEAD, [row.cells() for row in starts]))
    measured = {"rows": [asdict(row) for row in rows], "starts": [asdict(row) for row in starts]}
    write_json(options.json, {"machine": machine, "repeats": options.repeats} | measured)


if __name__ == "__main__":
    main()
