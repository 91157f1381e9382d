"""One game at a time behind one interface: in a batch of one slot, or stepped where machine code cannot play it.

In a batch, a stepped game is made only when somebody asks for one.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import Any

from fsm import Game, IllegalMove
from fsm.declaration.rewards import Reward
from fsm.edge.numbers import Array, as_int, np
from maumau.agents.batch import Batch
from maumau.agents.observed import Observed, returns
from maumau.agents.opponents import Opponents, Players, opponents_of
from maumau.kernels.compiler.machine_code import why_no_compiler
from rules.notation import shown


class SteppedOne:
    """Step one game event by event, up to the decisions of the learning seats.

    seat: the one that decides, from 0. over, truncated: whether the game is over, or was broken off. number: of the
    seed.
    """

    def __init__(
        self, kind: type[Game], players: int, others: Opponents | None, learner: int | None, limit: int, events: int = 0
    ) -> None:
        """Deal nothing yet. learner: the seat that learns, from 0; None: all do, and there are no others.

        events: as for `layout`.
        """
        self._kind, self._players, self._others, self._learner, self._limit = kind, players, others, learner, limit
        self.seed, self.number, self._events = 0, 0, events

    @cached_property
    def observed(self) -> Observed:
        """The game with its history: game 0 of seed 0 until another one is dealt."""
        self.start(self.seed)
        return self.observed

    def start(self, seed: int, number: int = 0) -> None:
        """Deal a game of a seed."""
        self.seed, self.number = seed, number
        policies = self._others.policies(seed, number) if self._others else ()
        self.observed = Observed(self._kind.deal(self._players, seed, number, policies), events=self._events)
        self._advance()

    def following(self) -> None:
        """Deal the next game of the seed in which somebody decides anything."""
        self.start(self.seed, self.number + 1)
        while self.over:
            self.start(self.seed, self.number + 1)

    def _advance(self) -> None:
        observed = self.observed
        while not observed.over and observed.chosen < self._limit:
            if observed.actions.chooses(observed.game) and self._learner in (None, observed.seat):
                return
            observed.step()
        observed.advance()  # what is forced, as in a batch

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return self.observed.seat

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.observed.over

    @property
    def truncated(self) -> bool:
        """Whether the game was broken off."""
        return not self.over and self.observed.chosen >= self._limit

    def observation(self, seat: int) -> Array:
        """Return what a seat sees and knows, in an array of the caller's own."""
        return np.frombuffer(bytearray(self.observed.observation(seat)), np.uint8)

    def mask(self) -> Array:
        """Return 1 for each legal action of the seat that decides, in an array of the caller's own."""
        return np.frombuffer(bytearray(self.observed.mask()), np.int8)

    def act(self, action: Any) -> None:
        """Take an action, and go on to the next decision. Raises IllegalMove, TypeError."""
        self.observed.act(action)
        self._advance()

    def returns(self, reward: Reward) -> list[float]:
        """Return the rewards of the seats in a game that is over."""
        return returns(self.observed.game, reward)


class BatchedOne:
    """Play one game in a batch of one slot, which passes over games in which no learning seat decides anything."""

    def __init__(
        self,
        kind: type[Game],
        players: int,
        others: Opponents | None,
        learner: int | None,
        limit: int,
        reward: Reward,
        events: int = 0,
    ) -> None:
        """Deal the first game. Raises what `Batch` raises."""
        player = None if learner is None else learner + 1
        options: Any = {"rewards": str(reward), "limit": limit, "events": events}
        self.batch = Batch(kind, players, 1, others=others, learner=player, **options)
        self._stepped = SteppedOne(kind, players, others, learner, limit, events)
        self._first_learner, self._action = learner or 0, np.zeros(1, np.int64)
        self._settle()

    def start(self, seed: int) -> None:
        """Deal game 0 of a seed, or the first one in which a learning seat decides."""
        self.batch.reset(seed)
        self._settle()

    def following(self) -> None:
        """Deal the next game of the seed in which somebody decides anything."""
        if not (self.over or self.truncated):  # else it stands there already
            self.batch.deal_next()
        self._settle()

    def _settle(self) -> None:
        """Note where the game stands."""
        decisions = self.batch.decisions
        self.over = self.truncated = False
        self.seed, self.seat, self.number = self.batch.seed, int(decisions.acting[0]), int(decisions.numbers[0])
        self._actions, self._played = list[int](), -1
        self._now: Observed | None = None

    def act(self, action: Any) -> None:
        """Take an action, and go on to the next decision. Raises IllegalMove, TypeError."""
        action = as_int("action", action)
        if not 0 <= action < len(self.batch.actions):
            raise IllegalMove(f"action {shown(action)} is out of range; use 0 to {len(self.batch.actions) - 1}")
        before = [array[0].copy() for array in self.batch.standing]
        self._action[0] = action
        try:
            decisions = self.batch.step(self._action)
        except IllegalMove as error:
            raise IllegalMove(str(error).removeprefix("slot 0: ")) from None
        self._actions.append(action)
        self._now = None
        self.over, self.truncated = bool(decisions.ended[0]), bool(decisions.truncated[0])
        if self.over or self.truncated:
            self._before = before
        else:
            self.seat = int(decisions.acting[0])

    def observation(self, seat: int) -> Array:
        """Return what a seat sees and knows, in an array of the caller's own."""
        if self.over or self.truncated:
            if seat == self._first_learner:
                return self.batch.last_observations[0].copy()  # type: ignore[no-any-return]
        elif seat == self.seat:
            return self.batch.observations[0].copy()  # type: ignore[no-any-return]
        return np.frombuffer(bytearray(self._without_history().observation(seat)), np.uint8)

    def mask(self) -> Array:
        """Return 1 for each legal action of the seat that decides, in an array of the caller's own."""
        if self.over or self.truncated:
            return np.zeros(self.batch.masks.shape[1], np.int8)
        return self.batch.masks[0].astype(np.int8)  # type: ignore[no-any-return]

    def returns(self, reward: Reward) -> list[float]:
        """Return the rewards of the seats in a game that is over."""
        return self.batch.decisions.rewards[0].tolist()  # type: ignore[no-any-return]

    @property
    def observed(self) -> Observed:
        """Return the stepped game with its history, stepped as far as the batch has come."""
        if self._played < 0:
            self._stepped.start(self.seed, self.number)
            self._played = 0
        for action in self._actions[self._played :]:
            self._stepped.act(action)
        self._played = len(self._actions)
        return self._stepped.observed

    def _without_history(self) -> Observed:
        """Return the game as it stands, from the arrays of the batch; all seats that look at it share one."""
        if self._now is None:
            done = self.over or self.truncated
            self._now = self._restored(self._before if done else [array[0] for array in self.batch.standing])
            if done:  # the batch shows the next game
                self._now.act(self._actions[-1])
                self._now.advance()
        return self._now

    def _restored(self, rows: list[Array]) -> Observed:
        """Return a game without its history. rows: those of `Batch.standing`."""
        table, phase, notes, discarded = rows
        declaration = self.batch.kind.declaration
        layout = self.batch.kind.layout
        standing = layout.restored(layout.unpacked(table.tobytes()))
        hands = [declaration.codec.held(standing, seat) for seat in range(self.batch.players)]
        game = self.batch.kind(standing, list(declaration.phases)[int(phase)], hands)
        observed, shape = Observed.__new__(Observed), self.batch.layout
        observed.__setstate__((game, notes.tolist(), bytearray(discarded), shape.memory, shape.events))
        return observed


def one_game(
    kind: type[Game],
    players: int,
    others: Players,
    learner: int | None,
    limit: int,
    reward: Reward,
    events: int = 0,
) -> SteppedOne | BatchedOne:
    """Return what plays one game at a time. others: None where all seats learn. events: as for `layout`.

    Games of players who search or are functions are stepped, and so are all where llvmlite is missing.
    """
    opponents = opponents_of(kind.declaration, players, others)
    if not why_no_compiler() and (opponents is None or opponents.observe):
        with suppress(ValueError, MemoryError):  # machine code cannot play this game
            return BatchedOne(kind, players, opponents, learner, limit, reward, events)
    return SteppedOne(kind, players, opponents, learner, limit, events)
