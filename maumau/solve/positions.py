"""The graph of all positions of a game with a small deck, or of those after a position, and what they are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from fsm.check.packing import PER_WORD, PositionLayout, least
from fsm.declaration.arcs import Phase, Policy
from fsm.declaration.declaration import Declaration
from fsm.stepping.game import Game
from maumau.kernels.compiler.machine_code import Notify, machine_code
from maumau.kernels.compiler.results import Array
from maumau.kernels.explorer.exhaustive import most_events
from maumau.solve.compiled.graph import DEALS, FAULT, HASHED, KNOWN, MOVES, NEXT, PLACES, STARTS
from maumau.solve.compiled.worth import LOST, SEATS, WON
from maumau.solve.source import SWEEP, growing
from rules.piles import discard_pile, draw_pile

FIRST_ROOM = 1 << 14
UNDECIDED = 2**31 - 1
"""The length of a game that nobody can win."""
FREE = -1
"""In place of the number of a policy: the seat plays perfectly."""


class Faulty(ValueError):
    """The declaration does not say what happens at a position."""


def row_of(game: Declaration, phase: Phase, table: Any, cards: int) -> list[int]:
    """A position as the row that stands for it in a graph. cards: those of the deck."""
    layout = PositionLayout.of(game)
    size = table.tail - table.head
    heads = [list(game.phases).index(phase), *(getattr(table, fact.field) + least(fact) for fact in layout.scalars)]
    lists = [value for name in layout.lists for value in getattr(table, name)[: table.players]]
    piles = [*draw_pile(table), *discard_pile(table)]
    row = _words([*heads, table.stock, size], layout.heads) + lists
    return row + _words(piles, layout.width(table.players, cards) - len(row))


def _words(small: Sequence[int], count: int) -> list[int]:
    """Small numbers in words."""
    words = [0] * count
    for place, value in enumerate(small):
        words[place // PER_WORD] |= value << 8 * (place % PER_WORD)
    return words


class Positions:
    """The positions in which a player chooses, and the moves between them.

    kind: the game class. players: how many. policies: those whose moves are noted. keys: a row for each position.
    movers: the seat that chooses, and whether a turn starts. first, moves: where the moves of each position begin, and
    where they lead. chosen: a row for each policy. roots: the position of each deal, or how it has ended at once.
    """

    def __init__(self, kind: type[Game], players: int, policies: Sequence[Policy] = ()) -> None:
        self.kind, self.players, self.game = kind, players, kind.declaration
        self.policies = tuple(policies)
        self._compiled = tuple(policy for policy in self.policies if policy.choices)
        self._width = PositionLayout.of(self.game).width(players, self.game.deck_size)
        self._events = np.zeros((most_events(self.game), 4), np.int64)
        self.decks = np.zeros((0, self.game.deck_size), np.int64)
        self.roots = np.zeros(0, np.int64)
        self.state = np.zeros(PLACES, np.int64)
        self.keys = np.zeros((0, self._width), np.int64)
        self.movers, self.first = np.zeros(0, np.uint8), np.zeros(1, np.int64)
        self.moves = np.zeros(0, np.int32)
        self.chosen = np.zeros((len(self._compiled), 0), np.uint8)
        self._make_room(FIRST_ROOM)
        self._more_moves()

    def __len__(self) -> int:
        return int(self.state[KNOWN])

    @property
    def bytes(self) -> int:
        """The memory of all arrays."""
        arrays = self.keys, self.slots, self.movers, self.first, self.moves, self.chosen, self.decks, self.roots
        return sum(array.nbytes for array in arrays)

    @property
    def bytes_each(self) -> int:
        """About how much memory a position takes, with what belongs to its value."""
        each = 8 * self._width + 4 * self.state[MOVES] / len(self) + len(self._compiled) + 4 * 8
        return int(1.5 * each)

    # ------------------------------------------------------------ growth

    def add_deals(self, decks: Array) -> None:
        """Deals to begin with."""
        self.decks = np.ascontiguousarray(np.concatenate([self.decks, decks]))
        self.roots = np.concatenate([self.roots, np.zeros(len(decks), np.int64)])

    def add(self, phase: Phase, table: Any) -> int:
        """A position to begin with, in which a player chooses; its number."""
        number = self.number(phase, table)
        if number is None:
            number = int(self.state[KNOWN])
            self.keys[number] = row_of(self.game, phase, table, self.game.deck_size)
            self.movers[number] = table.player + STARTS * self.game.control[phase].starts_turn
            self.state[KNOWN] += 1
        return number

    def number(self, phase: Phase, table: Any) -> int | None:
        """The number of a position; None if it is not known."""
        row = np.array(row_of(self.game, phase, table, self.game.deck_size), np.int64)
        found = (self.keys[: len(self)] == row).all(axis=1).nonzero()[0]
        return int(found[0]) if len(found) else None

    def grow(self, memory: int, program: Any) -> bool:
        """Expand some positions; whether all are. Raises Faulty, and MemoryError beyond so many bytes."""
        program(self.decks, self.players, self.game.codec.cards_each(self.players), self.roots, self.keys, self.slots,
                self.movers, self.first, self.moves, len(self._compiled), self.chosen, self._events, self._told,
                self.state)  # fmt: skip
        state = self.state
        if state[FAULT]:
            raise Faulty(f"{self.game.title}: no rule says what may happen at a position of this deck")
        if state[DEALS] == len(self.decks) and state[NEXT] == state[KNOWN]:
            return True
        if state[HASHED] == state[KNOWN] >= len(self.keys) - len(self._events):
            self._make_room(2 * len(self.keys))
        if state[MOVES] >= len(self.moves) - len(self._events):
            self._more_moves()
        if self.bytes > memory:
            raise MemoryError
        return False

    _told = np.zeros(8, np.int64)

    def program(self, notify: Notify | None = None) -> Any:
        """The machine code by which it grows."""
        return machine_code(growing(self.game, self._compiled), notify)

    def _make_room(self, room: int) -> None:
        known = len(self)
        self.keys = _longer(self.keys, room, known)
        self.movers = _longer(self.movers, room, known)
        self.first = _longer(self.first, room + 1, known + 1)
        self.chosen = np.ascontiguousarray(np.pad(self.chosen, ((0, 0), (0, room - self.chosen.shape[1]))))
        self.slots = np.zeros(2 * room, np.int64)
        self.state[HASHED] = 0

    def _more_moves(self) -> None:
        self.moves = _longer(self.moves, max(2 * len(self.moves), 4 * FIRST_ROOM), int(self.state[MOVES]))

    # ------------------------------------------------------------ values

    def values(self, seats: Sequence[int], sides: Sequence[int] = (WON, LOST), lengths: bool = True) -> Worth:
        """What each position is worth to the first side.

        seats: for each one FREE, or the number of the policy that it follows. sides: for each seat WON or LOST: what
        its win is to the first side. lengths: whether to find out, too, in how many moves, which takes longer.
        """
        known = len(self)
        worth, left = np.zeros(known, np.uint8), np.arange(known, dtype=np.int32)[::-1].copy()
        length = np.full(known, UNDECIDED, np.int32)
        follows, chosen = np.array(seats, np.int64), self.followed
        given = self.first, self.moves, self.movers, np.array(sides, np.int64), follows, chosen, worth, length, left
        code, count, step = machine_code(SWEEP), known, 1
        while True:
            remaining = code(*given, count, step, step - int(lengths))
            if remaining == count:
                return Worth(worth, length, np.array(sides))
            count, step = remaining, step + 1

    @cached_property
    def followed(self) -> Array:
        """A row for each policy with the place of the move that it chooses."""
        rows = iter(self.chosen)
        zeros = np.zeros(len(self), np.uint8)
        found = [next(rows)[: len(self)] if policy.choices else zeros for policy in self.policies]
        return np.ascontiguousarray(found or [zeros])

    def errors(self, policy: int, worth: Worth) -> dict[str, int]:
        """How often a policy errs, of the positions in which the moves differ in value, and what that costs."""
        known = len(self)
        first, moves = self.first[: known + 1], self.moves[: self.state[MOVES]]
        mine = np.where(worth.sides[self.movers[:known] & SEATS] == WON, 1, -1).astype(np.int8)
        values = worth.of(moves) * np.repeat(mine, np.diff(first))
        best, least = np.maximum.reduceat(values, first[:-1]), np.minimum.reduceat(values, first[:-1])
        got = values[first[:-1] + self.followed[policy]]
        costs = {"win_to_nobody": (1, 0), "win_to_loss": (1, -1), "nobody_to_loss": (0, -1)}
        counted = {name: int(((best == one) & (got == other)).sum()) for name, (one, other) in costs.items()}
        return {"choices": int((best > least).sum()), "errors": int((got < best).sum()), **counted}


@dataclass(frozen=True)
class Worth:
    """What positions are worth to the first side. length: in how many moves a win is reached, else UNDECIDED."""

    codes: Array
    length: Array
    sides: Array

    _points: Array = field(default_factory=lambda: np.array([0, 1, -1], np.int8), repr=False)

    def of(self, places: Array) -> Array:
        """The values of positions, and of ends, by their numbers: 1, 0 or -1."""
        ended = np.concatenate([[0], np.array([0, 1, -1])[self.sides]]).astype(np.int8)  # nobody, then the seats
        inside = self._points[self.codes[np.maximum(places, 0)]] if len(self.codes) else np.zeros(len(places), np.int8)
        return np.where(places >= 0, inside, ended[np.maximum(-1 - places, 0)])


def _longer(rows: Array, room: int, known: int) -> Array:
    """An array with the first `known` rows of another, and room for more."""
    made = np.empty((room, *rows.shape[1:]), rows.dtype)
    made[:known] = rows[:known]
    return made
