"""The graph of all positions of a game with a small deck, or of those after a position, and what they are worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from fsm.declaration.arcs import Phase, Policy
from fsm.edge.arrays import allocate
from fsm.edge.numbers import Array, Notify, np
from fsm.stepping.game import Game
from maumau.kernels.compiled.backward import SEATS
from maumau.kernels.engine import PythonEngine, program_of
from maumau.kernels.explorer.graph import PositionGraph
from maumau.kernels.explorer.known import enlarge
from maumau.solve.asking import Answers, DeclaresChances, asked_in
from maumau.solve.compiled.graph import (
    AT_ONCE,
    DEALS,
    FAULT,
    KNOWN,
    MOST_GAINED,
    MOVES,
    NEXT,
    PLACES,
    RETURNED,
    STARTS,
    TOO_MUCH,
    Growth,
    KnownGraph,
    grow,
)
from maumau.solve.compiled.strategies import ValueIteration, expect
from maumau.solve.sides import as_solved, sides_of

EXPECT = program_of(expect)
"""Values positions, which is the same for all games."""
UNDECIDED = 2**31 - 1
"""The length of a game that nobody can win."""
STILL = 1e-13
"""The largest change of a value at which value iteration ends."""
SURE = 1e-9
"""By how much a move must be better to be chosen instead."""


@dataclass(frozen=True)
class Worth:
    """What positions are worth to the first side. length: in how many moves a win is reached, else UNDECIDED.

    sides: for each seat 1 or -1: what its win is to the first side.
    """

    points: Array
    length: Array
    sides: Array

    def of(self, places: Array) -> Array:
        """The values of positions, and of ends, by their numbers."""
        ended = np.concatenate([[0], self.sides]).astype(self.points.dtype)  # nobody, then the seats
        inside = self.points[np.maximum(places, 0)] if len(self.points) else np.zeros(len(places))
        won = ended[np.clip(-1 - places, 0, len(self.sides))]
        return np.where(places >= 0, inside, np.where(places <= -MOST_GAINED, places + RETURNED, won))


class Positions:
    """The positions in which a player chooses, and the moves between them.

    kind: the game class. players: how many. sides: as of `sides_of`. policies: those whose moves are noted. known: all
    positions; of each is noted the seat that chooses, and whether a turn starts; its ways are the moves. chosen: a
    column for each policy. roots: the position of each deal, or how it has ended at once.
    """

    FREE = PositionGraph.FREE

    def __init__(
        self, kind: type[Game], players: int, policies: Sequence[Policy] = (), seed: int = 0, fixed: int = 0
    ) -> None:
        """fixed: a mask of seats, which make the moves of the first policy alone: no others are followed."""
        self.kind, self.players, self.fixed = kind, players, fixed
        self.game, self.sides = as_solved(kind.declaration, players), sides_of(kind.declaration, players)
        self.policies, self._seed = tuple(policies), seed
        self.compiled = tuple(policy for policy in self.policies if policy.choices)
        self._engine, self.known = PythonEngine(self.game), PositionGraph.for_choices(self.game, players)
        self._whole, self._in_use = np.zeros((2, self.known.width), np.int64)
        self.legal = self.known.room_for_moves(self.game)
        self.decks = np.zeros((0, self.game.deck_size), np.int64)
        self.roots = np.zeros(0, np.int64)
        self.answers = Answers()
        self.state = np.zeros(PLACES, np.int64)
        self.chosen = np.zeros((0, len(self.compiled)), np.uint8)

    def __len__(self) -> int:
        return len(self.known)

    def saved(self) -> dict[str, Array]:
        """All that has to be kept to go on."""
        known, expanded = self.known, int(self.state[NEXT])
        cut: dict[str, Array] = {"keys": known.keys[: self.state[KNOWN]], "notes": known.notes[: self.state[KNOWN]]}
        cut |= {"first": known.first[: expanded + 1], "chosen": self.chosen[:expanded]}
        cut |= {"moves": known.ends[: self.state[MOVES]]}
        return cut | {"roots": self.roots, "decks": self.decks, "state": self.state}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Go on from what was kept."""
        self.known.restore(arrays["keys"])
        self.known.notes[: len(self)] = arrays["notes"]
        self.known.first, self.known.ends = arrays["first"].copy(), arrays["moves"].copy()
        for name in ("chosen", "roots", "decks", "state"):
            setattr(self, name, arrays[name].copy())

    @property
    def bytes(self) -> int:
        """The memory that is in use, with a table that is half full."""
        each = 8 * self.known.keys.shape[1] + 20 + len(self.compiled)
        return int(self.state[KNOWN] * each + 4 * self.state[MOVES] + self.decks.nbytes + self.roots.nbytes)

    @property
    def bytes_each(self) -> float:
        """About how much memory a position takes, with its value, and with an eighth of the arrays that is free."""
        return 1.125 * (self.bytes / len(self) + 9)

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
        row, number = self._engine.row_of(phase, table), np.zeros(1, np.int32)
        mover = table.player + STARTS * self.game.control[phase].starts_turn
        self.known.admit(self.known.packed(np.array([row])), np.array([[mover]], np.int32), number)
        self.state[KNOWN] = len(self)
        return int(number[0])

    def cut(self, count: int, moves: int) -> None:
        """Forget all but the first positions, all of them expanded, and moves."""
        self.known.cut(count)
        self.state[KNOWN], self.state[NEXT], self.state[MOVES] = count, count, moves

    def row(self, number: int) -> list[int]:
        """The whole row of a position."""
        return list(self.known.rows(number, number + 1)[0].tolist())

    def shown(self, row: Array) -> str:
        """The one-line notation of the position of a row."""
        phase, table = self._engine.position_of(row.tolist(), self.players)
        held = [self.game.codec.held(table, seat) for seat in range(self.players)]
        return str(self.kind(table, phase, held).position())

    def number(self, phase: Phase, table: Any) -> int | None:
        """The number of a position; None if it is not known."""
        return self.known.find(np.array(self._engine.row_of(phase, table), np.int64))

    def grow(self, memory: int, notify: Notify | None) -> bool:
        """Expand some positions; whether all are. Raises ValueError, and MemoryError beyond so many bytes."""
        program, state = program_of(grow, self.game, self.compiled).code(notify), self.state
        known = self.workspace()
        enlarge(self.chosen, self._room)
        growth = Growth(
            decks=self.decks,
            roots=self.roots,
            first=self.known.first,
            moves=self.known.ends,
            chosen=self.chosen,
            legal=self.legal,
            players=self.players,
            each=self.game.codec.cards_each(self.players),
        )
        program(known, growth, self.fixed, self._room - len(self.legal))
        self.check()
        if self.bytes > memory:
            raise MemoryError
        return bool(state[DEALS] == len(self.decks) and state[NEXT] == state[KNOWN])

    @property
    def _room(self) -> int:
        """How many positions there is room for in a call."""
        return len(self.known) + AT_ONCE + len(self.legal)

    def workspace(self) -> KnownGraph:
        """Return the arrays of the known positions, with room for AT_ONCE more at least."""
        known = self.known
        known.make_room(AT_ONCE + len(self.legal), int(self.state[MOVES]) + 2 * AT_ONCE)
        return KnownGraph(known.keys, known.slots, known.notes, known.layout, self._whole, self._in_use, self.state)

    def check(self) -> None:
        """Count what machine code has found. Raises ValueError where no rule says what happens; for large returns."""
        self.known.count = int(self.state[KNOWN])
        if self.state[FAULT] == TOO_MUCH:
            raise ValueError(f"{self.game.title}: a player gains more than {MOST_GAINED:,}; count in larger units")
        if self.state[FAULT] or (self._in_use & ~self.known.used).any():
            raise ValueError(f"{self.game.title}: no rule says what may happen at a position of this deck")

    # ------------------------------------------------------------ values

    def values(self, seats: Sequence[int] = (), sides: Sequence[int] = (), lengths: bool = True) -> Worth:
        """What each position is worth to the first side.

        seats: for each one FREE, or the number of the policy that it follows; by default all are free. sides: for each
        seat 1 or -1: what its win is to the first side; by default partners win together. lengths: whether to find in
        how many moves as well, which takes longer.
        """
        seats, sides = seats or [self.FREE] * self.players, sides or self.sides
        if self.game.returns or any(self.policies[number].rolls_dice for number in seats if number != self.FREE):
            return self._expected(seats, sides)
        length = np.full(len(self), UNDECIDED, np.int32)
        chosen = self.followed if {*seats} != {self.FREE} else None
        points = self.known.swept((self.movers, sides, seats, chosen), length, lengths=lengths)
        return Worth(points, length, np.array(sides, np.int8))

    def _expected(self, seats: Sequence[int], sides: Sequence[int]) -> Worth:
        """The same in a game with returns, or against chance."""
        signs = np.array(sides)
        policies = sorted({number for number in seats if number != self.FREE})
        if not policies:
            return self._iterated(signs, self.FREE, np.zeros((1, 0)))
        first, moves = self.ways
        follows = np.array(seats)[self.movers & SEATS]
        chances = np.zeros(len(moves))
        for number in policies:
            theirs = np.repeat(follows == number, np.diff(first))
            chances[theirs] = self._chances(number)[theirs]
        chances[first[:-1][follows == self.FREE]] = 1
        evaluate = partial(self._iterated, signs, 0)
        side = signs[seats.index(self.FREE)] if self.FREE in seats else 1
        return best_against(lambda each: evaluate(each[None]), first, moves, follows == self.FREE, side, chances)

    def _iterated(self, signs: Array, row: int, chances: Array) -> Worth:
        """Value iteration from 0, which endless play is worth. row: of the chances of all moves; FREE for best moves.

        The length is the round since which a value stands: from there a shorter one leads on.
        """
        values = allocate(
            ValueIteration,
            first=self.known.first,
            moves=self.known.ends,
            movers=self.movers,
            sides=signs,
            follows=np.full(len(signs), row),
            chances=chances,
            before=len(self),
            worth=len(self),
            length=np.full(len(self), UNDECIDED),
            changed=np.ones(1),
        )
        if row >= 0:
            values = values._replace(before=values.worth)
        step = 0
        while values.changed[0] > STILL:
            step += 1
            values.before[:] = values.worth
            EXPECT.code()(values, step)
        return Worth(values.worth, values.length, signs)

    @property
    def ways(self) -> tuple[Array, Array]:
        """Where the moves of each position begin, and the last ones end; and where all moves lead."""
        first = self.known.first[: len(self) + 1]
        return first, self.known.ends[: first[-1]]

    def gains(self, worth: Worth) -> Array:
        """What each move is worth to the side of the seat that makes it."""
        first, moves = self.ways
        return worth.of(moves) * np.repeat(worth.sides[self.movers & SEATS], np.diff(first))  # type: ignore[no-any-return]

    @property
    def movers(self) -> Array:
        """Of each position the seat that chooses, and whether a turn starts."""
        return self.known.notes[: len(self), 0]

    @cached_property
    def followed(self) -> Array:
        """A row for each policy with the place of the move that it chooses."""
        rows, known = iter(self.chosen.T), len(self)
        found = [next(rows)[:known] if policy.choices else self._followed(policy) for policy in self.policies]
        return np.ascontiguousarray(found or [np.zeros(known, np.uint8)])

    def _followed(self, policy: Policy) -> Array:
        """The places of what a policy without decision rules chooses; a player in Python is asked in each position."""
        found = np.zeros(len(self), np.uint8)
        if policy.is_computed:
            for number in self._choices:
                if isinstance(policy, DeclaresChances):
                    found[number] = policy.place_in(self.row(number))
                else:
                    found[number] = self._asked(policy, number).argmax()
        return found

    def _chances(self, number: int) -> Array:
        """The chances of all moves by a policy."""
        policy, (first, _) = self.policies[number], self.ways
        counts = np.diff(first)
        found: Array = np.repeat(1 / counts, counts)
        if policy.lays_first:
            for here in self._choices:
                found[first[here] : first[here + 1]] = self._asked(policy, here)
        elif not policy.rolls_dice:
            found[:] = 0
            found[first[:-1] + self.followed[number]] = 1
        return found

    def _asked(self, policy: Policy, number: int) -> Array:
        """The chances of the moves of a player in a position."""
        row, place = self.row(number), self.policies.index(policy)
        return self.answers.of(place, ~number, lambda: asked_in(self.kind, self.players, policy, row, self._seed))

    @property
    def _choices(self) -> list[int]:
        """The numbers of the positions with more than one move."""
        return list((np.diff(self.ways[0]) > 1).nonzero()[0].tolist())

    def errors(self, policy: int, worth: Worth) -> dict[str, int]:
        """How often a policy errs, of the positions in which the moves differ in value, and what that costs."""
        values, begins = self.gains(worth), self.ways[0][:-1]
        best, least = np.maximum.reduceat(values, begins), np.minimum.reduceat(values, begins)
        got = values[begins + self.followed[policy]]
        costs = {"win_to_nobody": (1, 0), "win_to_loss": (1, -1), "nobody_to_loss": (0, -1)}
        signs = np.sign(best), np.sign(got)
        counted = {name: int(((signs[0] == one) & (signs[1] == other)).sum()) for name, (one, other) in costs.items()}
        return {"choices": int((best > least).sum()), "errors": int((got < best).sum()), **counted}


# ---------------------------------------------------------------- a perfect player against others

# Others' moves are known by their chances: policy iteration (R. Howard, 1960). Value iteration overstates what waiting
# is worth: it counts a loss that is put off beyond its last round as none. Here a plan is worth what it gets, endless
# play included, which counts 0. The last plan is optimal: no other move is worth more than it is, and where it loses,
# there is no way to wait for ever.


def best_against(
    evaluate: Callable[[Array], Worth], first: Array, moves: Array, free: Array, side: int, chances: Array
) -> Worth:
    """What positions are worth if the perfect player makes the moves of those that are `free`.

    evaluate: what they are worth by the chances of all moves. first, moves: see `Positions`. side: 1 or -1, what a win
    of the perfect player is to the first side. chances: those of the moves of the others, and of a plan to begin with.
    """
    begins, here = first[:-1], np.repeat(np.arange(len(free)), np.diff(first))
    while True:
        worth = evaluate(chances)
        now, values = side * worth.points, side * worth.of(moves)
        best = np.maximum.reduceat(values, begins) if len(free) else now
        changed, wanted = free & (best > now + SURE), values >= best[here]
        if not changed.any():
            equal = np.where(free[here], values >= now[here] - SURE, chances > 0)
            changed, wanted = _waiting(now < -SURE, moves, free, equal, here)
            if not changed.any():
                return worth
        numbers = np.where(wanted, np.arange(len(moves)), len(moves))
        chances[changed[here]] = 0
        chances[np.minimum.reduceat(numbers, begins)[changed]] = 1


def _waiting(losing: Array, moves: Array, free: Array, equal: Array, here: Array) -> tuple[Array, Array]:
    """Which of the positions that are lost can be played on for ever, and which moves stay in them.

    equal: the moves that the perfect player may make without loss, and those that the others do.
    """
    count = len(free)
    while True:
        inside = (moves >= 0) & losing[np.maximum(moves, 0)]
        stays = np.bincount(here[inside & equal], minlength=count) > 0
        leaves = np.bincount(here[~inside & equal], minlength=count) > 0
        if not (losing & (~stays | leaves & ~free)).any():
            return losing & free, inside & equal
        losing = losing & stays & (free | ~leaves)
