"""All positions of a game with a small deck, visited in machine code."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain, islice
from time import monotonic
from typing import Any

from fsm.check.inspector import Inspector
from fsm.check.packing import PositionLayout
from fsm.check.properties import Counterexample, Report, properties
from fsm.check.stepped import FIRST_DEALS, NOTICE_INTERVAL, POSITIONS_A_DEAL, example, how_far, looping, some_deals
from fsm.check.temporal import Lasso, lasso
from fsm.declaration.arcs import Offer, SmallDeck
from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import Array, at_least, check_notify, np, of_type
from fsm.registry import game_class
from fsm.stepping.game import Game
from fsm.stepping.moves import move_of
from fsm.stepping.setup import full_deck, unchecked_deals
from fsm.stepping.snapshot import Code
from fsm.stepping.steps import Move
from maumau.kernels.compiled.explore import AGAIN, CARD, EVENTS, MOVE, NOTES, PARENT, PLACES, STAGED, TRIED, VALUE
from maumau.kernels.compiler.machine_code import Notify, cores, machine_code, require_compiler
from maumau.kernels.explorer.known import KnownPositions
from maumau.kernels.explorer.source import TOGETHER, exploring, judging, pairs, passes

__all__ = ["MOST", "explore"]

MOST = 40_000_000
"""The limit of positions that are visited, which bounds the memory of an exploration: about 50 bytes each."""
AT_ONCE = 1 << 13
"""Deals or positions from which one thread goes on in one call: a few milliseconds, for no call can be interrupted."""
MOST_NUMBERS = 1 << 31
"""Positions that have numbers of 32 bits."""
JUDGED = 1 << 17
"""Positions that are judged in one call."""
ROOM = 1 << 21
"""Positions that are staged in one call at most."""


def explore(kind: type[Game], small: SmallDeck, most: int = MOST, notify: Notify | None = None) -> Report:
    """Visit all positions that can be reached with a small deck, from every deal by every legal event.

    kind: the game class. small: the deck, the players, the cards of each. most: positions after which it is given up.
    notify: called with one line when machine code has to be compiled, and now and then on how far it is.
    Raises TypeError, ValueError; BulkMissing.
    """
    require_compiler()
    most = at_least(0, "most", most)
    check_notify(notify)
    of_type("small", small, SmallDeck, "a SmallDeck")
    kind = game_class(kind)
    return Exploration(kind.with_deck(small.cards, small.each), small.players, kind).run(most, notify)


class Staging:
    """What one thread has found: positions in the order in which it did, which may be known, and failures."""

    def __init__(self, game: Declaration, width: int) -> None:
        """width: words of a row."""
        most = most_events(game)
        self.at_once = max(1, min(AT_ONCE, ROOM // most))
        room = self.at_once * most
        self.rows = np.empty((0, 0), np.int64)
        self.notes, self.numbers = np.empty((room, NOTES), np.int32), np.empty(room, np.int32)
        self.events = np.zeros((most, 4), np.int64)
        self.row, self.in_use = np.zeros(width, np.int64), np.zeros(width, np.int64)
        self.state, self.fired = np.zeros(PLACES, np.int64), np.zeros(len(game.arcs), np.int64)
        self.faults, self.refused = (np.zeros((len(properties(game)), 3), np.int64) for _ in range(2))

    def arguments(self, width: int) -> tuple[Array, ...]:
        """Empty arrays for an explorer. width: words of a packed row."""
        if self.rows.shape[1] != width:
            self.rows = np.empty((len(self.notes), width), np.int64)
        cleared = self.in_use, self.state, self.fired, self.faults
        for array in cleared:
            array.fill(0)
        return self.rows, self.notes, self.events, self.row, self.refused, *cleared


class Exploration:
    """An exploration, which grows with the positions.

    positions: those that are known, with the PARENT and the MOVE of each.
    """

    def __init__(self, kind: type[Game], players: int, whole: type[Game]) -> None:
        self.kind, self.players, self._whole = kind, players, whole
        game = kind.declaration
        self.game = game
        self._deals = unchecked_deals(kind, players)
        self.decks = np.zeros((0, game.deck_size), np.uint8)
        self.dealt = self.visited = self.finished = 0
        width = PositionLayout.of(game).width(players, game.deck_size)
        self.positions = KnownPositions(np.zeros(width, np.int64), NOTES)
        self._staged = [Staging(game, width) for _ in range(cores())]
        total = self._staged[0]
        self._graph = Graph(game)
        self.state, self.fired, self.faults = map(np.zeros_like, (total.state, total.fired, total.faults))

    def run(self, most: int = MOST, notify: Notify | None = None) -> Report:
        """Explore until nothing is left to visit."""
        visit = machine_code(exploring(self._whole.declaration), notify)
        judge = machine_code(judging(self._whole.declaration), notify) if self.game.responses else None
        most_known = MOST_NUMBERS - ROOM * len(self._staged)
        started = told = monotonic()
        self._note_cards(visit)
        with ThreadPoolExecutor(len(self._staged)) as pool:
            while True:
                if self.dealt == len(self.decks) and self.visited == len(self.positions):
                    self.finished = self.dealt
                    if not self._deal_more(most):
                        return self._over_time(judge, self._report(complete=True))
                if self.visited >= most or len(self.positions) > most_known:
                    return self._report(complete=False)
                self._visit_some(visit, pool, most)
                if notify and monotonic() > told + NOTICE_INTERVAL:
                    told = monotonic()
                    some = some_deals(unchecked_deals(self.kind, self.players))
                    notify(how_far(len(self.positions), self.finished, some, told - started))

    def _visit_some(self, visit: Any, pool: ThreadPoolExecutor, most: int) -> None:
        """Go on from some deals, or else from some positions, in all threads.

        The numbers of positions do not depend on how many threads there are.
        """
        dealing = self.dealt < len(self.decks)
        first, end = (self.dealt, len(self.decks)) if dealing else (self.visited, min(len(self.positions), most))
        calls, keys = [], self.positions.keys
        for staged in self._staged:
            last = min(end, first + staged.at_once)
            decks, rows = (self.decks[first:last], keys[:0]) if dealing else (self.decks[:0], keys[first:last])
            calls.append(partial(visit, *self._given(decks, rows, first, staged)))
            first = last
        others = [pool.submit(call) for call in calls[1:]]
        calls[0]()
        for other in others:
            other.result()
        if self.positions.widen(np.bitwise_or.reduce([staged.in_use for staged in self._staged])):
            return
        for staged in self._staged:
            self._add(staged)
        self.dealt, self.visited = (first, self.visited) if dealing else (self.dealt, first)

    def _given(self, decks: Array, keys: Array, first: int, staged: Staging) -> tuple[Any, ...]:
        """The arguments of an explorer. first: the number of the first deal or position."""
        each, width = self.game.codec.cards_each(self.players), self.positions.keys.shape[1]
        return decks, first, keys, first, self.players, each, self.positions.layout, *staged.arguments(width)

    def _note_cards(self, visit: Any) -> None:
        """Find most of the bits that are in use at once: those of each card at each place."""
        codes = full_deck(self.game)
        decks = np.array([[*codes[first:], *codes[:first]] for first in range(len(codes))], np.uint8)
        visit(*self._given(decks, self.positions.keys[:0], 0, self._staged[0]))
        self.positions.widen(self._staged[0].in_use)

    def _add(self, staged: Staging) -> None:
        """Add what a thread has found."""
        count = int(staged.state[STAGED])
        notes, numbers = staged.notes[:count], staged.numbers[:count]
        self.positions.admit(staged.rows[:count], notes, numbers)
        if self.game.responses:
            self._graph.add(notes[:, PARENT], notes[:, MOVE], numbers)
        self.state += staged.state
        self.fired += staged.fired
        fresh = (self.faults[:, 0] == 0) & (staged.faults[:, 0] > 0)
        self.faults[fresh, 1:] = staged.faults[fresh, 1:]
        self.faults[:, 0] += staged.faults[:, 0]

    def _deal_more(self, most: int) -> bool:
        """Add the next deals to those that are explored, at first few of the limit; whether there are any."""
        first = min(FIRST_DEALS, most // POSITIONS_A_DEAL + 1)
        cards = chain.from_iterable(islice(self._deals, max(first, len(self.decks))))
        more = np.fromiter(cards, np.uint8).reshape(-1, self.decks.shape[1])
        self.decks = np.concatenate([self.decks, more])
        return len(more) > 0

    def _report(self, complete: bool) -> Report:
        events, tried = int(self.state[EVENTS]), int(self.state[TRIED])
        report = Report(self.game, properties(self.game), self.visited, events, tried, complete=complete)
        for arc, times in zip(self.game.arcs, self.fired.tolist(), strict=True):
            report.fired[arc] = times
        for number, (times, index, move) in enumerate(self.faults.tolist()):
            if times:
                report.failed[number] = times
                report.examples[number] = self._example(index, move)
        return report

    def _move(self, move: int) -> Move:
        return move_of(self.game, self._code(move))

    def _example(self, index: int, move: int = -1) -> Counterexample:
        (deck, moves), (table, phase) = self._path(index), self.replayed(index)
        events, code = [self._move(each) for each in moves], None if move < 0 else self._code(move)
        return example(self.kind, self.players, deck, events, table, phase, code)

    def _over_time(self, judge: Any, report: Report) -> Report:
        """Check what must come about in every way in which a game can go on."""
        if not self.game.responses:
            return report
        self._graph.close(len(self.positions))
        for first in range(0, len(self.game.responses), TOGETHER):
            judged = self._judged(judge, first)
            for response, begins, goals in zip(self.game.responses[first:], judged[::2], judged[1::2], strict=False):
                starts = begins if response.start else self.positions.notes[: len(self.positions), PARENT] < 0
                if failing := self._graph.failing(starts, goals):
                    report.failed[len(report.properties)], way = failing
                    report.examples[len(report.properties)] = looping(
                        way, self._graph.returns, self._way, self._example
                    )
                report.properties += (response.description,)
        return report

    def _judged(self, judge: Any, first: int) -> list[Array]:
        """In which positions responses begin, and in which they end: two columns for each, TOGETHER from one on."""
        known, responses = len(self.positions), self.game.responses[first : first + TOGETHER]
        columns = [np.zeros(known, bool) for _ in responses for _ in range(2)]
        judged, row = np.zeros(JUDGED, np.int64), np.zeros(self.positions.width, np.int64)
        for begin in range(0, known, JUDGED):
            keys = self.positions.keys[begin : min(begin + JUDGED, known)]
            judge(keys, self.positions.layout, row, self.players, first // TOGETHER, judged)
            for bit, column in enumerate(columns):
                column[begin : begin + len(keys)] = judged[: len(keys)] >> bit & 1
        return columns

    def _way(self, one: int, other: int) -> Move:
        return self._move(self._graph.move(one, other))

    def _path(self, index: int) -> tuple[list[int], list[int]]:
        """The deck and the events that lead to position number `index`."""
        moves, (parent, move) = [], self.positions.notes[index].tolist()
        while parent >= 0:
            moves.append(move)
            parent, move = self.positions.notes[parent].tolist()
        return self.decks[-1 - parent].tolist(), moves[::-1]

    def replayed(self, index: int) -> tuple[Any, Any]:
        """The table and the phase of position number `index`, reached again from its deal by the stepped machine."""
        deck, moves = self._path(index)
        inspector = Inspector(self.kind)
        table, phase = self.game.table(), self.game.initial
        self.game.deal(table, deck, self.players)
        for move in moves:
            table.returned = move >> AGAIN & 1
            fired = inspector.fire(table, phase, self._code(move), lambda number, code: None)
            assert fired is not None
            table, phase = fired.table, fired.phase
        return table, phase

    def _code(self, move: int) -> Code:
        return pairs(self.game)[move & (1 << CARD) - 1].trigger, (move >> CARD & 0x7F) - 1, (move >> VALUE & 0x7F) - 1


def most_events(game: Declaration) -> int:
    """An upper bound of the number of events that are tried at a position, forced ones included."""
    return max(sum(_candidates(game, offer) for offer in control.offers) for control in game.control.values()) + 16


def _candidates(game: Declaration, offer: Offer) -> int:
    """An upper bound of the number of events of an offer: each card with each value, or without one."""
    values = offer.kind.how_many(game.codec.notation, game.codec.most) if offer.kind else 0
    return (values + 1) * (game.deck_size if offer.cards else 1)


# ---------------------------------------------------------------- properties over time


class Graph(Sequence[Sequence[int]]):
    """The positions to which the events of each lead, but for those by which a game ends when a position returns.

    returns: where these lead, and the events, in a game that declares that it ends then.
    """

    def __init__(self, game: Declaration) -> None:
        self._return_ends = game.return_ends
        self.returns: dict[int, tuple[int, int]] = {}
        self._after: list[Array] = []  # 1 + the position, for each event
        self._ends: list[Array] = []
        self._events: list[Array] = []

    def add(self, parents: Array, moves: Array, numbers: Array) -> None:
        """Add what events lead to, in the order of the positions from which they do.

        parents: these, or negative numbers of deals. moves: the events. numbers: of what they lead to.
        """
        again = moves >> AGAIN & 1 == 1
        kept = ~again & (parents >= 0)
        for column, found in (
            (self._after, parents[kept] + 1),
            (self._ends, numbers[kept]),
            (self._events, moves[kept]),
        ):
            column.append(found)
        if self._return_ends:
            ended = zip(*(column[again].tolist() for column in (parents, numbers, moves)), strict=True)
            self.returns |= {source: (end, move) for source, end, move in ended}

    def close(self, positions: int) -> None:
        """Join what was added. positions: how many there are."""
        self._first = np.bincount(_joined(self._after), minlength=positions + 1)
        np.cumsum(self._first, out=self._first)
        self._targets, self._moves = _joined(self._ends), _joined(self._events)
        self._leave_out, self._take_in = map(machine_code, passes())

    def __len__(self) -> int:
        return len(self._first) - 1

    def __getitem__(self, place: int) -> list[int]:  # type: ignore[override]
        found: list[int] = self._targets[self._first[place] : self._first[place + 1]].tolist()
        return found

    def move(self, one: int, other: int) -> int:
        """An event that leads from a position to another one."""
        ways = zip(self[one], self._moves[self._first[one] :].tolist(), strict=False)
        found: int = next(move for end, move in (*ways, self.returns.get(one, (-1, -1))) if end == other)
        return found

    def failing(self, begins: Array, goals: Array) -> tuple[int, Lasso] | None:
        """How many positions begin what never comes to a goal, and a way from the first of them; None if none does.

        begins, goals: of each position, whether it is one of those.
        """
        once = [place for place, (end, _) in self.returns.items() if goals[end]]
        allowed = (~goals).astype(np.uint8)
        left = allowed.copy()
        left[once] = 0
        while self._leave_out(self._first, self._targets, left):
            pass
        while once and self._take_in(self._first, self._targets, allowed, left):
            pass
        starts = np.flatnonzero((left != 0) & begins)
        if not len(starts):
            return None
        looping = left.copy()
        looping[once] = 0
        self._leave_in_loops(looping)
        sets = (set(np.flatnonzero(each).tolist()) for each in (left, looping))
        return len(starts), lasso(self, int(starts[0]), *sets)

    def _leave_in_loops(self, left: Array) -> None:
        """Leave out positions that cannot be in a loop, as nothing that is left leads to them, or nowhere."""
        sources = np.repeat(np.arange(len(self)), np.diff(self._first))
        count = -1
        while count != left.sum():
            count = int(left.sum())
            ways = (left[sources] & left[self._targets]) != 0
            reached, leading = np.zeros_like(left), np.zeros_like(left)
            reached[self._targets[ways]] = leading[sources[ways]] = 1
            left &= reached & leading


def _joined(parts: list[Array]) -> Array:
    """The parts as one; they are given up."""
    whole = np.concatenate(parts)
    parts.clear()
    return whole
