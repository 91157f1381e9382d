"""Many games side by side, each stopped at the decisions of learning seats: arrays in, arrays out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from operator import call
from typing import Any, NamedTuple

from fsm import Game, IllegalMove, game_class
from fsm.declaration.endless import StuckError
from fsm.declaration.rewards import Reward
from fsm.edge.numbers import Array, Notify, as_array, as_int, np, of_type, seed_number, thread_count
from maumau.agents.actions import LIMIT, ActionSpace, UnsupportedGame, action_space
from maumau.agents.batch_source import DEAL, ILLEGAL_ACTION, fixed_seats, played_of, slots_of, stepping
from maumau.agents.compiled.batches import CHOSEN, IDLE, LEARNING, PATIENCE, SeatArrays, SlotArrays
from maumau.agents.layout import ObservationLayout, layout
from maumau.agents.observed import notes_of_game
from maumau.agents.opponents import ASKED_PATIENCE, Opponents, Players, opponents_of
from maumau.agents.plan import AgentPlan
from maumau.agents.slots import SavedSlot, check_settable, write_game
from maumau.kernels.bulk.runner import of_seed
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiler.machine_code import require_compiler

MOST = 2**31 - 1
"""Slots and events of a game, at most; fewer fit into the memory of a machine."""


class Decisions(NamedTuple):
    """The decisions at which the games stand, a row for each slot; every step writes into the same arrays.

    observations: bytes, shape (slots, layout.width). masks: 1 for each legal action, shape (slots, actions). acting:
    the seat that decides, from 0. numbers: the number of the game. rewards: by seat, of the game that ended with the
    last step, else zeros. ended, truncated: whether a game ended with the last step, or was broken off at the limit;
    then the row shows the next game of the slot.
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

    decisions: those at which the games stand. observations, masks: two parts of them: what the seats that decide see
    and know, shape (slots, layout.width), and 1 for each legal action, shape (slots, actions). last_observations: what
    the learner sees of games that the last step ended or truncated, shape (slots, layout.width); rows of other slots
    mean nothing; where all seats learn, it is what the first seat sees. standing: tables, phases, notes and discarded
    cards, a row for each slot. The next step writes into the same arrays.

    >>> batch = Batch("maumau", players=3, slots=4, seed=7)
    >>> batch.observations.shape, batch.masks.shape
    ((4, 245), (4, 50))
    >>> decisions = batch.step(batch.masks.argmax(axis=1))  # the first legal action of each game
    """

    def __init__(
        self,
        game: str | type[Game],
        players: int,
        slots: int,
        seed: int = 0,
        *,
        others: Players | Opponents = None,
        learner: int | None = None,
        rewards: str | None = None,
        memory: bool = True,
        events: int = 0,
        limit: int = LIMIT,
        threads: int | None = 1,
        notify: Notify | None = None,
    ) -> None:
        """Deal the first game of each slot.

        game: a class or a registered name. players, slots: how many. seed: of the games. others: who plays the seats
        that do not learn, one for all or one for each (see `player_of`), or a dict of several with probabilities, one
        of which is drawn for each game; None: all seats learn. learner: the player who learns, from 1, where others do
        not; None: the players in turn, game by game. rewards: "win", "score", "match" or, if the game declares returns,
        "returns" (see `fsm.declaration.rewards.Reward`); by default the returns, or "win" without any. memory, events:
        what is observed, as for `layout`. limit: events that players choose in one game before it is truncated; where a
        position that returns ends the game, turns as well. threads: among which the slots are divided; None for one for
        each core. notify: called when the program has to be compiled. Raises ValueError, also if no learning seat ever
        decides anything; UnsupportedGame; MissingExtra.
        """
        require_compiler(notify)
        self.kind = game_class(game)
        declaration = self.kind.declaration
        self.players, seed = declaration.player_count(players), seed_number("seed", seed)
        self.slots, self.limit = as_int("slots", slots, 1, MOST), as_int("limit", limit, 1, MOST)
        threads = min(thread_count(threads), self.slots)
        self.actions: ActionSpace = action_space(declaration)
        self.layout: ObservationLayout = layout(declaration, self.players, memory, events)
        self._opponents = opponents_of(declaration, self.players, others, self.layout)
        self._kept = dict[int, tuple[int, Game]]()  # by slot: stepped games, and how many actions these have had
        self._options: Any = {"learner": learner, "rewards": rewards, "limit": limit, "threads": threads}
        self._options |= {"others": self._opponents and self._opponents.given, "memory": memory, "events": events}
        self._origins = dict[int, tuple[int, Game]]()  # by slot: the number of the game, and what it was set to
        self.reward = Reward.named(declaration, rewards)
        compiled = self._opponents.compiled if self._opponents else ()
        plan = AgentPlan(declaration, compiled, players=self.players, reward=self.reward, memory=memory, events=events)
        self._played = played_of(plan, self._seating(learner))
        self._asks = self._opponents if self._opponents and self._opponents.asked else None
        if self._asks:
            self._asks.prepare(notify)
        self._arrays = own = slots_of(plan, self.slots, self.limit)
        self._tables = own.tables.view(self.kind.layout.record)[:, 0]
        self.observations, self.masks, self.last_observations = own.observations, own.masks, own.last_observations
        self.standing: tuple[Array, Array, Array, Array] = own[:4]
        self._in_points = self.reward.points(declaration) is not None  # whole numbers, in machine code
        paid = np.zeros(own.rewards.shape, np.float32) if self._in_points else own.rewards.view("float32")
        where, flags = (own.acting, self._tables["number"]), (own.ended.view(bool), own.truncated.view(bool))
        self.decisions = Decisions(own.observations, own.masks, *where, paid, *flags)
        self._step = stepping(plan).code(notify)
        self._illegal_action = ILLEGAL_ACTION.code().bound(self._arrays.actions, self.masks)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        edges = [self.slots * thread // threads for thread in range(threads + 1)]
        self._parts = [SlotArrays._make(array[start:end] for array in self._arrays) for start, end in pairwise(edges)]
        self.reset(seed)

    def reset(self, seed: int | None = None) -> Decisions:
        """Deal the first game of each slot again, with another `seed` if one is given.

        Raises TypeError or ValueError.
        """
        if seed is not None:
            self._seed = seed_number("seed", seed)
            self._bind()
        self._tables["number"] = np.arange(self.slots)
        return self._deal()

    def _bind(self) -> None:
        numbers = self._seed, self.slots, self.limit, 0, 0
        first, second = (
            [self._step.bound(part, self._played, *numbers, again) for part in self._parts] for again in (0, 1)
        )
        self._steps, self._steps_again = first, second

    def shorten(self, limit: int) -> None:
        """Truncate games after fewer events, if `limit`, 1 or more, is lower than before.

        Raises TypeError or ValueError.
        """
        if (limit := as_int("limit", limit, 1)) < self.limit:
            self.limit = limit
            self._bind()

    @property
    def seed(self) -> int:
        """The seed of the games."""
        return self._seed

    def deal_next(self) -> Decisions:
        """Deal the next game of each slot, whether or not the current one is over."""
        self._tables["number"] += self.slots
        return self._deal()

    def step(self, actions: Array | Sequence[int]) -> Decisions:
        """Take an action in each game, and go on to the next decisions.

        actions: whole numbers, shape (slots,). Raises IllegalMove if one of them is illegal, with the reason: no game
        has moved then.
        """
        given = as_array("actions", actions)
        if given.shape != (self.slots,):
            raise ValueError(f"actions: the shape is {given.shape}; use ({self.slots},)")
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions: the numbers are of type {given.dtype}; give whole numbers")
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
        """Return the game of `slot`, from 0, as a stepped game with its past. Raises IndexError."""
        return self._follow(slot := self._slot(slot), self._begun(slot), 0)

    def _begun(self, slot: int) -> Game:
        """The game of a slot before its first action."""
        if origin := self._origin(slot):
            return origin.clone()
        seed, number = int(self._tables["seed"][slot]), int(self._tables["number"][slot])
        return self.kind.deal(
            self.players, seed, number, self._opponents.policies(seed, number) if self._opponents else ()
        )

    def _follow(self, slot: int, game: Game, done: int) -> Game:
        """Let a stepped game that has had so many actions go on to where its slot stands."""
        for action in self._arrays.log[slot, done : int(self._arrays.decided[slot])]:
            self._advance(game, slot)
            game.fire(self.actions.move(int(action), game.player, self.players))
        self._advance(game, slot)
        return game

    def _choose(self, slot: int) -> int:
        """Let the player who acts choose in the stepped game of a slot, which is kept for its next choice."""
        number, decided = int(self._tables["number"][slot]), int(self._arrays.decided[slot])
        done, game = self._kept.pop(slot, (-1, None))
        if game is None or game.table.number != number or done > decided:
            done, game = 0, self._begun(slot)
        game = self._follow(slot, game, done)
        if game.outcome is not None:  # it returns to a position for ever, so any action is as good
            return int(self._arrays.masks[slot].argmax())
        move = game.step().move(self.kind.declaration)
        self._kept[slot] = decided + 1, game
        return self.actions.number(move, int(self._arrays.acting[slot]) + 1, self.players)

    def save(self, slot: int) -> SavedSlot:
        """Return the game of `slot`, from 0, which any slot of a batch of the same game can load. Raises IndexError."""
        rows = tuple(array[self._slot(slot)].copy() for array in self._arrays)
        return SavedSlot(self.kind.declaration.name, self.players, rows, self._origin(slot))

    def load(self, slot: int, saved: SavedSlot) -> Decisions:
        """Set `slot`, from 0, to a game that was saved: where it ends, the slot goes on with the game after it.

        Raises IndexError, and ValueError for a game of another kind or a batch with another `limit`.
        """
        slot = self._slot(slot)
        of_type("saved", saved, SavedSlot, "what save returns")
        rows = [array[slot] for array in self._arrays]
        shapes = [(row.shape, row.dtype) for row in rows] == [(row.shape, row.dtype) for row in saved.rows]
        if (saved.game, saved.players) != (self.kind.declaration.name, self.players) or not shapes:
            use = f"use one of {self.kind.declaration.name} with {self.players} players and the same limit"
            raise ValueError(f"a game of {saved.game} with {saved.players} players; {use}")
        arrays: tuple[Array, ...] = self._arrays
        for array, row in zip(arrays, saved.rows, strict=True):
            array[slot] = row
        self._seat(slot)
        self._set(slot, saved.origin)
        return self._ask()

    def clone(self, slot: int, to: int) -> Decisions:
        """Set slot `to` to the game of `slot`, both from 0. Raises IndexError."""
        return self.load(to, self.save(slot))

    def put(self, slot: int, game: Game) -> Decisions:
        """Set `slot`, from 0, to a stepped game: to a position (`Game.at`), a deck (`Game.of_deck`) or a world.

        The game goes on to the next decision of a learning seat, with the dice of the slot. Where it ends, the slot
        goes on with the next game of its own. Raises IndexError; ValueError for a game of another kind, one in which no
        learning seat decides anything any more, and a game that its rules end where a position returns.
        """
        slot, declaration = self._slot(slot), self.kind.declaration
        check_settable(declaration, self.players, game)
        origin = game.clone()
        if self._opponents:
            origin.policies = self._opponents.policies(self.seed, int(self._tables["number"][slot]))
        origin.table.seed, origin.table.number = self.seed, int(self._tables["number"][slot])
        moved = origin.clone()
        self._advance(moved, slot)
        if moved.phase is declaration.final or notes_of_game(moved)[0][CHOSEN] >= self.limit:
            raise ValueError(f"{declaration.name}: no learning seat decides anything after {game.position()}")
        write_game(SlotArrays._make(array[slot : slot + 1] for array in self._arrays), moved, self.layout)
        self._set(slot, origin)
        return self._ask()

    def _slot(self, slot: int) -> int:
        """The number of a slot. Raises TypeError, IndexError."""
        slot = as_int("slot", slot)
        if not 0 <= slot < self.slots:
            raise IndexError(f"slot {slot} is out of range; use 0 to {self.slots - 1}")
        return slot

    def _origin(self, slot: int) -> Game | None:
        """The game to which a slot was set, while it is played."""
        number, game = self._origins.get(slot, (-1, None))
        return game if number == self._tables["number"][slot] else None

    def _set(self, slot: int, origin: Game | None) -> None:
        """Note to which game a slot was set, and show its rewards."""
        self._origins.pop(slot, None)
        self._kept.pop(slot, None)
        if origin:
            self._origins[slot] = int(self._tables["number"][slot]), origin
        if self._in_points:
            self.decisions.rewards[slot] = self._arrays.rewards[slot]

    def __getstate__(self) -> dict[str, Any]:
        """The arguments with which the batch was made, and its games."""
        made = {"game": self.kind, "players": self.players, "slots": self.slots, "seed": self.seed, **self._options}
        return {"made": made, "limit": self.limit, "arrays": tuple(self._arrays), "origins": self._origins}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Batch.__init__(self, **state["made"])
        self.shorten(state["limit"])
        arrays: tuple[Array, ...] = self._arrays
        for array, saved in zip(arrays, state["arrays"], strict=True):
            array[:] = saved
        self._kept.clear()  # the games that the constructor has dealt
        self._origins = state["origins"]
        for number, game in self._origins.values():  # pickled are the names of its players
            seated = self._opponents.policies(self.seed, number) if self._opponents else []
            if [policy.name for policy in seated] == [policy.name for policy in game.policies]:
                game.policies = seated
        self._paid()

    def close(self) -> None:
        """End the threads."""
        if self._pool:
            self._pool.shutdown()

    def _seating(self, learner: int | None) -> SeatArrays:
        """Who plays. learner: the player who learns, from 1."""
        learner = None if learner is None else as_int("learner", learner, 1, self.players) - 1
        if learner is not None and not self._opponents:
            raise ValueError(f"learner {learner + 1} without others; give the policies of the others")
        return self._opponents.seats(learner) if self._opponents else fixed_seats([LEARNING] * self.players)

    def _seat(self, slot: int) -> None:
        """Seat the players of this batch in the game of a slot."""
        seed, number = int(self._tables["seed"][slot]), int(self._tables["number"][slot])
        deciders = self._opponents.deciders(seed, number) if self._opponents else [LEARNING] * self.players
        learning = self._played.seats.learning[number % self.players] == 1
        self._arrays.deciders[slot] = np.where(learning, LEARNING, deciders)

    def _deal(self) -> Decisions:
        """Deal the game of each slot."""
        self._origins.clear()
        self._kept.clear()
        self._arrays.actions[:] = DEAL
        return self._run()

    def _run(self) -> Decisions:
        """Step all slots to decisions of learning seats. Raises what `_problem` says of a game that cannot go on."""
        self._call(self._steps)
        if self._asks:
            return self._ask()
        return self._paid()

    def _paid(self) -> Decisions:
        """The decisions, with rewards that are points as real numbers."""
        if self._in_points:
            self.decisions.rewards[:] = self._arrays.rewards
        return self.decisions

    def _call(self, steps: Sequence[Callable[[], int]]) -> None:
        """Call the program for each part of the slots."""
        stuck = [*self._pool.map(call, steps)] if self._pool else [steps[0]()]
        for part, slot in zip(self._parts, stuck, strict=True):
            if slot >= 0:
                with of_seed(self.kind.declaration, self.players, self.seed):
                    raise self._problem(part, slot)

    def _ask(self) -> Decisions:
        """Let players that are computed in Python choose, up to decisions of learning seats."""
        passed = self._arrays.passed_over.copy()
        while self._asks and self._asks.ask(self._arrays, self.layout, self._choose):
            self._call(self._steps_again)
            if (self._arrays.passed_over - passed).max() > ASKED_PATIENCE:
                told = f"no learning seat decided anything in {ASKED_PATIENCE:,} games of a slot"
                raise ValueError(f"{self.kind.declaration.name}: {told}")
        return self._paid()

    def _problem(self, part: SlotArrays, slot: int) -> Exception:
        """Why the game of a slot cannot go on."""
        game, number = self.kind.declaration, int(part.tables[slot].view(self._tables.dtype)["number"][0])
        if part.phases[slot] == STUCK:
            return StuckError(game, number)
        if part.phases[slot] == IDLE:
            return ValueError(f"{game.name}: no learning seat decided anything in {PATIENCE:,} games, up to {number}")
        return UnsupportedGame(f"{game.name}: a legal move of game {number} has no number")

    def _reason(self, slot: int, action: int) -> str:
        """Why an action is illegal."""
        if not 0 <= action < len(self.actions):
            return f"action {action} is out of range; use 0 to {len(self.actions) - 1}"
        try:
            game = self.game(slot)
            game.fire(self.actions.move(action, game.player, self.players))
        except IllegalMove as error:
            return str(error)
        raise AssertionError(f"{self.actions.text(action)} is legal at {game.position()}")

    def _advance(self, game: Game, slot: int) -> None:
        """Step a game to the next choice that machine code leaves to others, or to the end."""
        deciders = self._arrays.deciders[slot]
        while game.phase is not game.declaration.final:
            if self.actions.chooses(game) and deciders[game.player - 1] <= LEARNING:
                return
            game.step()
