"""The graph of all positions of a game with a small deck, or of those after a position, and what they are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from fsm.check.packing import PositionLayout
from fsm.declaration.arcs import Phase, Policy
from fsm.declaration.policy import DICE, RANDOM, RANDOM_LEGAL_CARD, SteppedPolicy
from fsm.edge.extras import Array
from fsm.stepping.game import Game
from maumau.kernels.compiler.machine_code import Notify, machine_code
from maumau.kernels.explorer.exhaustive import most_events
from maumau.solve.against import best_against
from maumau.solve.asking import Answers, DeclaresChances, asked_in
from maumau.solve.compiled.graph import DEALS, FAULT, HASHED, KNOWN, MOVES, NEXT, PLACES, STARTS
from maumau.solve.compiled.worth import LOST, SEATS, WON
from maumau.solve.rows import row_of, unpacked
from maumau.solve.source import EXPECT, SWEEP, growing
from maumau.solve.values import Worth

FIRST_ROOM = 1 << 14
UNDECIDED = 2**31 - 1
"""The length of a game that nobody can win."""
FREE = -1
"""In place of the number of a policy: the seat plays perfectly."""
STILL = 1e-13
"""The largest change of a value at which value iteration ends."""


class Faulty(ValueError):
    """The declaration does not say what happens at a position."""


class Positions:
    """The positions in which a player chooses, and the moves between them.

    kind: the game class. players: how many. policies: those whose moves are noted. keys: a row for each position.
    movers: the seat that chooses, and whether a turn starts. first, moves: where the moves of each position begin, and
    where they lead. chosen: a row for each policy. roots: the position of each deal, or how it has ended at once.
    """

    def __init__(self, kind: type[Game], players: int, policies: Sequence[Policy] = (), seed: int = 0) -> None:
        self.kind, self.players, self.game = kind, players, kind.declaration
        self.policies, self._seed = tuple(policies), seed
        self.compiled = tuple(policy for policy in self.policies if policy.choices)
        self._width = PositionLayout.of(self.game).width(players, self.game.deck_size)
        self.events = np.zeros((most_events(self.game), 4), np.int64)
        self.decks = np.zeros((0, self.game.deck_size), np.int64)
        self.roots = np.zeros(0, np.int64)
        self.told = np.zeros(2, np.int64)
        self.answers = Answers()
        self.state = np.zeros(PLACES, np.int64)
        self.keys = np.zeros((0, self._width), np.int64)
        self.movers, self.first = np.zeros(0, np.uint8), np.zeros(1, np.int64)
        self.moves = np.zeros(0, np.int32)
        self.chosen = np.zeros((len(self.compiled), 0), np.uint8)
        self._make_room(FIRST_ROOM)
        self._more_moves()

    def __len__(self) -> int:
        return int(self.state[KNOWN])

    def saved(self) -> dict[str, Array]:
        """All that has to be kept to go on."""
        known, moves = len(self), int(self.state[MOVES])
        cut: dict[str, Array] = {
            "keys": self.keys[:known],
            "movers": self.movers[:known],
            "first": self.first[: known + 1],
        }
        whole: dict[str, Array] = {
            "decks": self.decks,
            "roots": self.roots,
            "state": self.state,
            "chosen": self.chosen[:, :known],
        }
        return {**cut, **whole, "moves": self.moves[:moves]}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Go on from what was kept."""
        for name, array in arrays.items():
            setattr(self, name, array)
        self._make_room(max(1 << (2 * len(self)).bit_length(), FIRST_ROOM))
        self._more_moves()

    @property
    def bytes(self) -> int:
        """The memory of all arrays."""
        arrays = self.keys, self.slots, self.movers, self.first, self.moves, self.chosen, self.decks, self.roots
        return sum(array.nbytes for array in arrays)

    @property
    def bytes_each(self) -> int:
        """About how much memory a position takes, with what belongs to its value."""
        each = 8 * self._width + 4 * self.state[MOVES] / len(self) + len(self.compiled) + 4 * 8
        return int(1.5 * each)

    # ------------------------------------------------------------ growth

    def add_deals(self, decks: Array) -> None:
        """Deals to begin with."""
        self.decks = np.ascontiguousarray(np.concatenate([self.decks, decks]))
        self.roots = np.concatenate([self.roots, np.zeros(len(decks), np.int64)])

    def forget_deals(self) -> None:
        """Go on without the deals so far: the positions stay known."""
        self.decks, self.roots, self.state[DEALS] = self.decks[:0], self.roots[:0], 0

    def add(self, phase: Phase, table: Any) -> int:
        """A position to begin with, in which a player chooses; its number."""
        number = self.number(phase, table)
        if number is None:
            number = int(self.state[KNOWN])
            self.keys[number] = row_of(self.game, phase, table, self.game.deck_size)
            self.movers[number] = table.player + STARTS * self.game.control[phase].starts_turn
            self.state[KNOWN] += 1
        return number

    def marked(self) -> tuple[int, int]:
        """How many positions and moves are known, all of them expanded."""
        return len(self), int(self.state[MOVES])

    def cut(self, marked: tuple[int, int]) -> None:
        """Forget what was added since."""
        self.state[KNOWN], self.state[MOVES] = marked
        self.state[NEXT], self.state[HASHED] = marked[0], 0
        self.slots[:] = 0

    def shown(self, row: Array) -> str:
        """The one-line notation of the position of a row."""
        phase, table = unpacked(self.game, row.tolist(), self.players)
        held = [self.game.codec.held(table, seat) for seat in range(self.players)]
        return str(self.kind(table, phase, held).position())

    def number(self, phase: Phase, table: Any) -> int | None:
        """The number of a position; None if it is not known."""
        row = np.array(row_of(self.game, phase, table, self.game.deck_size), np.int64)
        found = (self.keys[: len(self)] == row).all(axis=1).nonzero()[0]
        return int(found[0]) if len(found) else None

    def grow(self, memory: int, program: Any) -> bool:
        """Expand some positions; whether all are. Raises Faulty, and MemoryError beyond so many bytes."""
        program(self.decks, self.players, self.game.codec.cards_each(self.players), self.roots, self.keys, self.slots,
                self.movers, self.first, self.moves, len(self.compiled), self.chosen, self.events, self.told,
                self.state)  # fmt: skip
        state = self.state
        if state[FAULT]:
            raise Faulty(f"{self.game.title}: no rule says what may happen at a position of this deck")
        if state[DEALS] == len(self.decks) and state[NEXT] == state[KNOWN]:
            return True
        self.make_room()
        if self.bytes > memory:
            raise MemoryError
        return False

    def make_room(self) -> None:
        """Enlarge what is full."""
        if self.state[KNOWN] >= len(self.keys) - len(self.events):
            self._make_room(2 * len(self.keys))
        if self.state[MOVES] >= len(self.moves) - len(self.events):
            self._more_moves()

    def program(self, notify: Notify | None = None) -> Any:
        """The machine code by which it grows."""
        return machine_code(growing(self.game, self.compiled), notify)

    def _make_room(self, room: int) -> None:
        known = len(self)
        self.keys = longer(self.keys, room, known)
        self.movers = longer(self.movers, room, known)
        self.first = longer(self.first, room + 1, known + 1)
        self.chosen = np.ascontiguousarray(np.pad(self.chosen, ((0, 0), (0, room - self.chosen.shape[1]))))
        self.slots = np.zeros(2 * room, np.int64)
        self.state[HASHED] = 0

    def _more_moves(self) -> None:
        self.moves = longer(self.moves, max(2 * len(self.moves), 4 * FIRST_ROOM), int(self.state[MOVES]))

    # ------------------------------------------------------------ values

    def values(self, seats: Sequence[int], sides: Sequence[int] = (WON, LOST), lengths: bool = True) -> Worth:
        """What each position is worth to the first side.

        seats: for each one FREE, or the number of the policy that it follows. sides: for each seat WON or LOST: what
        its win is to the first side. lengths: whether to find out, too, in how many moves, which takes longer.
        """
        known = len(self)
        if self.game.returns or any(self.policies[number] in DICE for number in seats if number != FREE):
            return self._expected(seats, sides)
        worth, left = np.zeros(known, np.uint8), np.arange(known, dtype=np.int32)[::-1].copy()
        length = np.full(known, UNDECIDED, np.int32)
        follows = np.array(seats, np.int64)
        chosen = self.followed if (follows != FREE).any() else np.zeros((1, 0), np.uint8)
        given = self.first, self.moves, self.movers, np.array(sides, np.int64), follows, chosen, worth, length, left
        code, count, step = machine_code(SWEEP), known, 1
        while True:
            remaining = code(*given, count, step, step - int(lengths))
            if remaining == count:
                return Worth(np.array([0, 1, -1], np.int8)[worth], length, np.array([0, 1, -1], np.int8)[list(sides)])
            count, step = remaining, step + 1

    def _expected(self, seats: Sequence[int], sides: Sequence[int]) -> Worth:
        """The same in a game with returns, or against chance."""
        signs = np.array([0, 1, -1])[list(sides)]
        policies = sorted({number for number in seats if number != FREE})
        if not policies:
            return self._iterated(signs, FREE, np.zeros((1, 0)))
        known = len(self)
        first, moves = self.first[: known + 1], self.moves[: self.first[known]]
        follows = np.array(seats)[self.movers[:known] & SEATS]
        chances = np.zeros(len(moves))
        for number in policies:
            theirs = np.repeat(follows == number, np.diff(first))
            chances[theirs] = self._chances(number)[theirs]
        chances[first[:-1][follows == FREE]] = 1
        evaluate = partial(self._iterated, signs, 0)
        side = signs[seats.index(FREE)] if FREE in seats else 1
        return best_against(lambda each: evaluate(each[None]), first, moves, follows == FREE, side, chances)

    def _iterated(self, signs: Array, row: int, chances: Array) -> Worth:
        """Value iteration from 0, which endless play is worth. row: of the chances of all moves; FREE for best moves.

        The length is the round since which a value stands: from there a shorter one leads on.
        """
        worth, length, changed = np.zeros(len(self)), np.full(len(self), UNDECIDED, np.int32), np.ones(1)
        before, step = worth if row >= 0 else worth.copy(), 0
        given = self.first, self.moves, self.movers, signs, np.full(len(signs), row), chances
        while changed[0] > STILL:
            step += 1
            before[:] = worth
            machine_code(EXPECT)(*given, before, worth, length, step, changed)
        return Worth(worth, length, signs)

    @cached_property
    def followed(self) -> Array:
        """A row for each policy with the place of the move that it chooses."""
        rows, known = iter(self.chosen), len(self)
        found = [next(rows)[:known] if policy.choices else self._followed(policy) for policy in self.policies]
        return np.ascontiguousarray(found or [np.zeros(known, np.uint8)])

    def _followed(self, policy: Policy) -> Array:
        """The places of what a policy without decision rules chooses; a player in Python is asked in each position."""
        found = np.zeros(len(self), np.uint8)
        if isinstance(policy, SteppedPolicy):
            for number in self._choices:
                if isinstance(policy, DeclaresChances):
                    found[number] = policy.place_in(self.keys[number].tolist())
                else:
                    found[number] = self._asked(policy, number).argmax()
        return found

    def _chances(self, number: int) -> Array:
        """The chances of all moves by a policy."""
        policy, known = self.policies[number], len(self)
        counts = np.diff(self.first[: known + 1])
        found: Array = np.repeat(1 / counts, counts)
        if policy is RANDOM_LEGAL_CARD:
            for here in self._choices:
                found[self.first[here] : self.first[here + 1]] = self._asked(policy, here)
        elif policy is not RANDOM:
            found[:] = 0
            found[self.first[:known] + self.followed[number]] = 1
        return found

    def _asked(self, policy: Policy, number: int) -> Array:
        """The chances of the moves of a player in a position."""
        row, place = self.keys[number].tolist(), self.policies.index(policy)
        return self.answers.of(place, ~number, lambda: asked_in(self.kind, self.players, policy, row, self._seed))

    @property
    def _choices(self) -> list[int]:
        """The numbers of the positions with more than one move."""
        return list((np.diff(self.first[: len(self) + 1]) > 1).nonzero()[0].tolist())

    def errors(self, policy: int, worth: Worth) -> dict[str, int]:
        """How often a policy errs, of the positions in which the moves differ in value, and what that costs."""
        known = len(self)
        first, moves = self.first[: known + 1], self.moves[: self.state[MOVES]]
        mine = worth.sides[self.movers[:known] & SEATS]
        values = worth.of(moves) * np.repeat(mine, np.diff(first))
        best, least = np.maximum.reduceat(values, first[:-1]), np.minimum.reduceat(values, first[:-1])
        got = values[first[:-1] + self.followed[policy]]
        costs = {"win_to_nobody": (1, 0), "win_to_loss": (1, -1), "nobody_to_loss": (0, -1)}
        signs = np.sign(best), np.sign(got)
        counted = {name: int(((signs[0] == one) & (signs[1] == other)).sum()) for name, (one, other) in costs.items()}
        return {"choices": int((best > least).sum()), "errors": int((got < best).sum()), **counted}


def longer(rows: Array, room: int, known: int) -> Array:
    """An array with the first `known` rows of another, and room for more."""
    made = np.empty((room, *rows.shape[1:]), rows.dtype)
    made[:known] = rows[:known]
    return made
