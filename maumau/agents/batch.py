"""Many games side by side, each stopped at the decisions of learning seats: arrays in, arrays out."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from operator import call
from threading import Event
from typing import Any, NamedTuple

from fsm import Game, IllegalMove, game_class
from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration, player_count
from fsm.declaration.endless import MAX_CHOSEN, MAX_EVENTS
from fsm.declaration.policy import Policies
from fsm.declaration.rewards import points_of_reward, reward_named
from fsm.edge.numbers import Array, as_array, as_int, between, check_notify, np, seed_number, thread_count
from fsm.table.layout import layout_of
from maumau.agents.actions import LIMIT, ActionSpace, UnsupportedGame, action_space
from maumau.agents.batch_source import DEAL, ILLEGAL_ACTION, BatchPlan, played_of, slots_of, stepping
from maumau.agents.compiled.batches import CLOSED, IDLE, LEARNING, PATIENCE, Slots
from maumau.agents.layout import ObservationLayout, layout
from maumau.kernels.bulk.chunks import Stopped
from maumau.kernels.bulk.runner import StuckError, check_score, of_seed
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiler.machine_code import Notify, machine_code, ready_code, require_compiler
from maumau.kernels.compiler.program import Results

SLOTS = 512
"""Games that are played side by side."""
MIN_GAMES = 1000
"""For so many games the program is compiled, which takes seconds; fewer are stepped unless it is there."""
MOST = 2**31 - 1
"""Slots and events of a game, at most; fewer fit into the memory of a machine."""


class Decisions(NamedTuple):
    """The decisions at which the games stand, a row for each slot; every step writes into the same arrays.

    observations: bytes, shape (slots, layout.width). masks: 1 for each legal action, shape (slots, actions). acting:
    the seat that decides, from 0. numbers: the number of the game. rewards: by seat, of the game that ended with the
    last step, else zeros. ended, truncated: whether a game ended
    with the last step, or was broken off at the limit; then the row shows the next game of the slot.
    """

    observations: Array
    masks: Array
    acting: Array
    numbers: Array
    rewards: Array
    ended: Array
    truncated: Array


class Batch:
    """`slots` games of one kind, stepped together in machine code.

    Slot i plays the games i, i + slots, i + 2 * slots, ... of the seed, so the games do not depend on how many slots or
    threads there are. A game in which no learning seat decides anything is passed over.

    decisions: those at which the games stand. observations, masks: two parts of these: what the seats that decide see
    and know, shape (slots, layout.width), and 1 for each legal action, shape (slots, actions). last_observations: what
    the learner sees of games that the last step ended or truncated, shape (slots, layout.width); rows of other slots
    mean nothing; where all seats learn, it is what the first seat sees. standing: the tables, phases and notes of the
    games and the cards that are discarded, a row for each slot. The next step writes into the same arrays.

    >>> batch = Batch("maumau", players=3, slots=4, seed=7)
    >>> batch.observations.shape, batch.masks.shape
    ((4, 245), (4, 50))
    >>> decisions = batch.step(batch.masks.argmax(axis=1))  # the first legal action of each game
    >>> batch.game(0).history[-1].trigger
    'play'
    """

    def __init__(
        self,
        game: str | type[Game],
        players: int,
        slots: int,
        seed: int = 0,
        *,
        others: Policies = None,
        learner: int | None = None,
        rewards: str | None = None,
        limit: int = LIMIT,
        threads: int = 1,
        notify: Notify | None = None,
    ) -> None:
        """Deal the first game of each slot.

        game: a class or a registered name. players, slots: how many. seed: of the games. others: the policies of the
        seats that do not learn, one for all or one for each seat; None: all seats learn. learner: the player who
        learns, from 1, where others do not; None: the players in turn, game by game. rewards: "returns", "win", "score"
        or "match" (see `fsm.declaration.rewards.Reward`), by default the returns of the game, or to win if it declares
        none. limit: events that players choose in one game before it is truncated. threads: among which the slots are
        divided. notify: called when the program has to be compiled. Raises ValueError, also if no learning seat ever
        decides anything; UnsupportedGame; MissingExtra.
        """
        require_compiler()
        check_notify(notify)
        self.kind = game_class(game)
        declaration = self.kind.declaration
        self.players, seed = player_count(declaration, players), seed_number("seed", seed)
        self.slots, self.limit = between(1, MOST, "slots", slots), between(1, MOST, "limit", limit)
        threads = min(thread_count(threads), self.slots)
        self.actions: ActionSpace = action_space(declaration)
        self.layout: ObservationLayout = layout(declaration, self.players)
        self._policies = declaration.seated(self.players, () if others is None else others, compiled=True)
        distinct = () if others is None else tuple(dict.fromkeys(self._policies))
        self.reward = reward_named(declaration, rewards)
        plan = BatchPlan(declaration, distinct, players=self.players, reward=self.reward)
        self._played = played_of(plan, self._seating(None if others is None else distinct, learner))
        self._arrays = own = slots_of(plan, self.slots, self.limit)
        self._tables = own.tables.view(layout_of(declaration).record)[:, 0]
        self.observations, self.masks, self.last_observations = own.observations, own.masks, own.last_observations
        self.standing: tuple[Array, Array, Array, Array] = own[:4]
        self._in_points = points_of_reward(declaration, self.reward) is not None  # whole numbers, in machine code
        paid = np.zeros(own.rewards.shape, np.float32) if self._in_points else own.rewards.view("float32")
        where, flags = (own.acting, self._tables["number"]), (own.ended.view(bool), own.truncated.view(bool))
        self.decisions = Decisions(own.observations, own.masks, *where, paid, *flags)
        self._step = machine_code(stepping(plan), notify)
        self._illegal_action = machine_code(ILLEGAL_ACTION).bound(self._arrays.actions, self.masks)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        edges = [self.slots * thread // threads for thread in range(threads + 1)]
        self._parts = [Slots(*(array[start:end] for array in self._arrays)) for start, end in pairwise(edges)]
        self.reset(seed)

    def reset(self, seed: int | None = None) -> Decisions:
        """Deal the first game of each slot again, of another `seed` if one is given. Raises TypeError or ValueError."""
        if seed is not None:
            self._seed = seed_number("seed", seed)
            self._bind()
        self._tables["number"] = np.arange(self.slots)
        return self._deal()

    def _bind(self) -> None:
        numbers = self._seed, self.slots, self.limit, 0, 0
        self._steps = [self._step.bound(part, self._played, *numbers) for part in self._parts]

    def shorten(self, limit: int) -> None:
        """Truncate games after fewer events, if `limit` is lower than before."""
        if limit < self.limit:
            self.limit = limit
            self._bind()

    @property
    def seed(self) -> int:
        """The seed of the games."""
        return self._seed

    def deal_next(self) -> Decisions:
        """Deal the next game of each slot, whether or not the one that stands there is over."""
        self._tables["number"] += self.slots
        return self._deal()

    def step(self, actions: Array | Sequence[int]) -> Decisions:
        """Take an action in each game, and go on to the next decisions.

        actions: whole numbers, shape (slots,). Raises IllegalMove if one of them is illegal, with the reason: no game
        has moved then.
        """
        given = as_array("actions", actions)
        if given.shape != (self.slots,):
            raise ValueError(f"actions of shape {given.shape}, expected ({self.slots},)")
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions of {given.dtype}, expected whole numbers")
        self._arrays.actions[:] = given
        slot = self._illegal_action()
        if slot >= 0:
            raise IllegalMove(f"slot {slot}: {self._reason(slot, int(given[slot]))}")
        return self._run()

    @property
    def passed_over(self) -> int:
        """How many games ended without a decision of a learning seat."""
        return int(self._arrays.passed_over.sum())

    def game(self, slot: int) -> Game:
        """The stepped game that stands where the game of `slot`, from 0, stands, with its past. Raises IndexError."""
        slot = as_int("slot", slot)
        if not 0 <= slot < self.slots:
            raise IndexError(f"slot {slot}, expected 0 to {self.slots - 1}")
        log, decided = self._arrays.log[slot], int(self._arrays.decided[slot])
        names = [policy.name for policy in self._policies]
        game = self.kind.deal(self.players, self.seed, int(self._tables["number"][slot]), names)
        for action in log[:decided]:
            self._advance(game)
            game.fire(self.actions.move(int(action), game.player, self.players))
        self._advance(game)
        return game

    def close(self) -> None:
        """End the threads."""
        if self._pool:
            self._pool.shutdown()

    def _seating(self, distinct: tuple[Any, ...] | None, learner: int | None) -> Array:
        """Who decides at each seat, by the seat that learns: LEARNING or the number of a policy."""
        seats = np.full((self.players, self.players), LEARNING, np.int64)
        learner = None if learner is None else between(1, self.players, "learner", learner)
        if distinct is None:
            if learner is not None:
                raise ValueError(f"learner {learner} without others, expected the policies of the others, too")
            return seats
        seats[:] = [LEARNING + 1 + distinct.index(policy) for policy in self._policies]
        for row in range(self.players):
            seats[row, row if learner is None else learner - 1] = LEARNING
        return seats

    def _deal(self) -> Decisions:
        """Deal the game of each slot."""
        self._arrays.actions[:] = DEAL
        return self._run()

    def _run(self) -> Decisions:
        """Step all slots. Raises what `_problem` says of a game that cannot go on."""
        stuck = self._pool.map(call, self._steps) if self._pool else map(call, self._steps)
        for part, slot in zip(self._parts, stuck, strict=True):
            if slot >= 0:
                with of_seed(self.kind, self.players, self.seed):
                    raise self._problem(part, slot)
        if self._in_points:
            self.decisions.rewards[:] = self._arrays.rewards
        return self.decisions

    def _problem(self, part: Slots, slot: int) -> Exception:
        """Why the game of a slot cannot go on."""
        game = self.kind.declaration
        number = int(part.tables[slot].view(self._tables.dtype)["number"][0])
        if part.phases[slot] == STUCK:
            return StuckError(game, number)
        if part.phases[slot] == IDLE:
            return ValueError(f"{game.name}: no learning seat decided anything in {PATIENCE:,} games, up to {number}")
        return UnsupportedGame(f"{game.name}: a legal move of game {number} has no number")

    def _reason(self, slot: int, action: int) -> str:
        """Why an action is illegal."""
        if not 0 <= action < len(self.actions):
            return f"action {action}, expected 0 to {len(self.actions) - 1}"
        game = self.game(slot)
        try:
            game.fire(self.actions.move(action, game.player, self.players))
        except IllegalMove as error:
            return str(error)
        raise AssertionError(f"{self.actions.text(action)} is legal at {game.position()}")

    def _advance(self, game: Game) -> None:
        """Step a game to the next decision of a learning seat, or to the end."""
        seats = self._played.seats[game.table.number % self.players]
        while game.phase is not game.declaration.final:
            if self.actions.chooses(game) and seats[game.player - 1] == LEARNING:
                return
            game.step()


class BatchedGames:
    """Games of one kind and one choice of policies, played side by side in one thread.

    The policies of the game choose in machine code; the others, each an `ObservingPolicy`, choose in Python for all
    games at once.
    """

    def __init__(
        self, game: Declaration, players: int, policies: Sequence[Policy], seed: int, notify: Notify | None = None
    ) -> None:
        self.game, self.players, self.policies, self.seed, self.notify = game, players, policies, seed, notify
        compiled = tuple(policy for policy in game.policies if policy in policies)
        self._plan = BatchPlan(game, compiled, tally=True, players=players)
        self._program = stepping(self._plan)
        numbers = {policy: LEARNING + 1 + index for index, policy in enumerate(compiled)}
        self._seats = np.array([[numbers.get(policy, LEARNING) for policy in policies]] * players, np.int64)
        self._choosers: dict[Any, list[int]] = {}
        for seat, policy in enumerate(policies):
            if policy not in compiled:
                self._choosers.setdefault(policy, []).append(seat)

    def plays(self, games: int) -> bool:
        """Whether so many games are worth the time of compiling, or nothing has to be compiled."""
        return games >= MIN_GAMES or ready_code(self._program) is not None

    def prepare(self) -> None:
        """Compile the program."""
        machine_code(self._program, self.notify)

    def play(self, first: int, games: int, stop: Event | None = None) -> Results:
        """Play games from number `first` on. stop: ends the work early, which raises Stopped.

        Games so long that they may have no end are left with the ending `Ending.RUNNING`, and are not counted.
        Raises ScoreError, StuckError, IllegalMove, what a player raises, and UnsupportedGame for a legal move without
        a number.
        """
        slots = min(SLOTS, games)
        rows, played = slots_of(self._plan, slots, MAX_CHOSEN), played_of(self._plan, self._seats, games)
        rows.tables.view(layout_of(self.game).record)["number"][:, 0] = first + np.arange(slots)
        numbers = self.seed, slots, MAX_CHOSEN, first, MAX_EVENTS
        step = machine_code(self._program, self.notify).bound(rows, played, *numbers)
        while (rows.acting != CLOSED).any():
            if stop is not None and stop.is_set():
                raise Stopped
            if step() >= 0:
                raise UnsupportedGame(f"{self.game.name}: a legal move has no number")
            for chooser, seats in self._choosers.items():
                turns = np.isin(rows.acting, seats).nonzero()[0]
                if len(turns):
                    rows.actions[turns] = chooser.actions(self.players, rows.observations[turns], rows.masks[turns])
        results = played.results
        for row in (results["ending"] < 0).nonzero()[0]:
            check_score(self.game, first + int(row), results[row])
            raise StuckError(self.game, first + int(row))
        counted = dict(zip(self.game.counters, played.fired.tolist(), strict=True))
        used = dict(zip(self._plan.rules, played.used.tolist(), strict=True))
        return Results(results, played.scores, counted, used)
