"""All positions of a game with a small deck, visited in machine code."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from time import monotonic
from typing import Any

from fsm.check.inspector import Inspector
from fsm.check.packing import PositionLayout
from fsm.check.properties import Counterexample, Report, properties
from fsm.check.stepped import FIRST_DEALS, NOTICE_INTERVAL, POSITIONS_A_DEAL, example, how_far, some_deals
from fsm.declaration.arcs import Offer, SmallDeck
from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import at_least, check_notify, of_type
from fsm.registry import game_class
from fsm.stepping.game import Game
from fsm.stepping.moves import move_of
from fsm.stepping.small_decks import deals
from fsm.stepping.snapshot import Code
from maumau.kernels.compiled.explore import AGAIN, CARD, EVENTS, PLACES, STAGED, TRIED, VALUE
from maumau.kernels.compiler.machine_code import Notify, machine_code, require_compiler
from maumau.kernels.compiler.processor import cores
from maumau.kernels.compiler.results import Array
from maumau.kernels.explorer.layout import layout_of
from maumau.kernels.explorer.source import exploring, pairs, shared_programs

__all__ = ["MOST", "explore"]

FIRST_ROOM = 1 << 14
MOST = 40_000_000
"""The limit of positions that are visited, which bounds the memory of an exploration: about 50 bytes each."""
AT_ONCE = 1 << 13
"""Deals or positions from which one thread goes on in one call: a few milliseconds, for no call can be interrupted."""
ALONE = 1 << 9
"""So many are left to one thread."""
MOST_NUMBERS = 1 << 31
"""Positions that have numbers of 32 bits."""
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
        import numpy as np

        most = most_events(game)
        self.at_once = max(1, min(AT_ONCE, ROOM // most))
        room = self.at_once * most
        self.rows = np.empty((0, 0), np.int64)
        self.parents, self.moves = np.empty(room, np.int32), np.empty(room, np.int32)
        self.events = np.zeros((most, 4), np.int64)
        self.row, self.outside = np.zeros(width, np.int64), np.zeros(width, np.int64)
        self.state, self.fired = np.zeros(PLACES, np.int64), np.zeros(len(game.arcs), np.int64)
        self.faults = np.zeros((len(properties(game)), 3), np.int64)

    def arguments(self, width: int) -> tuple[Array, ...]:
        """Empty arrays for an explorer. width: words of a packed row."""
        import numpy as np

        if self.rows.shape[1] != width:
            self.rows = np.empty((len(self.parents), width), np.int64)
        cleared = self.outside, self.state, self.fired, self.faults
        for array in cleared:
            array.fill(0)
        return self.rows, self.parents, self.moves, self.events, self.row, *cleared


class Exploration:
    """The arrays of an exploration, which grow with the positions.

    keys: a packed row for each position in the order in which they were found. parents: the number of the position from
    which each was found, or -1 - n for the one of deal n. moves: the event by which it was. slots: the hash table.
    """

    def __init__(self, kind: type[Game], players: int, whole: type[Game]) -> None:
        import numpy as np

        self.kind, self.players, self._whole = kind, players, whole
        game = kind.declaration
        self.game = game
        self._deals = deals(kind, players)
        self.decks = np.zeros((0, game.deck_size), np.int64)
        self.dealt = self.visited = self.known = self.finished = 0
        self._base = self._varies = np.zeros(PositionLayout.of(game).width(players, game.deck_size), np.int64)
        self._layout, words = layout_of(self._base.tolist(), self._varies.tolist())
        self.keys = np.zeros((FIRST_ROOM, words), np.int64)
        self.parents, self.moves = np.zeros(FIRST_ROOM, np.int32), np.zeros(FIRST_ROOM, np.int32)
        self.slots = np.zeros(2 * FIRST_ROOM, np.uint32)
        self._staged = [Staging(game, len(self._base)) for _ in range(cores())]
        total = self._staged[0]
        self.state, self.fired, self.faults = map(np.zeros_like, (total.state, total.fired, total.faults))

    def run(self, most: int = MOST, notify: Notify | None = None) -> Report:
        """Explore until nothing is left to visit."""
        visit = machine_code(exploring(self._whole.declaration), notify)
        self._admit, self._index, self._repack = map(machine_code, shared_programs())
        most_known = MOST_NUMBERS - ROOM * len(self._staged)
        started = told = monotonic()
        with ThreadPoolExecutor(len(self._staged)) as pool:
            while self.visited <= most and self.known <= most_known:
                if self.dealt == len(self.decks) and self.visited == self.known:
                    self.finished = self.dealt
                    if not self._deal_more(most):
                        return self._report(complete=True)
                self._visit_some(visit, pool)
                if notify and monotonic() > told + NOTICE_INTERVAL:
                    told = monotonic()
                    some = some_deals(self.kind, self.players)
                    notify(how_far(self.known, self.finished, some, told - started))
        return self._report(complete=False)

    def _visit_some(self, visit: Any, pool: ThreadPoolExecutor) -> None:
        """Go on from some deals, or else from some positions, in all threads.

        The numbers of positions do not depend on how many threads there are.
        """
        each, width, spans = self.game.codec.cards_each(self.players), self.keys.shape[1], list(self._spans())
        dealing = self.dealt < len(self.decks)
        calls = []
        for staged, (first, last) in zip(self._staged, spans, strict=False):
            of_decks, of_keys = ((first, last), (0, 0)) if dealing else ((0, 0), (first, last))
            decks, keys = self.decks[slice(*of_decks)], self.keys[slice(*of_keys)]
            given = decks, first, keys, first, self.players, each, self._layout, *staged.arguments(width)
            calls.append(partial(visit, *given))
        others = [pool.submit(call) for call in calls[1:]]
        calls[0]()
        for other in others:
            other.result()
        used = self._staged[: len(calls)]
        if any(staged.outside.any() for staged in used):
            self._vary_more(used)
            return
        for staged in used:
            self._add(staged)
        last = spans[-1][1]
        self.dealt, self.visited = (last, self.visited) if dealing else (self.dealt, last)

    def _spans(self) -> Iterator[tuple[int, int]]:
        """From which deals, or else from which positions each thread goes on: the first, and the one after the last."""
        dealing = self.dealt < len(self.decks)
        first, end = (self.dealt, len(self.decks)) if dealing else (self.visited, self.known)
        end = min(end, first + len(self._staged) * self._staged[0].at_once)
        share = max(ALONE, -(-(end - first) // len(self._staged)))
        share = min(share, self._staged[0].at_once)
        while first < end:
            yield first, min(first + share, end)
            first += share

    def _add(self, staged: Staging) -> None:
        """Add what a thread has found."""
        count = int(staged.state[STAGED])
        self._make_room(self.known + count)
        self.known = self._admit(staged.rows, count, staged.parents, staged.moves, self.keys, self.slots, self.parents,
                                 self.moves, self.known)  # fmt: skip
        self.state += staged.state
        self.fired += staged.fired
        fresh = (self.faults[:, 0] == 0) & (staged.faults[:, 0] > 0)
        self.faults[fresh, 1:] = staged.faults[fresh, 1:]
        self.faults[:, 0] += staged.faults[:, 0]

    def _make_room(self, count: int) -> None:
        """Enlarge what has no room for so many positions. A quarter more memory is taken at a time, in place."""
        import numpy as np

        if count > len(self.keys):
            room = max(count, len(self.keys) * 5 // 4)
            self.keys.resize((room, self.keys.shape[1]), refcheck=False)
            self.parents.resize(room, refcheck=False)
            self.moves.resize(room, refcheck=False)
        if 3 * count > 2 * len(self.slots):
            self.slots = np.zeros(1 << (3 * count // 2).bit_length(), np.uint32)
            self._index(self.keys[: self.known], self.slots)

    def _vary_more(self, used: list[Staging]) -> None:
        """Pack all rows again, with the bits that were found to vary."""
        import numpy as np

        if not self.known and not self._base.any():
            self._base = used[0].row.copy()  # what varies against it is found the next time
        else:
            self._varies = self._varies | np.bitwise_or.reduce([staged.outside for staged in used])
        layout, words = layout_of(self._base.tolist(), self._varies.tolist())
        keys = np.zeros((len(self.keys), words), np.int64)
        row, outside = np.zeros_like(self._base), np.zeros_like(self._base)
        self._repack(self.keys[: self.known], self._layout, row, outside, keys, layout)
        self._layout, self.keys = layout, keys
        self.slots.fill(0)
        self._index(self.keys[: self.known], self.slots)

    def _deal_more(self, most: int) -> bool:
        """Add the next deals to those that are explored, at first few of the limit; whether there are any."""
        import numpy as np

        first = min(FIRST_DEALS, most // POSITIONS_A_DEAL + 1)
        more = list(islice(self._deals, max(first, len(self.decks))))
        if more:
            self.decks = np.concatenate([self.decks, np.array(more, np.int64)])
        return bool(more)

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

    def _example(self, index: int, move: int) -> Counterexample:
        (deck, moves), (table, phase) = self._path(index), self.replayed(index)
        events, code = [move_of(self.game, self._code(each)) for each in moves], None if move < 0 else self._code(move)
        return example(self.kind, self.players, deck, events, table, phase, code)

    def _path(self, index: int) -> tuple[list[int], list[int]]:
        """The deck and the events that lead to position number `index`."""
        moves = []
        while self.parents[index] >= 0:
            moves.append(int(self.moves[index]))
            index = int(self.parents[index])
        return self.decks[-1 - self.parents[index]].tolist(), moves[::-1]

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
