"""All positions of a game with a small deck, visited in machine code."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import cycle
from typing import Any

from fsm.check.exhaustive import ExhaustiveCheck
from fsm.check.properties import Report
from fsm.check.readable import PositionTest
from fsm.declaration.arcs import Phase, SmallDeck
from fsm.declaration.declaration import Declaration
from fsm.edge.arrays import allocate
from fsm.edge.numbers import Array, Notify, np, thread_count
from fsm.stepping.game import Game
from fsm.stepping.moves import Code
from maumau.kernels.compiled.deals import deal_on
from maumau.kernels.compiled.explore import ExplorerRoom, SmallGame
from maumau.kernels.compiled.known import (
    AGAIN,
    CARD,
    DEAL,
    EVENTS,
    FILLED,
    HERE,
    KNOWN,
    MOVE,
    NOTES,
    PARENT,
    PLACES,
    SPAN,
    STAGED,
    TRIED,
    VALUE,
    WAYS,
    ExploredRows,
    StagedRows,
    has_room,
)
from maumau.kernels.compiler.machine_code import machine_code, require_compiler
from maumau.kernels.compiler.program import of_any_game
from maumau.kernels.compiler.rows import row_width
from maumau.kernels.engine import PythonEngine
from maumau.kernels.explorer.graph import PositionGraph, Successors
from maumau.kernels.explorer.known import FIRST_ROOM, SETTLE, enlarge
from maumau.kernels.explorer.source import BEGINS, ENDS, TOGETHER, batch, exploring, most_events, pairs

__all__ = ["MOST", "explore"]

Span = tuple[int, int, int, int]
"""The deals and the positions from which is gone on, as SPAN numbers."""

MOST = 40_000_000
"""The limit of positions that are visited, which bounds the memory of an exploration: 40 to 60 bytes each."""
AT_ONCE = 1 << 13
"""Deals or positions from which one thread goes on in one call: a few milliseconds, for no call can be interrupted.
More than these are shared among threads.
"""
MOST_NUMBERS = 1 << 31
"""Positions that have numbers of 32 bits."""
ROOM = 1 << 21
"""Positions that are staged in one call at most."""
SPANS, MOST_SPANS = 16, 32
"""Spans into which threads share what is left, if it is enough, and those that they share before it is looked at again.
"""
AHEAD = 2
"""Spans that wait for a thread while others are visited, and while what was found before is settled."""


def explore(kind: type[Game], small: SmallDeck, most: int = MOST, notify: Notify | None = None) -> Report:
    """Visit in machine code all positions that a small deck can reach, from every deal by every legal event.

    kind: the game class. small: the deck, the players, the cards of each. most: the positions after which to stop.
    notify: called with one line when machine code has to be compiled, and now and then on how far it is.
    Raises TypeError, ValueError; MissingExtra.
    """
    require_compiler()
    return Exploration(kind, small, most, notify).run()


DEAL_ON = of_any_game(deal_on)
"""Deals the cards of any game."""


class Deals:
    """The deals of a game with a small deck, as `fsm.stepping.setup.deals`, and decks that may not be dealt."""

    def __init__(self, kind: Any, players: int) -> None:
        game = kind.declaration
        self._cards = np.array(game.full_deck(), np.int64)
        alone = np.arange(len(self._cards))
        hands, sizes = game.places_dealt(players), game.sizes_dealt(players)
        self._places = np.concatenate([np.array(hands, np.int64), alone[len(hands) :]])
        self._ends = np.concatenate([np.repeat(np.cumsum(sizes), sizes), alone[len(hands) :] + 1])
        self._begun = 0

    def next(self, most: int) -> Array:
        """The next decks, `most` of them while there are so many: a row of bytes for each."""
        decks = np.empty((most, len(self._cards)), np.uint8)
        given = self._cards, self._ends, np.zeros_like(self._cards), self._places, self._begun, decks
        count = machine_code(DEAL_ON)(*given)
        self._begun += count
        return decks[:count]


class Staging:
    """What one thread has found: positions in the order in which it did, which may be known, and failures.

    span: the deals and the positions from which it goes on. state: the numbers at PLACES.
    """

    def __init__(self, game: Declaration, width: int, properties: int) -> None:
        """width: words of a row. properties: how many are checked."""
        most = most_events(game) * game.most_outcomes
        self.at_once = max(1, min(AT_ONCE, ROOM // most))
        room = max(self.at_once, batch(game)) * most
        self._rows = np.empty((0, 0), np.int64)
        self._notes, self._numbers = np.empty((room, NOTES), np.int32), np.empty(room, np.int32)
        self.span, self.state, self.fired = (np.zeros(size, np.int64) for size in (SPAN, PLACES, len(game.arcs)))
        self.faults = np.zeros((properties, 3), np.int64)
        self.room = allocate(ExplorerRoom, in_use=width, events=(most, 4), row=width, refused=self.faults)

    def clear(self) -> None:
        """Forget what was found."""
        for array in (self.state, self.fired, self.faults):
            array.fill(0)

    def found(self, width: int) -> StagedRows:
        """What is found. width: words of a packed row."""
        if self._rows.shape[1] != width:
            self._rows = np.empty((len(self._notes), width), np.int64)
        return StagedRows(self._rows, self._notes, self._numbers, self.state, self.fired, self.faults)


class Exploration(ExhaustiveCheck):
    """An exploration, which grows with the positions.

    positions: those that are known, with the PARENT and the MOVE of each. total, fired, faults: what was counted.
    """

    def __init__(self, kind: type[Game], small: SmallDeck, most: int = MOST, notify: Notify | None = None) -> None:
        super().__init__(kind, small, most, notify)
        game = self.game
        self._deals_left, self._batch = Deals(self.kind, self.players), batch(game)
        self.decks = np.zeros((0, game.deck_size), np.uint8)
        self._whole_deck = np.array(PositionTest(game).whole, np.int64)
        self.dealt = self.visited = self.finished = 0
        width = row_width(game, self.players)
        self.positions = PositionGraph(np.zeros(width, np.int64), NOTES, has_ways=bool(game.responses))
        self._threads = thread_count(None)
        several = range(self._threads + AHEAD if self._threads > 1 else 1)
        self._staged = [Staging(game, width, len(self.report.properties)) for _ in several]
        self.judged = np.empty((FIRST_ROOM if game.responses else 0, -(-len(game.responses) // TOGETHER)), np.uint8)
        self.total, self.fired, self.faults = map(np.zeros_like, self._staged[0].found(1)[3:])

    def run(self) -> Report:
        """Explore until nothing is left to visit."""
        self._visit = machine_code(exploring(self.whole.declaration), self.notify)
        self._settled = machine_code(SETTLE)
        most_known = MOST_NUMBERS - ROOM * MOST_SPANS
        self._note_cards()
        with ThreadPoolExecutor(self._threads) as pool:
            while True:
                if self.dealt == len(self.decks) and self.visited == len(self.positions):
                    self.finished = self.dealt
                    if not self._deal_more():
                        self._state(complete=True)
                        self._check_over_time()
                        return self.report
                if self.visited >= self.most or len(self.positions) > most_known:
                    self._state(complete=False)
                    return self.report
                self._go_on(pool)
                self.tell(len(self.positions), self.finished)

    def count_deals(self, most: int) -> int:
        """Return how many deals there are, up to `most`."""
        return len(Deals(self.kind, self.players).next(most))

    def _go_on(self, pool: ThreadPoolExecutor) -> None:
        """Go on from some deals, or else from some positions: from many in all threads, from few in this one, which
        then goes on from what it finds. The numbers of positions do not depend on how many threads there are.
        """
        dealing, staged = self.dealt < len(self.decks), self._staged[0]
        first, end = (self.dealt, len(self.decks)) if dealing else (self.visited, min(len(self.positions), self.most))
        together = self._threads > 1 and end - first > AT_ONCE
        each = min(staged.at_once, max(self._batch, (end - first) // SPANS) if together else self._batch)
        spans = (
            (begin, last, self.visited, self.visited) if dealing else (self.dealt, self.dealt, begin, last)
            for begin in range(first, min(end, first + MOST_SPANS * each), each)
            for last in [min(begin + each, end)]
        )
        if together:
            self._go_on_together(pool, spans)
        else:
            self._visit(*self._given(staged, next(spans), self.most, AT_ONCE // self._batch - 1))
            self._settle(staged)

    def _go_on_together(self, pool: ThreadPoolExecutor, spans: Iterable[Span]) -> None:
        """Go on from spans in all threads, while this one settles what they find, in the order of the spans."""
        going: deque[tuple[Staging, Future[int]]] = deque()

        def gone() -> Iterator[tuple[Staging, Future[int]]]:
            for staged, span in zip(cycle(self._staged), spans):
                if len(going) == len(self._staged):
                    yield going.popleft()
                going.append((staged, pool.submit(self._visit, *self._given(staged, span))))
            while going:
                yield going.popleft()

        for staged, call in gone():
            call.result()
            if not self._settle(staged, [other for _, other in going]):
                return

    def _settle(self, staged: Staging, others: Iterable[Future[int]] = ()) -> bool:
        """Add what was found, unless it has more bits than there is room for: then it is found again. Whether it was
        added. others: calls that read what has to be made larger.
        """
        self.positions.count = int(self.total[KNOWN])
        known, in_use = self._known, staged.room.in_use
        more, fits = int(staged.state[STAGED]), not (in_use & ~self.positions.used).any()
        if not (fits and has_room(more, known)):
            wait(others)
            self.positions.make_room(more, int(self.total[WAYS]) + more)
            if self.game.responses:
                enlarge(self.judged, len(self.positions.keys))
        if fits:
            known = self._known
            self._settled(staged.span, known, staged.found(known.keys.shape[1]))
            self.positions.count = int(self.total[KNOWN])
        else:
            self.positions.widen(in_use)
            for each in self._staged:
                each.clear()
        self.dealt, self.visited = int(staged.span[DEAL]), int(staged.span[HERE])
        return fits

    @property
    def _known(self) -> ExploredRows:
        """The arrays of what is known, and the sums."""
        positions = self.positions
        return ExploredRows(
            *(positions.keys, positions.slots, positions.notes, positions.first, positions.ends),
            *(self.total, self.fired, self.faults),
        )

    def _given(self, staged: Staging, span: Span, most: int = 0, rounds: int = 0) -> tuple[Any, ...]:
        """The arguments of an explorer that goes on from a span."""
        staged.span[:] = span
        known, each = self._known, self.game.codec.cards_each(self.players)
        layout, used = self.positions.layout, self.positions.used
        small = SmallGame(self.decks, self._whole_deck, layout, used, self.players, each)
        return small, known, self.judged, staged.found(known.keys.shape[1]), staged.room, staged.span, most, rounds

    def _note_cards(self) -> None:
        """Find most of the bits that are in use at once: those of each card at each place."""
        codes, staged = self.game.full_deck(), self._staged[0]
        self.decks = np.array([[*codes[first:], *codes[:first]] for first in range(len(codes))], np.uint8)
        self._visit(*self._given(staged, (0, len(self.decks), 0, 0)))
        self.decks = self.decks[:0]
        self.positions.widen(staged.room.in_use)
        staged.clear()

    def _deal_more(self) -> bool:
        """Add the next deals to those that are explored; whether there are any."""
        more = self._deals_left.next(self.deals_at_once(len(self.decks)))
        self.decks = np.concatenate([self.decks, more])
        return len(more) > 0

    def _state(self, *, complete: bool) -> None:
        """State in the report what was counted."""
        report = self.report
        report.positions, report.complete = self.visited, complete
        report.events, report.tried = int(self.total[EVENTS]), int(self.total[TRIED])
        report.fired.update(dict(zip(self.game.arcs, self.fired.tolist(), strict=True)))
        for number, (times, index, move) in enumerate(self.faults.tolist()):
            if times:
                self.fail(number, times, self.route(index), None if move < 0 else self._code(move))

    def _check_over_time(self) -> None:
        """Check what must come about in every way in which a game can go on."""
        if not self.game.responses:
            return
        self.positions.close(int(self.total[WAYS]), int(self.total[FILLED]))
        graph = Successors(self.positions, return_ends=self.game.return_ends)
        self.returns = graph.returns
        for number, response in enumerate(self.game.responses):
            begins, goals = (self._judged(number, which) for which in (BEGINS, ENDS))
            starts = begins if response.start else self.positions.notes[: len(self.positions), PARENT] < 0
            self.judge(response, graph, *graph.avoiding(starts, goals))

    def _judged(self, number: int, which: int) -> Array:
        """In which positions a response begins, or in which it ends."""
        judged: Array = self.judged[: len(self.positions), number // TOGETHER] & which << 2 * (number % TOGETHER)
        return judged.astype(bool)

    def code_between(self, one: int, other: int) -> Code:
        """Return the code of the first such event, if possible not of one by a return."""
        staged = self._staged[0]
        self._visit(*self._given(staged, (0, 0, one, one + 1)))
        rows, notes = (found[: staged.state[STAGED]] for found in staged.found(self.positions.keys.shape[1])[:2])
        moves = notes[(rows == self.positions.keys[other]).all(axis=1), MOVE]
        staged.clear()
        return self._code(min(moves.tolist(), key=lambda move: move >> AGAIN))

    def way_to(self, position: int) -> tuple[Sequence[int], Iterable[Code]]:
        """Return the deck and the codes of the events that lead to a position, or to deal n for the number -1 - n."""
        moves, index = list[int](), position
        while index >= 0:
            index, move = self.positions.notes[index].tolist()
            moves.append(move)
        codes = map(self._code, moves[:-1][::-1])  # without that of the deal
        return self.decks[-1 - index].tolist(), codes

    def position(self, index: int) -> tuple[Phase, Any]:
        """The phase and the table of position number `index`; no table of a deal that raises an error."""
        if index < 0:
            return self.game.initial, None
        return PythonEngine(self.game).position_of(self.positions.rows(index, index + 1)[0].tolist(), self.players)

    def _code(self, move: int) -> Code:
        return pairs(self.game)[move & (1 << CARD) - 1].trigger, (move >> CARD & 0x7F) - 1, (move >> VALUE & 0x7F) - 1
