"""All positions of a game with a small deck, visited in machine code."""

from __future__ import annotations

from itertools import islice
from typing import Any

from fsm.check.inspector import Inspector
from fsm.check.packing import PositionLayout
from fsm.check.properties import Counterexample, Report, properties
from fsm.check.stepped import FIRST_DEALS, example
from fsm.declaration.arcs import Offer, SmallDeck
from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import at_least, check_notify, of_type
from fsm.registry import game_class
from fsm.stepping.game import Game
from fsm.stepping.moves import move_of
from fsm.stepping.small_decks import deals
from fsm.stepping.snapshot import Code
from maumau.kernels.compiled.explore import DEALS, EVENTS, HASHED, KNOWN, NEXT, PLACES, TRIED
from maumau.kernels.compiler.machine_code import Notify, machine_code, require_compiler
from maumau.kernels.compiler.results import Array
from maumau.kernels.explorer.source import exploring, pairs

__all__ = ["MOST", "explore"]

FIRST_ROOM = 1 << 14
MOST = 40_000_000
"""The limit of positions of an exploration, which bounds its memory: about 100 bytes each."""


def explore(kind: type[Game], small: SmallDeck, most: int = MOST, notify: Notify | None = None) -> Report:
    """Visit all positions that can be reached with a small deck, from every deal by every legal event.

    kind: the game class. small: the deck, the players, the cards of each. most: positions after which it is given up.
    notify: called with one line when machine code has to be compiled.
    Raises TypeError, ValueError; BulkMissing.
    """
    require_compiler()
    most = at_least(0, "most", most)
    check_notify(notify)
    of_type("small", small, SmallDeck, "a SmallDeck")
    kind = game_class(kind)
    return Exploration(kind.with_deck(small.cards, small.each), small.players, kind).run(most, notify)


class Exploration:
    """The arrays of an exploration, which grow with the positions.

    keys: a row for each position in the order in which they were found. parents: the number of the position from which
    each was found, or -1 - n for the one of deal n. moves: the event by which it was. slots: the hash table.
    """

    def __init__(self, kind: type[Game], players: int, whole: type[Game]) -> None:
        import numpy as np

        self.kind, self.players, self._whole = kind, players, whole
        game = kind.declaration
        self.game = game
        self._deals = deals(kind, players)
        self.decks = np.zeros((0, game.deck_size), np.int64)
        width = PositionLayout.of(game).width(players, game.deck_size)
        self.keys = np.zeros((FIRST_ROOM, width), np.int64)
        self.parents, self.moves = np.zeros(FIRST_ROOM, np.int64), np.zeros(FIRST_ROOM, np.int64)
        self.state = np.zeros(PLACES, np.int64)
        self.fired = np.zeros(len(game.arcs), np.int64)
        self.faults = np.zeros((len(properties(game)), 3), np.int64)

    def run(self, most: int = MOST, notify: Notify | None = None) -> Report:
        """Explore until nothing is left to visit."""
        import numpy as np

        visit = machine_code(exploring(self._whole.declaration), notify)
        each = self.game.codec.cards_each(self.players)
        events = np.zeros((most_events(self.game), 4), np.int64)
        slots = self._empty_slots()
        while True:
            visited = self.state[DEALS] == len(self.decks) and self.state[NEXT] == self.state[KNOWN]
            if visited and not self._deal_more():
                return self._report(complete=True)
            if self.state[KNOWN] > most:
                return self._report(complete=False)
            visit(self.decks, self.players, each, self.keys, slots, self.parents, self.moves, events, self.state,
                  self.fired, self.faults)  # fmt: skip
            if self.state[HASHED] == self.state[KNOWN] >= len(self.keys) - len(events):
                self.keys, self.parents, self.moves = map(_doubled, (self.keys, self.parents, self.moves))
                slots = self._empty_slots()

    def _empty_slots(self) -> Array:
        """A hash table for as many positions as there is room for; all that are known have to be put into it again."""
        import numpy as np

        self.state[HASHED] = 0
        return np.zeros(4 * len(self.keys), np.int64)

    def _deal_more(self) -> bool:
        """Add the next deals to those that are explored; whether there are any."""
        import numpy as np

        more = list(islice(self._deals, max(FIRST_DEALS, len(self.decks))))
        if more:
            self.decks = np.concatenate([self.decks, np.array(more, np.int64)])
        return bool(more)

    def _report(self, complete: bool) -> Report:
        positions, events, tried = (int(self.state[index]) for index in (NEXT, EVENTS, TRIED))
        report = Report(self.game, properties(self.game), positions, events, tried, complete=complete)
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
            table.returned = move >> 48 & 1
            fired = inspector.fire(table, phase, self._code(move), lambda number, code: None)
            assert fired is not None
            table, phase = fired.table, fired.phase
        return table, phase

    def _code(self, move: int) -> Code:
        return pairs(self.game)[move & 0xFFFF].trigger, (move >> 16 & 0xFFFF) - 1, (move >> 32 & 0xFFFF) - 1


def most_events(game: Declaration) -> int:
    """An upper bound of the number of events that are tried at a position, forced ones included."""
    return max(sum(_candidates(game, offer) for offer in control.offers) for control in game.control.values()) + 16


def _candidates(game: Declaration, offer: Offer) -> int:
    """An upper bound of the number of events of an offer: each card with each value, or without one."""
    values = offer.kind.how_many(game.codec.notation, game.codec.most) if offer.kind else 0
    return (values + 1) * (game.deck_size if offer.cards else 1)


def _doubled(rows: Array) -> Array:
    import numpy as np

    return np.concatenate([rows, np.zeros_like(rows)])
