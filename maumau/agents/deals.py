"""One game from a deck that is given, which can be copied at every decision: in machine code, or stepped.

All games of one kind share one workspace, in which one of them lies at a time; the others are kept as bytes. The game
is stepped only where somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from copy import deepcopy
from functools import cache
from typing import Any, NamedTuple

from fsm import Game, IllegalMove
from fsm.declaration.endless import StuckError
from fsm.declaration.rewards import Reward
from fsm.edge.arrays import allocate_together
from fsm.edge.numbers import Array, np
from maumau.agents.actions import action_space
from maumau.agents.batch_source import loops_of
from maumau.agents.compiled.deals import (
    ACTED,
    DEALT,
    DONE,
    LIMIT,
    LOOKED,
    NUMBER,
    SEAT,
    WHAT,
    DealArrays,
    answer,
)
from maumau.agents.layout import notes_of
from maumau.agents.observed import Observed, returns
from maumau.agents.plan import AgentPlan
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiler.loops import Loops
from maumau.kernels.compiler.machine_code import why_no_compiler
from maumau.kernels.engine import LoopProgram


class DealtKind(NamedTuple):
    """What games are dealt: of which class, for how many players, how long and for what they are played.

    limit: the events that players choose before a game is broken off. events: how many of the last ones are observed.
    """

    kind: type[Game]
    players: int
    limit: int
    reward: Reward
    events: int = 0

    def __deepcopy__(self, memo: Any) -> DealtKind:
        """Return the kind itself, which does not change: copies of games share it."""
        return self


class SteppedDeal:
    """A game that is stepped event by event, up to decisions.

    observed: the stepped game, which must not be stepped by others. seat: the one that decides, from 0. done: whether
    the game is over, or has come to the limit.
    """

    def __init__(self, given: DealtKind, deck: Sequence[int]) -> None:
        """Deal a game. Raises ValueError for a deck that cannot be dealt."""
        self._limit, self._reward = given.limit, given.reward
        self.observed = Observed(given.kind.of_deck(given.players, deck), events=given.events)
        self.observed.advance()

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return self.observed.seat

    @property
    def done(self) -> bool:
        """Whether the game is over, or has come to the limit."""
        return self.observed.over or self.observed.chosen >= self._limit

    def act(self, action: int) -> None:
        """Take an action, and go on to the next decision. Raises IllegalMove, TypeError."""
        self.observed.act(action)
        self.observed.advance()

    def legal(self) -> list[int]:
        """Return the numbers of the legal actions, ascending."""
        return [] if self.done else self.observed.legal()

    def observation(self, seat: int | None) -> Array:
        """Return what a seat sees and knows: bytes, shape (width,).

        None: what the first seat sees, as if it did not act.
        """
        return np.frombuffer(self.observed.observation(seat or 0, acts=seat is not None), np.uint8)

    def returns(self) -> list[float]:
        """Return the rewards of the seats; zeros while the game goes on."""
        return returns(self.observed.game, self._reward)


class DealWorkspace:
    """The memory in which a game of a kind lies while it is stepped, in one piece, and the program that steps it."""

    def __init__(self, given: DealtKind) -> None:
        """Compile the program. Raises ValueError for a game that machine code cannot play, and MissingExtra."""
        self.given, limit = given, given.limit
        plan = AgentPlan(given.kind.declaration, (), players=given.players, reward=given.reward, events=given.events)
        self.in_points = given.reward.points(plan.game) is not None
        program = LoopProgram(answer, _source_of, plan).code()
        self.memory, self.arrays = allocate_together(DealArrays, _shapes(plan, limit))
        self.arrays.places[:] = plan.loops.position_slots(1, plan.kept(limit))[0]
        self.state = self.arrays.state
        self.state[LIMIT] = limit
        self._fresh = self.memory.copy()
        self._answer = program.bound(self.arrays)
        self._inside: CompiledDeal | None = None

    def ask(self, game: CompiledDeal, what: int, number: int) -> None:
        """Do something with a game, for which it is put into the memory. Raises StuckError."""
        if self._inside is not game:
            if self._inside is not None:
                self._inside.kept = self.memory.copy()
            self.memory[:] = self._fresh if game.kept is None else game.kept
            self._inside, game.kept = game, None
        self.state[WHAT], self.state[NUMBER] = what, number
        if self._answer() == STUCK:
            raise StuckError(self.given.kind.declaration, 0)


class CompiledDeal:
    """A game in machine code; the same as a `SteppedDeal`.

    Where a position that returns ends the game, it comes to the limit with more turns than that, too.

    kept: its memory, while it lies in no workspace.
    """

    def __init__(self, work: DealWorkspace, deck: Sequence[int]) -> None:
        """Deal a game. Raises ValueError for a deck that cannot be dealt."""
        self._work, self._deck, self.kept = work, bytes(deck), None
        self._actions, self._stepped, self._played = list[int](), None, 0
        if work.given.kind.declaration.amend:  # not every deck can be dealt
            work.given.kind.of_deck(work.given.players, deck)
        work._fresh[: len(self._deck)] = np.frombuffer(self._deck, np.uint8)
        work.ask(self, DEALT, 0)
        self._note()

    _stepped: SteppedDeal | None
    kept: Array | None

    def _note(self) -> None:
        """Note where the game stands."""
        state = self._work.state
        self.seat, self.done = int(state[SEAT]), bool(state[DONE])
        self._legal = [] if self.done else self._work.arrays.mask.nonzero()[0].tolist()

    def __deepcopy__(self, memo: Any) -> CompiledDeal:
        """Return a copy; the stepped game is shared until one of them goes on with it."""
        other = CompiledDeal.__new__(CompiledDeal)
        other.__dict__.update(self.__dict__)
        other.kept = self._work.memory.copy() if self._work._inside is self else self.kept
        other._actions = self._actions[:]
        self._shares = other._shares = True
        return other

    _shares = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled are the deck and the actions."""
        return _again, (self._work.given, self._deck, self._actions)

    def act(self, action: int) -> None:
        """Take an action, and go on to the next decision. Raises IllegalMove, TypeError."""
        if action not in self._legal:
            deepcopy(self.observed).act(action)  # says why
            raise IllegalMove(f"action {action}: the game is over")
        self._work.ask(self, ACTED, action)
        self._actions.append(action)
        self._note()

    def legal(self) -> list[int]:
        """Return the numbers of the legal actions, ascending."""
        return self._legal

    def observation(self, seat: int | None) -> Array:
        """Return what a seat sees, as a `SteppedDeal` does, in an array that the next look overwrites."""
        self._work.ask(self, LOOKED, -1 if seat is None else seat)
        return self._work.arrays.observation

    def returns(self) -> list[float]:
        """Return the rewards of the seats; zeros while the game goes on."""
        if not self.done:
            return [0.0] * self._work.given.players
        self._work.ask(self, LOOKED, 0)
        paid: list[int] = self._work.arrays.rewards.tolist()
        if self._work.in_points:
            return [float(each) for each in paid]
        won = sum(each > 0 for each in paid)  # the sign of a number is that of its bits
        return [1.0 if each > 0 else Reward.loss(self._work.given.players, won) if each < 0 else 0.0 for each in paid]

    @property
    def observed(self) -> Observed:
        """The stepped game, as far as this one has come; it must not be stepped by others."""
        if self._stepped is None:
            self._stepped = SteppedDeal(self._work.given, self._deck)
        elif self._shares and self._played < len(self._actions):
            self._stepped, self._shares = deepcopy(self._stepped), False
        for action in self._actions[self._played :]:
            self._stepped.act(action)
        self._played = len(self._actions)
        return self._stepped.observed


def _again(given: DealtKind, deck: bytes, actions: list[int]) -> CompiledDeal | SteppedDeal:
    """The game of a deck after some actions."""
    game = deal(given, deck)
    for action in actions:
        game.act(action)
    return game


def _source_of(plan: AgentPlan) -> Loops:
    """The source of the module whose `answer` steps one game."""
    return loops_of(plan, f"{plan.game.title} for {plan.players} players from a deck", answer)


def _shapes(plan: AgentPlan, limit: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the arrays of a game, the deck first."""
    game, most = plan.game, plan.kept(limit)
    return {
        "deck": (game.deck_size,),
        "table": (plan.loops.table_type.itemsize,),
        "state": (6,),
        "notes": (notes_of(game, plan.events).length,),
        "discarded": (len(action_space(game).cards),),
        "observation": (plan.layout.width,),
        "mask": (len(action_space(game)),),
        "rewards": (plan.players,),
        "positions": (most, plan.loops.position_bytes),
        "marks": (most,),
        "places": (2 << most.bit_length(),),
        "counts": (plan.loops.position_counts,),
        "seats": (plan.players,),
        "fired": (len(game.counters) * plan.tally,),
        "used": (len(game.rule_names) * plan.tally,),
    }


@cache
def _workspace(given: DealtKind) -> DealWorkspace | None:
    """The workspace of a kind of game; None where machine code cannot play it, or llvmlite is missing."""
    if not why_no_compiler():
        with suppress(ValueError):
            return DealWorkspace(given)
    return None


def deal(given: DealtKind, deck: Sequence[int]) -> CompiledDeal | SteppedDeal:
    """Return the game of a deck. Raises ValueError for one that cannot be dealt."""
    work = _workspace(given)
    return SteppedDeal(given, deck) if work is None else CompiledDeal(work, deck)
