"""Search: what each legal move is worth, found by dealing hidden cards again and playing the game out by policies.

With a tree, games are played through a tree over what the seat sees (`maumau.agents.compiled.tree`), and a move is
tried only as long as it may be the best one. Without, each legal move is tried once in each world.

Search is given only what the seat that acts sees and knows. Where the ways of all cards can be followed, worlds are the
game from its start with hidden cards dealt to agree with all that was seen, the likelier the more the others have done
what the policy would have done (`compiled.inference`). Else hidden cards are dealt again among the places where they
lie, whatever the others have done (`search.source`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import cache, partial
from types import NoneType
from typing import Any, TypeVar

from fsm import Game, game_class
from fsm.declaration.declaration import Declaration
from fsm.declaration.endless import StuckError
from fsm.declaration.rewards import Reward
from fsm.edge.numbers import Array, Notify, as_bool, as_int, np, of_type, real, seed_number, thread_count
from fsm.table.fields import Snapshot
from maumau.agents.actions import action_space
from maumau.agents.batch import Batch
from maumau.agents.compiled.batches import CHOSEN
from maumau.agents.compiled.inference import MAX_ENERGY, SeenGame, WorldChains
from maumau.agents.compiled.worlds import PlayoutMeans, Standing
from maumau.agents.nets.net import Net
from maumau.agents.observed import notes_of_game
from maumau.agents.opponents import Players
from maumau.agents.search.copies import MadeAgain
from maumau.agents.search.dealt import played_again, saved_tables, standing
from maumau.agents.search.evidence import Evidence, EvidenceReader, is_seen_to_choose
from maumau.agents.search.results import Counted, Found
from maumau.agents.search.seats import PlayoutSeats
from maumau.agents.search.source import UNSEEN, check_game, inferring, searching
from maumau.agents.search.tree import SearchTree, Trees
from maumau.kernels.compiler.machine_code import require_compiler

T = TypeVar("T")
CHANCE = 0.1
"""How likely a player makes a move that the policy would not, compared with the one that it would."""
ACCEPTED = [int(CHANCE**energy * 2**32) for energy in range(MAX_ENERGY + 1)]
"""How likely a world that is less likely by so many moves is accepted, in 2**-32."""
MAX_WORLDS = 100_000
"""Worlds of one search, at most."""
TRIED = 64
"""Worlds by which the time of a search is measured, where it is limited."""
SHORT = 100
"""Worlds, at most, for which no other thread is asked: that takes as long as they do."""
CHAINS = 4
"""Chains of inferred worlds, whatever the number of threads."""
NONE = -2e300
"""The worth of an action that is not legal."""
LEAST = 0.25
"""The part of the worlds that must be found by inference, else hidden cards are dealt without it."""


class Search(MadeAgain):
    """A search for games of one kind with a number of players.

    The result depends on what the player has seen, on the numbers of the seed, the game and the decision, and on
    `worlds`, but not on the number of threads. A copy of a search, and a search that was pickled, decide alike.

    >>> from fsm import MauMau
    >>> game = MauMau.deal(players=2, seed=7)
    >>> game.step().trigger
    'open'
    >>> found = Search(MauMau, players=2, worlds=200).best(game)
    >>> found.move == found.values[0].move, found.values[0].share >= found.values[-1].share
    (True, True)
    """

    def __init__(
        self,
        game: str | type[Game] | Declaration,
        players: int,
        worlds: int,
        *,
        others: Players | None = None,
        own: str | Net | None = None,
        infer: bool = True,
        by_deal: bool = True,
        tree: bool = False,
        rewards: str | None = None,
        seed: int = 0,
        threads: int | None = None,
        notify: Notify | None = None,
    ) -> None:
        """Prepare a search.

        game: a class, a registered name or a declaration. players: how many. worlds: in how many ways the hidden cards
        are dealt. others: who plays the other seats in games that are played out, by default the first policy of the
        game: a policy of the game, a net, or several of these with the probability of each; for all seats, or a list
        with one for each. What the others have done is judged by the first of the policies. own: the policy of the seat
        that searches, by default the first one of the others, or a net (`maumau.Net`), which takes longer and finds
        better moves. infer: whether worlds must agree with all that was seen since the start. by_deal: whether
        games of other seeds and numbers are searched in other worlds; if not, the result says nothing about either, nor
        about choices that the seat has not seen others make.
        tree: whether games are played through a tree over what the seat sees, so that the seat's later moves are good,
        too, and moves that are worse are given up; it finds better moves, in one thread for each decision.
        rewards: what is played for, as for `maumau.Batch`.
        seed: another one chooses other worlds. threads: by default one for each core. notify: called when the program
        has to be compiled, here; what is needed only where too few worlds agree is compiled then (see `prepare`).

        Raises ValueError; UnsupportedGame; MissingExtra without llvmlite.
        """
        require_compiler(notify)
        how = {"infer": infer, "by_deal": by_deal, "tree": tree, "rewards": rewards, "seed": seed, "threads": threads}
        self._made = {"game": game, "players": players, "worlds": worlds, "others": others, "own": own, **how}
        of_type("own", own, (str, Net, NoneType), "the name of a policy, or a net")
        infer, by_deal, tree = as_bool("infer", infer), as_bool("by_deal", by_deal), as_bool("tree", tree)
        self.game = game if isinstance(game, Declaration) else game_class(game).declaration
        check_game(self.game)
        self.players, self.world_count = self.game.player_count(players), as_int("worlds", worlds, 1, MAX_WORLDS)
        self.actions, self.seed, self._by_deal = action_space(self.game), seed_number("seed", seed), by_deal
        self._threads = thread_count(threads)
        self._pool = ThreadPoolExecutor(self._threads)
        self._readers = dict[int, EvidenceReader]()
        self._move = cache(partial(self.actions.move, players=self.players))
        self._seats = PlayoutSeats.of(self.game, self.players, own, others)
        self._accepted = np.array(ACCEPTED, np.int64)
        self.reward = Reward.named(self.game, rewards)
        self._trees = Trees(self.world_count, len(self.actions)) if tree else None
        self._plan = self._seats.plan(self.game, self.players, self.reward, tree)
        self._table_type = self._plan.loops.table_type
        self._search: Any = None
        self._infer: Any = None
        if infer and self._plan.policies[0].choices:
            self._infer = inferring(self._plan).code(notify)
        else:
            self._search = searching(self._plan).code(notify)

    def _make(self, made: dict[str, Any]) -> None:
        Search.__init__(self, **made)

    def prepare(self) -> None:
        """Compile also what deals hidden cards without inference, so that no decision waits for that."""
        if self._search is None:
            self._search = searching(self._plan).code()

    def best(self, game: Game, seconds: float | None = None) -> Found:
        """Return the best move of the player who acts in the stepped game `game`.

        seconds: search about so long instead, with at most `worlds` worlds; the result then depends on the machine.
        Raises ValueError where no player chooses, for a game of another kind or with another number of players, and for
        a negative time.
        """
        legal = self._legal_actions(game)
        if seconds is not None and (seconds := real("seconds", seconds)) < 0:
            raise ValueError(f"seconds: {seconds:g} is negative; use 0 or more")
        counted = Counted([0] * len(self.actions), 0)
        if len(legal) > 1:
            with self._trees.one() if self._trees else nullcontext() as tree:
                evidence = self._evidence(game)
                if seconds is None:
                    counted = self._counted(game, evidence, self.world_count, tree)
                else:
                    counted = self._timed(game, evidence, seconds, tree)
        good = counted.good or counted.wins
        ranked = sorted(legal, key=lambda action: -good[action])
        values = [counted.value(action, self._move(action, game.player), self.reward) for action in ranked]
        return Found(values[0].move, tuple(values), counted.differing)

    def worlds(self, game: Game, count: int, seed: int = 0) -> list[Game]:
        """Return games that the player who acts in `game` cannot tell from it: the hidden cards are dealt differently.

        Where the ways of all cards can be followed, each has a past in which this player has seen the same, and worlds
        are likely in which the others' policy would have made their moves. Otherwise each is a position without a past.
        count: how many. seed: another one gives other worlds. Raises ValueError where no player chooses, and for a game
        of another kind.
        """
        self._legal_actions(game)
        count, seed = as_int("count", count, 1, MAX_WORLDS), seed_number("seed", seed)
        saved = np.zeros((count, self._table_type.itemsize), np.uint8)
        if evidence := self._evidence(game):
            found = self._inferred(game, evidence, count, 0, None, seed=seed, saved=saved)
            if found.worlds == count:
                return [played_again(game, table) for table in saved_tables(game, saved, seed)]
        self._sample(self._standing(game), count, 0, self._means(seed=seed, saved=saved))
        return [standing(game, table) for table in saved_tables(game, saved, seed)]

    def choose(self, batch: Batch) -> Array:
        """Return the best action of each game of `batch`, without inference, shape (slots,). Raises ValueError."""
        _, _, good = self._searched(batch)
        return np.where(batch.masks == 1, good, NONE).argmax(axis=1)  # type: ignore[no-any-return]

    def wins(self, batch: Batch) -> Array:
        """Return in how many worlds each action of each game of `batch` wins, or what it gains in them.

        Without inference, shape (slots, actions). With a tree, of the games in which it tried the action (`visits`).

        Zeros where only one action is legal. Raises ValueError for a batch of another game.
        """
        return self._searched(batch)[1]

    def visits(self, batch: Batch) -> Array:
        """Return in how many games the search tries each action of each game of `batch`, shape (slots, actions).

        A tree tries good actions more often; without one each legal action is tried once in each world. Zeros where
        only one action is legal. Raises ValueError for a batch of another game.
        """
        return self._searched(batch)[0]

    def _searched(self, batch: Batch) -> tuple[Array, Array, Array]:
        """How often each action of each game was tried, what it gained, and how good it is."""
        of_type("batch", batch, Batch, "a Batch")
        self._check_game(batch.kind.declaration, batch.players)
        if (trees := self._trees) is None:
            masks = batch.masks.astype(np.int64)
            tried = np.where(masks.sum(axis=1, keepdims=True) > 1, masks * self.world_count, 0)
            wins = self._dealt(self._with_room(*batch.standing), self.world_count, 0)
            return tried, wins, wins
        tried, wins = np.zeros((2, batch.slots, len(self.actions)), np.int64)
        good = np.zeros((batch.slots, len(self.actions)))

        def work(first: int, end: int) -> None:
            with trees.one() as tree:
                for row in range(first, end):
                    tree.clear()
                    rows = Standing._make(array[row : row + 1] for array in self._with_room(*batch.standing))
                    self._grown(rows, self.world_count, 0, tree)
                    tried[row], wins[row], good[row] = tree.root()

        self._in_threads(work, batch.slots, self.world_count * batch.slots)
        return tried, wins, good

    def _legal_actions(self, game: Game) -> list[int]:
        """The numbers of the legal actions. Raises ValueError for another game, and where no player chooses."""
        of_type("game", game, Game, "a stepped game")
        self._check_game(game.declaration, game.players)
        if not (legal := self.actions.legal(game)):
            where = f"no player chooses at {game.position()}; use a position in which one does"
            raise ValueError(f"{self.game.name}: {where}")
        return legal

    def _check_game(self, game: Declaration, players: int) -> None:
        """Raise ValueError for another game than that whose tables the machine code reads."""
        if (game is not self.game and game != self.game) or players != self.players:
            own = f"{self.game.name} with {self.players} players, and the same rules"
            raise ValueError(f"a game of {game.name} with {players} players; use {own}")

    # ---------------------------------------------------------------- worlds

    def _counted(
        self, game: Game, evidence: Evidence | None, worlds: int, tree: SearchTree | None, part: int = 0
    ) -> Counted:
        """What each action gains. tree: through which games are played. part: another one has other worlds."""
        if evidence:
            counted = self._inferred(game, evidence, worlds, part, tree)
            if counted.worlds >= LEAST * worlds:
                return counted
            if tree and part == 0:
                tree.clear()
        if tree:
            return self._grown(self._standing(game), worlds, part, tree)
        wins = self._dealt(self._standing(game), worlds, part)
        return Counted(wins[0].tolist(), worlds)

    def _evidence(self, game: Game) -> Evidence | None:
        """What the player who acts has seen; None where nothing is inferred.

        Readers go on where they have come to, each in one thread at a time.
        """
        if not self._infer:
            return None
        seat = game.player - 1
        reader = self._readers.pop(seat, None)
        if reader is None or not reader.goes_on(game):
            reader = EvidenceReader(game)
        evidence = reader.read(game)
        self._readers[seat] = reader
        return evidence

    def _timed(self, game: Game, evidence: Evidence | None, seconds: float, tree: SearchTree | None) -> Counted:
        """The same with as many worlds as there is time for, and at least some."""
        compiled, start = self._search, time.monotonic()
        counted = self._counted(game, evidence, min(TRIED, self.world_count), tree)
        if self._search is not compiled:  # which takes none of the time
            if tree:
                tree.clear()
            return self._timed(game, evidence, seconds, tree)
        spent = time.monotonic() - start
        more = min(int(TRIED * (seconds - spent) / spent), self.world_count - TRIED)
        return self._counted(game, evidence, more, tree, part=1) if more > TRIED else counted

    def _inferred(
        self,
        game: Game,
        evidence: Evidence,
        worlds: int,
        part: int,
        tree: SearchTree | None,
        *,
        seed: int = 0,
        saved: Array | None = None,
    ) -> Counted:
        """The wins in worlds that agree with what was seen. saved: room for their tables, if these alone are wanted."""
        items, laid, pool, decisions = evidence.rows()
        is_played = items[:, 2] >= 0
        played, undrawn = is_played.nonzero()[0], (~is_played).nonzero()[0]
        start = self._record(game, evidence.start)[0]
        rows = CHAINS if saved is None else 1
        wins, sums = np.zeros((rows, len(self.actions)), np.int64), np.zeros((rows, 2), np.int64)
        none = np.zeros((0, 1), np.int64), np.zeros((0, 1), np.uint8)
        notes, discarded = self._noted(game) if self._plan.keeps_notes else none
        phase, head, seat = self.game.phase_numbers[game.phase], game.table.head, game.player - 1
        hidden = items, played, undrawn, laid, pool, decisions
        seen = SeenGame(start, evidence.phase, *hidden, self._accepted, phase, head, seat)
        chains = WorldChains(notes, discarded, wins, sums, part, worlds)

        def work(first: int, end: int) -> None:
            self._infer(seen, chains, self._means(tree, seed, saved), first, end)

        self._in_threads(work, rows, worlds, one=tree is not None)
        found, differing = sums.sum(axis=0).tolist()
        if tree:
            return self._of_tree(tree, found, differing / max(found, 1))
        return Counted(wins.sum(axis=0).tolist(), found, differing / max(found, 1))

    def _dealt(self, standing: Standing, worlds: int, part: int) -> Array:
        """How many worlds the legal actions of each table win in which hidden cards are dealt again."""
        self.prepare()

        def work(first: int, end: int) -> tuple[int, Array]:
            rows = self._with_room(*standing[:4])
            return self._search(rows, self._means(), part * MAX_WORLDS + first, end - first), rows.wins

        stuck, wins = zip(*self._in_threads(work, worlds, worlds * len(standing.phases)), strict=True)
        self._check_stuck(standing, max(stuck))
        return np.sum(wins, axis=0)  # type: ignore[no-any-return]

    def _grown(self, standing: Standing, worlds: int, part: int, tree: SearchTree) -> Counted:
        """What each action of one table gains in a tree."""
        self._sample(standing, worlds, part, self._means(tree))
        return self._of_tree(tree, worlds)

    @staticmethod
    def _of_tree(tree: SearchTree, worlds: int, differing: float | None = None) -> Counted:
        """What each action gained in a tree that has grown in some worlds."""
        tried, gained, good = (row.tolist() for row in tree.root())
        return Counted(gained, worlds, differing, tried, good)

    def _sample(self, standing: Standing, worlds: int, part: int, means: PlayoutMeans) -> None:
        """Deal hidden cards of one table again, and play or save these worlds."""
        self.prepare()
        self._check_stuck(standing, self._search(standing, means, part * MAX_WORLDS, worlds))

    def _check_stuck(self, standing: Standing, row: int) -> None:
        """Raise StuckError for a row, if it is one."""
        if row >= 0:
            raise StuckError(self.game, int(standing.tables.view(self._table_type)["number"][row, 0]))

    def _in_threads(self, work: Callable[[int, int], T], parts: int, worlds: int, one: bool = False) -> list[T]:
        """What `work` returns for each range of the parts: `one`, one for each thread, or one if there are few worlds.

        Many are left to other threads, for one that is in machine code handles no Ctrl-C.
        """
        if worlds <= SHORT:
            return [work(0, parts)]
        threads = 1 if one else min(self._threads, parts)
        ends = [parts * each // threads for each in range(threads + 1)]
        return list(self._pool.map(work, ends, ends[1:]))

    # ---------------------------------------------------------------- arrays

    def _standing(self, game: Game) -> Standing:
        """A stepped game, as arrays with one row."""
        phases = np.array([self.game.phase_numbers[game.phase]], np.int64)
        return self._with_room(self._record(game, game.layout.take(game.table)), phases, *self._noted(game))

    def _with_room(self, tables: Array, phases: Array, notes: Array, discarded: Array) -> Standing:
        shape = len(phases), len(self.actions)
        return Standing(tables, phases, notes, discarded, np.zeros(shape, np.uint8), np.zeros(shape, np.int64))

    def _noted(self, game: Game) -> tuple[Array, Array]:
        """The notes and the discarded cards of a stepped game, as arrays with one row."""
        notes, discarded = notes_of_game(game)
        if not self._by_deal:
            notes[CHOSEN] = sum(is_seen_to_choose(game, step, game.player - 1) for step in game.history)
        return np.array([notes], np.int64), np.frombuffer(bytes(discarded), np.uint8).reshape(1, -1).copy()

    def _means(self, tree: SearchTree | None = None, seed: int = 0, saved: Array | None = None) -> PlayoutMeans:
        """By what worlds are played out, with memory of its own. seed: another one gives other worlds."""
        return self._seats.means(self.seed ^ seed, tree.workspace if tree else None, saved)

    def _record(self, game: Game, snapshot: Snapshot) -> Array:
        """The table of a snapshot as bytes, in an array with one row."""
        record = np.frombuffer(game.layout.packed(snapshot), self._table_type)
        for field in UNSEEN if not self._by_deal else ():
            record[field] = 0
        return record.view(np.uint8).reshape(1, -1)
