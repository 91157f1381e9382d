"""Games whose printed results are written by machine code, in blocks: lanes or the scalar kernel keep what these have.

Lanes leave the piles of a game as they lie at its end, in which the cards laid follow each other as long as they are
no more than there is room for; the scalar kernel keeps every event.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from fsm.declaration.declaration import Declaration
from fsm.declaration.endless import LongGameError, StuckError
from fsm.edge.numbers import Array, Notify, np
from fsm.table.layout import layout_of
from maumau.kernels.bulk.chunks import worker_count
from maumau.kernels.bulk.lanes import MIN_GAMES
from maumau.kernels.bulk.runner import Runner
from maumau.kernels.bulk.text import BYTES_OF_NUMBER, words_of
from maumau.kernels.compiled.text import (
    ALWAYS,
    END,
    LAID,
    MARKS,
    Outcomes,
    ResultText,
    laid_cards,
    marks_of,
    write_results,
)
from maumau.kernels.compiler.machine_code import machine_code
from maumau.kernels.compiler.program import (
    Program,
    blank_rows,
    module_source,
    numbers,
    of_any_game,
)
from maumau.kernels.compiler.source import constants_source
from maumau.kernels.lanes.kernel import LaneKernel, Worker, lane_kernel, seats_word
from maumau.kernels.lanes.request import Request, UntraceableError
from rules.deck_format import Decks
from rules.ending import Ending

if TYPE_CHECKING:
    from concurrent.futures import Future

    from fsm.stepping.game import Game
    from maumau.kernels.compiler.program import KernelSource

BLOCK = 1 << 11
"""Games that one thread plays and writes at a time: eight times as many take 13 MB more and 0.95 of the time."""
PLAY = "play"
"""The event by which a card is laid that a result has."""
NO_RING = -1
"""The mask of cards that lie in a row."""


WRITE_RESULTS = of_any_game(write_results)
"""Writes results. It depends on no game."""
LAID_CARDS = of_any_game(laid_cards)
"""Finds the cards laid in the events of games. It depends on no game."""


def _marking(game: Declaration) -> Program:
    """`marks_of`, which finds the marks of seats (tables, marks)."""

    def write(game: Declaration) -> KernelSource:
        (mark,) = game.look.marks
        constants = constants_source({"TABLE_BYTES": layout_of(game).size, "game_mark": mark})
        return module_source("", [constants], [mark], (marks_of,))

    return Program(marks_of, write, game, game)


@dataclass(frozen=True)
class ResultBlock:
    """What is printed of some games of as many players, a row for each.

    cards: those laid, of which those of a game are in a ring from `places` on: the first at `begin`, the others after
    it under `mask`. laid: how many they are. sound: which games are over and have all their cards here.
    """

    results: Array
    scores: Array
    marks: Array
    laid: Array
    cards: Array
    places: Array
    begin: int
    mask: int
    sound: Array


class Seated:
    """Plays decks of so many players, and keeps what is printed."""

    def __init__(
        self, game: Declaration, policies: Sequence[str], seed: int, players: int, games: int, *, is_mixed: bool
    ) -> None:
        """games: how many there are, and others with other numbers of players, where `is_mixed`."""
        self.game, self.players, self.seed, self.games, self.is_mixed = game, players, seed, games, is_mixed
        self.runner = Runner(game, players, policies, seed, tally=False, log=True, notify=None)
        self.by_number = game.plays_by_number(self.runner.chosen)
        self.has_cards = game.look.lines is not None and game.look.lines.laid
        self.kernel: LaneKernel | None = None
        self._workers: list[Worker] = []
        self.lays = np.array([arc.trigger == PLAY for arc in game.arcs], np.uint8)
        self.opening = len(game.seats_dealt(players))

    def prepare(self, notify: Notify | None) -> str:
        """Make the kernels: why not all games are played in lanes. Raises CompilationError."""
        self.runner.notify = notify
        why = self._why_no_lanes() or self._make_lanes(notify)
        if why or self.has_cards:
            self.runner.kernel  # noqa: B018
        return why

    def _why_no_lanes(self) -> str:
        """Why lanes cannot play the games, or not so that their piles have the cards that are printed."""
        if self.games < MIN_GAMES:
            return "there are few such games"
        if self.is_mixed and self.by_number:
            return "dice depend on the number of a game, and others are between them"
        offers = (offer for control in self.game.control.values() for offer in control.offers)
        lays = self.has_cards and any(offer.lays and offer.trigger != PLAY for offer in offers)
        return "cards are laid by other events than play" if lays else ""

    def _make_lanes(self, notify: Notify | None) -> str:
        policies, marks = self.runner.plan.policies, bool(self.game.look.marks)
        try:
            self.kernel = lane_kernel(Request(self.game, self.players, policies, dealing=False, marks=marks), notify)
        except UntraceableError as error:
            return str(error)
        return ""

    @cached_property
    def bottom(self) -> int:
        """Where the opening card lies in the ring."""
        table = self.game.table()
        self.game.deal(table, self.game.dealable_deck, self.players)
        return int(table.bottom)

    @cached_property
    def ring(self) -> int:
        """The size of the ring of both piles."""
        return len(self.game.table().ring)

    def play(self, decks: Array, numbers: Array) -> Iterator[tuple[Array, ResultBlock]]:
        """Yield what is printed of games, with the rows of these games among `decks`. numbers: of the games."""
        consecutive = len(numbers) == 0 or numbers[-1] - numbers[0] == len(numbers) - 1
        rows = np.arange(len(decks))
        if self.kernel and len(decks) >= MIN_GAMES and (consecutive or not self.kernel.rolls):
            part = self._in_lanes(decks, int(numbers[0]))
            yield rows, part
            rows = (~part.sound).nonzero()[0]
        if not len(rows):
            return
        runs = np.split(rows, (np.diff(numbers[rows]) != 1).nonzero()[0] + 1) if self.by_number else [rows]
        for run in runs:
            with suppress(StuckError, LongGameError):
                yield run, self._one_by_one(decks[run], int(numbers[run[0]]))

    def _in_lanes(self, decks: Array, first: int) -> ResultBlock:
        assert self.kernel
        games, seats = len(decks), self.players
        results, scores = blank_rows(games, seats)
        rings = np.empty((games, self.ring) if self.has_cards else (0, self.ring), np.uint8)
        marks = np.zeros((games if self.game.look.marks else 0, seats), np.int32)
        try:
            worker = self._workers.pop()
        except IndexError:
            worker = Worker(self.kernel, BLOCK)
        left = worker.play(
            games,
            decks=decks.ctypes.data,
            seed=self.seed,
            first=first,
            results=results.ctypes.data,
            scores=scores.ctypes.data,
            rings=rings.ctypes.data if self.has_cards else 0,
            marks=marks.ctypes.data if len(marks) else 0,
            seats=seats_word(self.runner.numbers),
        )
        self._workers.append(worker)
        sound, laid = np.ones(games, bool), results["laid"].astype(np.int64)
        sound[left] = False
        if self.has_cards:
            sound &= (laid <= self.ring) & (rings[:, self.bottom % self.ring] == decks[:, self.opening])
        places = np.arange(games) * self.ring
        return ResultBlock(results, scores, marks, laid, rings.ravel(), places, self.bottom, self.ring - 1, sound)

    def _one_by_one(self, decks: Array, first: int) -> ResultBlock:
        """Play games by the scalar kernel. Raises StuckError or LongGameError for one that does not end."""
        games, seats = len(decks), self.players
        kept = self.runner.play_logged(np.ascontiguousarray(decks), first)
        marks = np.zeros((games if self.game.look.marks else 0, seats), np.int32)
        if self.game.look.marks:
            machine_code(_marking(self.game))(kept.tables.view(np.uint8), marks)
        cards, places, laid = np.zeros(0, np.uint8), numbers(games), numbers(games)
        if self.has_cards:
            opened = self.opening < decks.shape[1]
            openings = decks[:, self.opening].astype(np.int64) if opened else np.full(games, -1, np.int64)
            cards = np.zeros(len(kept.log) + games, np.uint8)
            machine_code(LAID_CARDS)(kept.log, kept.log_ends, self.lays, openings, places, laid, cards)
        sound = kept.games["ending"] > Ending.RUNNING
        return ResultBlock(kept.games, kept.scores, marks, laid, cards, places, 0, NO_RING, sound)


Piece = tuple["bytes | memoryview", bool]
"""The text of some results, and whether all the games were won."""


class ResultWriter:
    """Plays decks and writes the results. seated: what plays the games of each number of players."""

    def __init__(
        self, kind: type[Game], decks: Decks, policies: Sequence[str], seed: int, first: int, threads: int | None
    ) -> None:
        """kind: a game that prints `ResultLines`. decks: those to play, which are not changed any more. policies: one
        for all seats or one for each. seed, first: the dice of random players.
        """
        self.game, self.first = kind.declaration, first
        look = self.game.look
        form = look.lines
        assert form is not None
        self.players = np.frombuffer(decks.players, np.uint8)
        self.decks = np.frombuffer(decks.codes, np.uint8).reshape(-1, decks.size)
        self.blocks = [(start, min(start + BLOCK, len(decks))) for start in range(0, len(decks), BLOCK)]
        self.threads = worker_count(len(self.blocks), threads)
        each = [(seats, games) for seats, games in enumerate(np.bincount(self.players).tolist()) if games]
        given = self.game, policies, seed
        self.seated = {seats: Seated(*given, seats, games, is_mixed=len(each) > 1) for seats, games in each}
        words = words_of([*(f"{name} " for name in self.game.codec.notation.cards), form.scores])
        unwon = words_of(f"{look.no_score(ending)}\n" for ending in Ending)
        self.form = ResultText(words, unwon, LAID * form.laid | ALWAYS * form.always | MARKS * (form.marks is not None))

    def texts(self, step: Callable[[int], Piece]) -> Generator[Piece]:
        """Yield the texts of all results in order.

        step: plays a game that machine code does not end, by its index.
        """
        for pieces in self._in_order():
            for piece in pieces:
                yield step(piece) if isinstance(piece, int) else piece

    def _in_order(self) -> Iterator[list[Piece | int]]:
        """The pieces of all blocks. A few blocks are played ahead, in several threads."""
        if self.threads == 1:
            yield from (self._played(*block) for block in self.blocks)
            return
        from concurrent.futures import ThreadPoolExecutor

        waiting: deque[Future[list[Piece | int]]] = deque()
        with ThreadPoolExecutor(self.threads) as pool:
            try:
                for block in self.blocks:
                    waiting.append(pool.submit(self._played, *block))
                    if len(waiting) > self.threads:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for future in waiting:
                    future.cancel()

    def _played(self, start: int, end: int) -> list[Piece | int]:
        """The texts of a block of games, and the indices of those that are to be stepped."""
        players, decks, order = self.players[start:end], self.decks[start:end], np.arange(end - start)
        counts = np.bincount(players)
        if np.count_nonzero(counts) > 1:
            order = players.argsort(kind="stable")
            decks = decks[order]
        parts: list[ResultBlock] = []
        rows, row, at = np.full(end - start, -1, np.int64), 0, 0
        for seats in counts.nonzero()[0].tolist():
            games = order[at : at + counts[seats]]
            for some, part in self.seated[seats].play(decks[at : at + len(games)], games + (self.first + start)):
                rows[games[some]] = np.where(part.sound, np.arange(row, row + len(some)), -1)
                parts.append(part)
                row += len(some)
            at += len(games)
        return self._written(start, players, rows, parts)

    def _written(self, start: int, players: Array, rows: Array, parts: Sequence[ResultBlock]) -> list[Piece | int]:
        """The texts of a block. rows: the row of each game among those of all parts, or -1."""
        joined = _joined(parts)
        words, unwon, _ = self.form
        widest = int(words.lengths[:-1].max())
        size = int(joined.laid.sum()) * widest if self.form.parts & LAID else 0
        size += len(players) * (2 + words.texts.shape[1] + unwon.texts.shape[1]) + 2 * BYTES_OF_NUMBER * int(
            players.sum(dtype=np.int64)
        )
        pieces: list[Piece | int] = []
        write, told, game = machine_code(WRITE_RESULTS), numbers(3), 0
        won = (joined.results["winner"] >= 0) | (joined.results["winners"] != 0)
        while game < len(players):
            if rows[game] < 0:
                pieces.append(start + game)
                game += 1
                continue
            out = np.empty(size, np.uint8)
            before, game = game, write(game, players, rows, joined, self.form, out, told)
            pieces.append((out[: told[END]].data, bool(won[rows[before:game]].all())))
        return pieces


def _joined(parts: Sequence[ResultBlock]) -> Outcomes:
    """The rows of all parts."""

    def of(arrays: Iterable[Array]) -> Array:
        listed = list(arrays)
        return listed[0] if len(listed) == 1 else np.concatenate(listed)

    bases, places, base, place = [], [], 0, 0
    for part in parts:
        bases.append(base + np.arange(len(part.results)) * part.scores.shape[1])
        places.append(part.places + place)
        base, place = base + part.scores.size, place + len(part.cards)
    sizes = [len(part.results) for part in parts]
    return Outcomes(
        of(part.results for part in parts),
        of(part.scores.ravel() for part in parts),
        of(part.marks.ravel() for part in parts),
        of(bases),
        of(part.laid for part in parts),
        of(part.cards for part in parts),
        of(places),
        np.repeat([part.begin for part in parts], sizes),
        np.repeat([part.mask for part in parts], sizes),
    )
