"""How fast games are played: the compiled executor against the yardstick in C++, and everything else against it.

python -m benchmarks.bulk [--games N] [--repeats K] [--game maumau|uno|mahjong|uno-official] [--json FILE]
"""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.cpp import Yardstick
from benchmarks.measuring import (
    CannotMeasureError,
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
from benchmarks.rivals import (
    EIGHTS_DIFFER,
    MAHJONG_DIFFERS,
    UNO_DIFFERS,
    Rival,
    crazy_eights_in_cpp,
    crazy_eights_stepped,
    rlcard_mahjong,
    rlcard_uno,
)
from fsm import MauMau, game_class
from fsm.declaration.arcs import Policy
from fsm.edge.arrays import allocate
from fsm.edge.numbers import cores
from fsm.stepping.game import Game
from maumau.kernels import bulk
from maumau.kernels.compiled.ends import PositionRoom
from maumau.kernels.compiled.series import GivenDecks, KeptRounds, SeriesRows
from maumau.kernels.compiler.machine_code import machine_code
from maumau.kernels.compiler.program import KernelPlan, blank_rows
from maumau.kernels.compiler.source import playing

SEED = 7
PLAYERS = {"maumau": (2, 3, 4), "uno": (2, 4, 10), "mahjong": (2, 4), "uno-official": (2, 4, 10)}
SIMULATORS = {
    "maumau": "plain_maumau",
    "uno": "plain_uno",
    "mahjong": "plain_table",
    "uno-official": "plain_uno_official",
}
"""The tests' simulator of each game."""
SLOW, SLOWEST = 500, 1000
"""Of so many games the stepped machine plays one, and the slowest rivals play one."""
AT_LEAST = {"uno": 300, "mahjong": 200, "uno-official": 300}
"""How many times as many games as rlcard a game is required to play."""

GIVEN, DEALT, THREADS = "yardstick, decks given", "yardstick, shuffle inside", "yardstick, two threads"
KERNEL, PLAY = "compiled, decks given: the kernel alone", "compiled, decks given: bulk.play"
PLAY_DEALT = "compiled, shuffle inside: bulk.play_dealt"
TOTAL, TALLIED = (
    "compiled, totals: bulk.total, nothing tallied",
    "compiled, totals: bulk.total, transitions and rules tallied",
)
ONE_THREAD, TWO_THREADS = "compiled, totals, one thread", "compiled, totals, two threads"
LONGER = 5
"""Times as many games where threads are compared, so that starting them does not count."""
STEPPED, PLAIN = "stepped machine", "plain Python without a machine"
SPIEL_CPP, SPIEL = "open_spiel crazy_eights, in C++", "open_spiel crazy_eights, from Python"
RLCARD = {"uno": "rlcard uno Game", "mahjong": "rlcard mahjong Game", "uno-official": "rlcard uno Game"}
AGAINST_RLCARD = "compiled against rlcard"

LEGEND = f"""\
Times are medians of CPU time on one core; marked `wall`: of time on the clock, for two threads and for the one thread
that they are compared with. All rows of one game and number of players were measured in turn. ratio: games a second of
the row against those of the row that stands beside it. The yardstick plays Mau-Mau only. Inside are

- {KERNEL}: playing decks that lie in memory, results written to arrays that are there;
- {PLAY}: also checking that each deck is whole, making the arrays, looking for games that go on for ever;
- {PLAY_DEALT}: shuffling and playing; no decks are stored, a result for each game is;
- bulk.total: shuffling, playing, adding up, in constant memory; tallied: each arc and decision rule counted besides;
- {STEPPED}: `of_deck` and `run` with the house rules, history and undo;
- {PLAIN}: the simulator of the tests, same rules, same decks."""


@dataclass(frozen=True)
class Contender:
    """A contender. measure: returns the seconds of `games` games. turns: of one game, None if not known.

    against: the contender it is compared with. clock: cpu or wall.
    """

    what: str
    games: int
    measure: Callable[[], float]
    turns: Callable[[], float] = float
    against: str = ""
    clock: str = "cpu"


@dataclass(frozen=True)
class Row:
    """The result of one contender, in seconds a game and a turn; reason: why there is none."""

    game: str
    players: int
    what: str
    games: int = 0
    clock: str = ""
    seconds: float = 0
    seconds_a_turn: float = 0
    ratio: float = 0
    against: str = ""
    reason: str = ""

    def cells(self) -> list[str]:
        """The cells of the table."""
        head = [self.game, str(self.players), self.what]
        if self.reason:
            return [*head, "", "", "", "", "", f"not measured: {self.reason}"]
        ratio = ratio_text(self.ratio) if self.ratio else ""
        if not self.seconds:
            return [*head, "", "", "", "", ratio, self.against]
        turn = time_text(self.seconds_a_turn) if self.seconds_a_turn else ""
        wall = " wall" if self.clock == "wall" else ""
        rate = three_digits(1 / self.seconds)
        return [*head, f"{self.games:,}", time_text(self.seconds) + wall, turn, rate, ratio, self.against]


class Bench:
    """One game with one number of players: its contenders, and why others are missing."""

    def __init__(self, kind: type[Game], players: int, games: int, yardstick: Yardstick | str) -> None:
        self.kind, self.players, self.games = kind, players, games
        self.name = kind.declaration.name
        self.decks = bulk.deal(players, games, SEED, game=self.name)
        self.turns = bulk.play(players, self.decks, seed=SEED, game=self.name).games["turns"].mean
        self.contenders: list[Contender] = []
        self.missing: dict[str, str] = {}
        if kind is MauMau:
            self._add_yardstick(yardstick)
        self._add_compiled()
        self._add_threads(isinstance(yardstick, Yardstick) and kind is MauMau)
        self._add_slow()
        for what, rival, games_each in self._rivals():
            self._add_rival(what, rival, games_each)

    def rows(self, repeats: int) -> Iterator[Row]:
        """Measure all in turn."""
        seconds = in_turn({each.what: each.measure for each in self.contenders}, repeats)
        each_game = {each.what: seconds[each.what] / each.games for each in self.contenders}
        for each in self.contenders:
            one, turns = each_game[each.what], each.turns()
            ratio = each_game[each.against] / one if each.against in each_game else 0
            against = each.against if ratio else ""
            a_turn = one / turns if turns else 0
            yield Row(self.name, self.players, each.what, each.games, each.clock, one, a_turn, ratio, against)
        rlcard = RLCARD.get(self.name, "")
        if rlcard in each_game:
            ratio = each_game[rlcard] / each_game[PLAY_DEALT]
            against = f"{rlcard} (at least {AT_LEAST[self.name]} required)"
            yield Row(self.name, self.players, AGAINST_RLCARD, ratio=ratio, against=against)
        for what, reason in self.missing.items():
            yield Row(self.name, self.players, what, reason=reason)

    def _add_yardstick(self, yardstick: Yardstick | str) -> None:
        if isinstance(yardstick, str):
            self.missing |= dict.fromkeys((GIVEN, DEALT, THREADS), yardstick)
            return

        def measured() -> float:
            yardstick.run(self.players, self.games)
            return yardstick.seconds("batch") * self.games

        self._add(GIVEN, measured, turns=lambda: yardstick.turns)
        self._add(DEALT, lambda: yardstick.seconds("rng+game") * self.games, turns=lambda: yardstick.turns)
        self._add(THREADS, lambda: yardstick.seconds("rng+game_2thr") * self.games, clock="wall")

    def _add_compiled(self) -> None:
        name, players, games, decks = self.name, self.players, self.games, self.decks
        self._add_work(KERNEL, kernel_call(self.kind, players, decks), against=GIVEN)
        self._add_work(PLAY, lambda: bulk.play(players, decks, threads=1, game=name), against=GIVEN)
        self._add_work(PLAY_DEALT, lambda: bulk.play_dealt(players, games, SEED, threads=1, game=name), against=DEALT)
        for what, tally in ((TOTAL, False), (TALLIED, True)):
            self._add_work(what, self._total(tally), against=DEALT)

    def _total(self, tally: bool) -> Callable[[], object]:
        return lambda: bulk.total(self.players, self.games, SEED, threads=1, tally=tally, game=self.name)

    def _add_threads(self, yardstick: bool) -> None:
        if cores() < 2:
            self.missing[TWO_THREADS] = "only one core may be used"
            return
        for what, threads, against in ((ONE_THREAD, 1, ""), (TWO_THREADS, 2, ONE_THREAD)):
            self._add(what, self._on_threads(threads), self.games * LONGER, against=against, clock="wall")

    def _on_threads(self, threads: int) -> Callable[[], float]:
        games = self.games * LONGER
        return lambda: wall_time(lambda: bulk.total(self.players, games, SEED, threads=threads, game=self.name))

    def _add_slow(self) -> None:
        kind, players = self.kind, self.players
        games = max(1, self.games // SLOW)
        names = kind.declaration.codec.notation.names
        plain = plain_simulator(self.name)
        decks = Slices(self.decks, games)

        def stepped() -> float:
            given = next(decks)
            return cpu_time(lambda: [kind.of_deck(players, deck).run() for deck in given])

        def simulated() -> float:
            given = [names(deck) for deck in next(decks)]
            return cpu_time(lambda: [plain.simulate(players, deck) for deck in given])

        self._add(STEPPED, stepped, games, turns=self.turns, against=PLAY)
        self._add(PLAIN, simulated, games, turns=self.turns, against=PLAY)

    def _rivals(self) -> list[tuple[str, Callable[[int], Rival], int]]:
        slow, slowest = max(1, self.games // SLOW), max(1, self.games // SLOWEST)
        if self.name in RLCARD:
            make = rlcard_mahjong if self.name == "mahjong" else rlcard_uno
            return [(RLCARD[self.name], make, slowest)]
        return [(SPIEL_CPP, crazy_eights_in_cpp, slow), (SPIEL, crazy_eights_stepped, slow)]

    def _add_rival(self, what: str, make: Callable[[int], Rival], games: int) -> None:
        try:
            rival = make(self.players)
        except CannotMeasureError as error:
            self.missing[what] = str(error)
            return

        def measured() -> float:
            return cpu_time(lambda: [rival.play() and None for _ in range(games)])

        def turns() -> float:
            return sum(rival.turns(rival.play()) for _ in range(games)) / games

        self._add(what, measured, games, turns=turns, against=PLAY_DEALT)

    def _add_work(self, what: str, work: Callable[[], object], against: str) -> None:
        work()  # compiled, and its code in memory
        self._add(what, lambda: cpu_time(work), turns=self.turns, against=against)

    def _add(self, what: str, measure: Callable[[], float], games: int = 0, **options: Any) -> None:
        self.contenders.append(Contender(what, games or self.games, measure, **options))


class Slices:
    """Some decks after others, starting again after the last one."""

    def __init__(self, decks: Any, size: int) -> None:
        self.decks, self.size = decks, size
        self.starts = count(0, size)

    def __next__(self) -> list[bytes]:
        start = next(self.starts) % (len(self.decks) - self.size + 1)
        return [deck.tobytes() for deck in self.decks[start : start + self.size]]


def kernel_call(kind: type[Game], players: int, decks: Any, seated: Sequence[Policy] = ()) -> Callable[[], object]:
    """A call of the kernel that plays `decks` into existing arrays. seated: the policy of each seat, if not the default
    one.
    """
    import numpy as np

    game = kind.declaration
    seated = seated or game.policies[:1] * players
    plan = KernelPlan(game, tuple(policy for policy in game.policies if policy in seated))
    seats = np.array(list(map(plan.policies.index, seated)), np.int64)
    kernel = machine_code(playing(plan))
    given = allocate(GivenDecks)._replace(decks=decks)
    results, scores = blank_rows(len(decks), players)
    rows = allocate(SeriesRows)._replace(results=results, scores=scores)
    return lambda: kernel(given, 0, 0, seats, 0, rows, allocate(KeptRounds), allocate(PositionRoom))


def plain_simulator(name: str) -> ModuleType:
    """The tests' simulator without a machine, imported by its path."""
    folder = str(Path(__file__).parents[1] / "tests" / "support")
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(SIMULATORS[name])


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bulk", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=whole_number, default=200_000, help="distinct decks (default: %(default)s)")
    parser.add_argument("--repeats", type=whole_number, default=5, help="rounds in turn (default: %(default)s)")
    parser.add_argument("--game", choices=PLAYERS, help="only this game")
    parser.add_argument("--json", metavar="FILE", help="write the rows into FILE, too")
    options = parser.parse_args(arguments)
    machine = surroundings("llvmlite", "numpy", "transitions", "open_spiel", "rlcard")
    rows = measured([options.game] if options.game else list(PLAYERS), options.games, options.repeats)
    head = ["game", "players", "what", "games", "a game", "a turn", "games a second", "ratio", "against"]
    print(f"{machine}; {options.repeats} rounds\n")
    print(markdown(head, [row.cells() for row in rows]))
    print(f"\n{LEGEND}\n- {EIGHTS_DIFFER}\n- {UNO_DIFFERS}\n- {MAHJONG_DIFFERS}")
    write_json(options.json, {"machine": machine, "repeats": options.repeats, "rows": [asdict(row) for row in rows]})


def measured(names: Sequence[str], games: int, repeats: int) -> list[Row]:
    """The rows of the games called `names`."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            yardstick: Yardstick | str = Yardstick(folder)
        except CannotMeasureError as error:
            yardstick = str(error)
        for name in names:
            for players in PLAYERS[name]:
                print(f"measuring {name}, {players} players", file=sys.stderr)
                rows += Bench(game_class(name), players, games, yardstick).rows(repeats)
    return rows


if __name__ == "__main__":
    main()
