"""Plays games in one thread: in lanes, the few that leave them by other code with the same results, or one by one.

The results are added up, or counted by value, by compiled code.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from operator import add
from typing import Any

from fsm.declaration.arcs import Policy
from fsm.declaration.chain import Counter, fired_of
from fsm.declaration.declaration import Declaration, rule_names
from fsm.edge.numbers import Array, np
from maumau.kernels.compiled.loop import CELLS, add_up, count_values, spread
from maumau.kernels.compiler.machine_code import Area, Notify, machine_code
from maumau.kernels.compiler.program import (
    MEASURED,
    RESULT,
    GameResult,
    Results,
    Totals,
    blank_rows,
    no_decks,
    numbers,
    of_any_game,
)
from maumau.kernels.compiler.source import dealing
from maumau.kernels.lanes.kernel import LaneKernel, Worker, lane_kernel, seats_word
from maumau.kernels.lanes.request import Request, UntraceableError
from rules.ending import Ending
from rules.values import dataclass

Distribution = Callable[[Array, Array, Array, Array, Array, Array], int]


APART = 16
"""Words between the counters of two threads, so that they share no cache line."""


ADD_UP = of_any_game(add_up, lambda: (*blank_rows(0, 2), *(numbers(2) for _ in range(4))))
"""Adds results up. It depends on the layout of a result only, not on a game."""


class Counts:
    """Counters of arcs, of decision rules and of results for one thread, in memory of the standard library."""

    def __init__(self, game: Declaration, players: int) -> None:
        self.players = players
        counters, rules, sums = len(game.counters), len(rule_names(game)), len(Ending) + 2 * players + 6
        starts = APART, 2 * APART + counters, 3 * APART + counters + rules
        self.words = array("q", bytes(8 * (starts[-1] + sums + APART)))
        self._parts = [slice(*part) for part in zip(starts, map(add, starts, (counters, rules, sums)), strict=True)]

    @property
    def addresses(self) -> dict[str, int]:
        """The addresses of the counters by the names of the arguments of a worker."""
        start, _ = self.words.buffer_info()
        return {name: start + 8 * part.start for name, part in zip(("fired", "used", "sums"), self._parts, strict=True)}

    @property
    def areas(self) -> list[Area]:
        """Where the counters are: of arcs, of rules, of endings, wins, points, and the other sums."""
        return [Area(self.words, (part.stop - part.start,), part.start) for part in self.parts]

    @property
    def named(self) -> tuple[list[int], list[int]]:
        """How often each arc was fired, and each rule used."""
        fired, used, _ = self._parts
        return self.words[fired].tolist(), self.words[used].tolist()

    @property
    def parts(self) -> list[slice]:
        """Where the counters are among the words: of arcs, of rules, of endings, wins, points, and the other sums."""
        fired, used, sums = self._parts
        ends = [0, len(Ending), len(Ending) + self.players, len(Ending) + 2 * self.players, sums.stop - sums.start]
        return [fired, used, *(slice(sums.start + start, sums.start + end) for start, end in pairwise(ends))]

    def change(self, other: Counts, sign: int = 1) -> None:
        """Add what another counted, or subtract it. The last sum is a maximum."""
        longest = self._parts[2].stop - 1
        for index, value in enumerate(other.words):
            self.words[index] = max(self.words[index], value) if index == longest else self.words[index] + sign * value

    def add(self, results: array[int], scores: array[int]) -> None:
        """Add the results of a few games to the sums: no machine code is loaded for them."""
        games: Any = [GameResult._make(fields) for fields in RESULT.iter_unpack(results)]
        rows: Any = memoryview(scores).cast("B").cast("i", (len(games), self.players))
        words: Any = memoryview(self.words)
        add_up(games, rows, *(words[part] for part in self.parts[2:]))

    def totals(self, games: int, counted: Mapping[Counter, int] | None, used: Mapping[str, int] | None) -> Totals:
        """The sums by name, with the counts of arcs and decision rules."""
        ended, wins, points, sums = (self.words[part].tolist() for part in self.parts[2:])
        endings = {str(ending): ended[ending] for ending in Ending if ending != Ending.RUNNING}
        turns, laid, taken, reshuffles, reshuffled, longest = sums
        return Totals(
            *(games, endings, tuple(wins), tuple(points)),
            *(turns, laid, taken, reshuffles, reshuffled, longest),
            *(fired_of(counted or {}), used or {}),
        )


def totals_of(game: Declaration, players: int, games: int, words: list[int]) -> Totals:
    """The totals of games from the words of their counters, where another machine has counted them."""
    counts = Counts(game, players)
    counts.words[:] = array("q", words)
    fired, used = counts.named
    counted = dict(zip(game.counters, fired, strict=True))
    return counts.totals(games, counted, dict(zip(rule_names(game), used, strict=True)))


# ---------------------------------------------------------------- histograms

COUNT_VALUES = of_any_game(
    count_values, lambda: (*blank_rows(0, 2), numbers(3), numbers(3), numbers((0, CELLS)), numbers(0))
)
"""Counts results by value. It depends on the layout of a result only, not on a game."""
SPREAD = of_any_game(
    spread,
    lambda: (
        *blank_rows(0, 2),
        *(np.empty(0, dtype) for dtype in (np.int8, np.uint8)),
        *(np.empty((2, 0), dtype) for dtype in (np.uint32, np.int32)),
    ),
)
"""Writes results in columns. It depends on the layout of a result only, not on a game."""


def histograms(count_values: Distribution, played: Results) -> dict[str, Array]:
    """The counts by name, 64-bit integers: `endings` by code, `wins` by seat, `turns` and the other measures and
    `score 1`, `score 2`, ... by value, up to the largest that came, and `trails`, the sum of the trails. Scores below
    zero are counted in `loss 1`, `loss 2`, ... by their size, for seats that have some.
    """
    games, scores = played.games, played.scores
    seats = scores.shape[1]
    endings, winners = numbers(len(Ending)), numbers(seats + 1)
    columns = {name: games[name] for name in MEASURED}
    columns |= {f"score {seat + 1}": scores[:, seat] for seat in range(seats)}
    cells, bits = numbers((len(columns), CELLS)), numbers(len(columns))
    trails = count_values(games, scores, endings, winners, cells, bits)
    counted = {"endings": endings, "wins": winners[1:]}
    for (name, column), row, values in zip(columns.items(), cells, bits.tolist(), strict=True):
        if 0 <= values < CELLS:
            counted[name] = np.trim_zeros(row, "b").copy()
            continue
        counted[name] = np.bincount(column[column >= 0], minlength=1)
        if values < 0:
            counted[name.replace("score", "loss")] = np.bincount(-column[column < 0])
    return counted | {"trails": np.array([trails], np.int64)}


MIN_GAMES = 128
"""Fewer games are played by the scalar kernel: most lanes would stand empty."""
CHUNK = 1 << 16
"""Games that one thread plays at a time, at most: at the end of each chunk some lanes stand empty."""


def kernel_for(
    game: Declaration, players: int, policies: tuple[Policy, ...], tally: bool, dealing: bool, notify: Notify | None
) -> LaneKernel:
    """The kernel of games whose seats have these distinct policies.

    Raises UntraceableError, which says why the scalar kernel has to play.
    """
    if game.shares_wins:
        raise UntraceableError("several can win a game together")
    return lane_kernel(Request(game, players, policies, tally, dealing), notify)


Rows = tuple[Array, Array]
"""Results and scores."""


@dataclass(frozen=True)
class Scalar:
    """The scalar kernel of games of one kind. policies: the number of the policy of each seat. seed: whose decks are
    dealt where none are given.

    play: plays decks (decks, number of the first, results, scores, counters). deal: the decks of games of the seed
    (number of the first, games).
    """

    game: Declaration
    policies: Sequence[int]
    seed: int
    tally: bool
    play: Callable[[Array | Area, int, Array | Area, Array | Area, Counts], None]
    deal: Callable[[int, int], Array]

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.policies)


class ScalarPlayer:
    """Plays games of one kind in one thread, one after the other."""

    def __init__(self, scalar: Scalar) -> None:
        self.scalar, self.counts = scalar, Counts(scalar.game, scalar.players)

    def rows(self, decks: Array | None, first: int, results: Array, scores: Array) -> None:
        """Play into results and scores: games `first`, ... with the decks, or those of the seed."""
        given = no_decks() if decks is None else writable(decks)
        self.scalar.play(given, first, results, scores, self.counts)

    def total(self, first: int, games: int) -> None:
        """Play games `first`, ... of the seed and add their results up."""
        results, scores = blank_rows(games, self.scalar.players)
        self.rows(None, first, results, scores)
        machine_code(ADD_UP)(results, scores, *self.counts.areas[2:])


class LanePlayer:
    """Plays games of one kind in one thread, in lanes."""

    def __init__(self, kernel: LaneKernel, scalar: Scalar, games: int) -> None:
        """games: of one call, at most. scalar: takes over where lanes do not reach."""
        self.game, self.players, self.scalar = scalar.game, scalar.players, scalar
        self.worker = Worker(kernel, max(games, 1))
        self.seats = seats_word(scalar.policies)
        self.counts = Counts(self.game, self.players)

    def rows(self, decks: Array | None, first: int, results: Array, scores: Array) -> None:
        """Play into results and scores: games `first`, ... with the decks, or those of the seed.

        Raises WrongDeckError.
        """
        self._all(decks, first, len(results), (results, scores))

    def total(self, first: int, games: int) -> None:
        """Play games `first`, ... of the seed and add their results up."""
        self._all(None, first, games, None)

    def _all(self, decks: Array | None, first: int, games: int, into: Rows | None) -> None:
        """Play games in lanes, and those that left by other code. into: no rows, where results are added up."""
        if decks is None and not self.worker.kernel.deals:
            decks = self.scalar.deal(first, games)
        marks = self._play(games, 0 if decks is None else decks.ctypes.data, first, into)
        if left := [mark for mark in marks if mark >= 0]:  # while they were played
            deck = self._decks(first, left) if decks is None else array("B", decks[left].tobytes())
            self._play_scalar(deck, [first + index for index in left], into, left)
        if not_dealt := [-1 - mark for mark in marks if mark < 0]:
            self._play_apart(first, not_dealt, into)

    def _play_apart(self, first: int, indices: Sequence[int], into: Rows | None) -> None:
        """Play games whose decks were not dealt in lanes."""
        apart, size = self._decks(first, indices), self.game.deck_size
        again = blank_rows(len(indices), self.players) if into else None
        for part in self._parts(len(indices)):
            at, rows = apart.buffer_info()[0] + part.start * size, again and (again[0][part], again[1][part])
            left = [
                part.start + row for row in self._play(part.stop - part.start, at, first + indices[part.start], rows)
            ]
            decks = array("B", b"".join(apart[row * size : (row + 1) * size].tobytes() for row in left))
            self._play_scalar(decks, [first + indices[row] for row in left], again, left)
        if into and again:
            into[0][indices], into[1][indices] = again

    def _decks(self, first: int, indices: Sequence[int]) -> array[int]:
        """The decks of some games of the seed, one after another."""
        size, deal = self.game.deck_size, machine_code(dealing(self.game))
        decks = array("B", bytes(size * len(indices)))
        for row, index in enumerate(indices):
            deal(Area(decks, (1, size), row * size), self.players, self.scalar.seed, first + index)
        return decks

    def _play(self, games: int, decks: int, first: int, into: Rows | None) -> list[int]:
        """The games that left. decks: their address, or 0."""
        addresses = self.counts.addresses
        if into:
            del addresses["sums"]
            addresses |= {"results": into[0].ctypes.data, "scores": into[1].ctypes.data}
        return self.worker.play(games, decks=decks, seed=self.scalar.seed, first=first, seats=self.seats, **addresses)

    def _parts(self, games: int) -> list[slice]:
        """Games that are played apart: together, or each with its number where dice are rolled; none of no games."""
        step = 1 if self.worker.kernel.rolls else max(games, 1)
        return [slice(start, start + step) for start in range(0, games, step)]

    def _play_scalar(self, decks: array[int], numbers: Sequence[int], into: Rows | None, rows: Sequence[int]) -> None:
        """Play games that left into their rows, or add their results up; what lanes counted of them is subtracted."""
        size, each = self.game.deck_size, self.scalar.players
        for part in self._parts(len(rows)):
            games, number = part.stop - part.start, numbers[part.start]
            given = Area(decks, (games, size), part.start * size)
            if self.scalar.tally:
                again, kept = Counts(self.game, self.players), self.counts
                self.counts = again
                self._play(games, given.words[0], number, None)
                self.counts = kept
                kept.change(again, -1)
            results, scores = array("b", bytes(RESULT.size * games)), array("i", bytes(4 * each * games))
            played = Area(results, (games,)), Area(scores, (games, each))
            self.scalar.play(given, number, *played, self.counts)
            if into:
                for rows_of_all, area in zip(into, played, strict=True):
                    rows_of_all[rows[part]] = area.as_array(rows_of_all.dtype)
            else:
                self.counts.add(results, scores)


def writable(rows: Array) -> Array:
    """The same rows, copied if they are read-only: machine code is compiled for arrays that may be written."""
    return rows if rows.flags.writeable else rows.copy()
