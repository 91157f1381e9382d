"""Millions of games a second: decks dealt, played and counted by the compiled kernel, on all cores.

from fsm import bulk
decks = bulk.deal(players=3, games=1_000_000, seed=7)
results = bulk.play(3, decks)
totals = bulk.total(players=3, games=1_000_000_000, seed=7)     # nothing stored
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from fsm.compiler import Plan
from fsm.games import game_class
from fsm.kernel import checker_of, dealer_of, kernel_of, require_numba
from fsm.setting import full_deck
from rules.chance import SEED_LIMIT
from rules.ending import Ending

if TYPE_CHECKING:
    import numpy as np

    from fsm.arcs import Arc, Declaration

    Array = np.ndarray[Any, Any]

CHUNK = 1 << 16
"""Games that one thread plays at a time when they are only totalled."""
Say = Callable[[str], None]


def result_type() -> np.dtype[Any]:
    """One game's result: ending (rules.ending), winner (seat from 0, -1 for none), turns, cards laid (with the opening
    card) and taken, reshuffles, and the trail, a 32-bit hash of the laid cards.
    """
    import numpy as np

    counts = [(name, np.int32) for name in ("turns", "laid", "taken", "reshuffles")]
    return np.dtype([("ending", np.int8), ("winner", np.int8), *counts, ("trail", np.uint32)], align=True)


@dataclass(frozen=True)
class Results:
    """What happened in each of many games, a row a game.

    games: an array of `result_type`. scores: points by game and seat. tables: the final tables, if they were kept.
    fired, used: how often each arc was fired and each decision rule used in all games, if it was counted.
    """

    games: Array
    scores: Array
    fired: Mapping[Arc, int] | None = None
    used: Mapping[str, int] | None = None
    tables: Array | None = None
    log: Array | None = None
    log_ends: Array | None = None

    def __len__(self) -> int:
        return len(self.games)


class Totals(NamedTuple):
    """Sums over many games. wins, points: by seat. reshuffled: games with a reshuffle."""

    games: int
    endings: Mapping[str, int]
    wins: tuple[int, ...]
    points: tuple[int, ...]
    turns: int
    laid: int
    taken: int
    reshuffles: int
    reshuffled: int
    longest: int
    fired: Mapping[Arc, int]
    used: Mapping[str, int]


def deal(players: int, games: int, seed: int, first: int = 0, game: str = "maumau") -> Array:
    """The decks of games `first`, `first` + 1, ... of `seed`: an array of card codes, shape (games, cards), bytes.

    Row k is the deck of `MauMau.deal(players, seed, first + k)`. Raises ValueError for numbers out of range,
    BulkMissing without numba.
    """
    require_numba()
    import numpy as np

    declaration = game_class(game).declaration
    _check(declaration, players, games, seed, first)
    decks = np.empty((games, declaration.deck_size), np.uint8)
    dealer_of(declaration)(decks, players, seed, first)
    return decks


def play(
    players: int,
    decks: Array,
    policies: Sequence[str] = (),
    *,
    seed: int = 0,
    first: int = 0,
    threads: int | None = None,
    tally: bool = False,
    log: bool = False,
    game: str = "maumau",
    say: Say | None = None,
) -> Results:
    """Play one game with each row of `decks`: card codes, shape (games, cards), bytes, the top card first.

    policies: one name for all seats or one for each. seed, first: the dice of random players; row k rolls those of
    game `first` + k. tally: count arcs and decision rules. log: keep every event and the final tables.
    say: is told when a kernel has to be compiled. Raises ValueError for decks or policies that do not fit.
    """
    require_numba()
    import numpy as np

    declaration = game_class(game).declaration
    decks = _rows(declaration, np.asarray(decks))
    _check(declaration, players, len(decks), seed, first)
    _check_decks(declaration, decks)
    batch = _Batch(declaration, players, policies, seed, tally, log, say)
    return batch.play(decks, first, len(decks), threads)


def play_dealt(
    players: int,
    games: int,
    seed: int,
    first: int = 0,
    policies: Sequence[str] = (),
    *,
    threads: int | None = None,
    tally: bool = False,
    log: bool = False,
    game: str = "maumau",
    say: Say | None = None,
) -> Results:
    """Deal and play games `first`, `first` + 1, ... of `seed` without storing their decks; else like `play`."""
    require_numba()
    declaration = game_class(game).declaration
    _check(declaration, players, games, seed, first)
    batch = _Batch(declaration, players, policies, seed, tally, log, say)
    return batch.play(None, first, games, threads)


def total(
    players: int,
    games: int,
    seed: int,
    first: int = 0,
    policies: Sequence[str] = (),
    *,
    threads: int | None = None,
    tally: bool = True,
    game: str = "maumau",
    say: Say | None = None,
) -> Totals:
    """Deal, play and count games; memory does not grow with their number. tally: count arcs and decision rules too."""
    require_numba()
    declaration = game_class(game).declaration
    _check(declaration, players, games, seed, first)
    batch = _Batch(declaration, players, policies, seed, tally, log=False, say=say)
    return batch.total(first, games, threads)


class _Batch:
    """Games of one kind and one choice of policies: the kernel and what it is called with."""

    def __init__(
        self,
        game: Declaration,
        players: int,
        policies: Sequence[str],
        seed: int,
        tally: bool,
        log: bool,
        say: Say | None,
    ) -> None:
        import numpy as np

        chosen = [game.policy(name) for name in game_class(game.name).seated(players, policies)]
        distinct = tuple(policy for policy in game.policies if policy in chosen)
        self.plan = Plan(game, distinct, tally=tally or log, log=log, watch=log)
        self.say = say
        self.players, self.seed = players, seed
        self.seats = np.array([distinct.index(policy) for policy in chosen], np.int64)
        self.kernel = kernel_of(self.plan, say)

    def play(self, decks: Array | None, first: int, games: int, threads: int | None) -> Results:
        """Play games and keep what happened in each."""
        import numpy as np

        results, scores = np.zeros(games, result_type()), np.zeros((games, self.players), np.int32)
        if self.plan.log:
            return self._logged(decks, first, results, scores)
        counts = [self._counts() for _ in _parts(games, threads)]

        def part(place: int, start: int, end: int) -> None:
            rows = _NO_DECKS() if decks is None else decks[start:end]
            self._call(rows, first + start, results[start:end], scores[start:end], *counts[place])

        _each(part, _parts(games, threads))
        fired, used = self._counts()
        for part_fired, part_used in counts:
            fired += part_fired
            used += part_used
        return Results(results, scores, *self._named(fired, used))

    def total(self, first: int, games: int, threads: int | None) -> Totals:
        """Play games and keep the sums."""
        parts = _parts(games, threads)
        sums = [_Sums(self) for _ in parts]

        def part(place: int, start: int, end: int) -> None:
            for at in range(start, end, CHUNK):
                sums[place].add(first + at, min(CHUNK, end - at))

        _each(part, parts)
        whole = _Sums(self)
        for each in sums:
            whole.join(each)
        return whole.totals()

    def _call(self, decks: Array, first: int, results: Array, scores: Array, fired: Array, used: Array) -> None:
        """Play games into `results` and `scores`, counting into `fired` and `used`."""
        nothing = _no_log(self.plan.game)
        self.kernel(decks, self.seed, first, self.players, self.seats, results, scores, fired, used, *nothing)
        for place in (results["ending"] <= Ending.RUNNING).nonzero()[0].tolist():
            if results["ending"][place] < 0:
                raise self._stuck(decks, first, place)
            self._finish(decks, first, place, results, scores, fired, used)

    def _stuck(self, decks: Array, first: int, place: int) -> Exception:
        """Why a game could not go on: its deck cannot be dealt, or the declaration has a hole."""
        try:
            game_class(self.plan.game.name).of_deck(self.players, bytes(decks[place]) if len(decks) else b"")
        except ValueError as error:
            return ValueError(f"deck {place}: {error}")
        except IndexError:
            pass
        return RuntimeError(f"{self.plan.game.name}: no arc was enabled in game {first + place}")

    def _finish(
        self, decks: Array, first: int, place: int, results: Array, scores: Array, fired: Array, used: Array
    ) -> None:
        """Play a game that was left running again, watched for the return of a position.

        What was counted of its beginning is counted back.
        """
        row = slice(place, place + 1)
        where = decks[row], self.seed, first + place, self.players, self.seats, results[row], scores[row]
        if self.plan.tally:
            begun = self._counts()
            self.kernel(*where, *begun, *_no_log(self.plan.game))
            fired -= begun[0]
            used -= begun[1]
        kernel_of(replace(self.plan, watch=True), self.say)(*where, fired, used, *_no_log(self.plan.game))

    def _logged(self, decks: Array | None, first: int, results: Array, scores: Array) -> Results:
        """Play with every event kept; the log grows until all fit."""
        import numpy as np

        from fsm.tabletype import table_dtype

        tables = np.zeros(len(results), table_dtype(self.plan.game.table))
        ends = np.zeros(len(results), np.int64)
        rows = 256 * len(results)
        while True:
            fired, used = self._counts()
            log = np.zeros((rows, 5), np.int16)
            given = _NO_DECKS() if decks is None else decks
            arrays = (results, scores, fired, used, log, ends, tables)
            self.kernel(given, self.seed, first, self.players, self.seats, *arrays)
            needed = int(ends[-1]) if len(ends) else 0
            if needed <= rows:
                return Results(results, scores, *self._named(fired, used), tables, log[:needed], ends)
            rows = needed

    def _counts(self) -> tuple[Array, Array]:
        """Counters of arcs and rules for one thread, with room around them: no cache line is shared."""
        import numpy as np

        arcs, rules = len(self.plan.game.arcs), len(self.plan.rules)
        block = np.zeros(arcs + rules + 32, np.int64)
        return block[16 : 16 + arcs], block[16 + arcs : 16 + arcs + rules]

    def _named(self, fired: Array, used: Array) -> tuple[Mapping[Arc, int] | None, Mapping[str, int] | None]:
        if not self.plan.tally:
            return None, None
        arcs = dict(zip(self.plan.game.arcs, map(int, fired), strict=True))
        return arcs, dict(zip(self.plan.rules, map(int, used), strict=True))


class _Sums:
    """The sums of one thread."""

    def __init__(self, batch: _Batch) -> None:
        import numpy as np

        self.batch = batch
        self.fired, self.used = batch._counts()
        self.results = np.zeros(CHUNK, result_type())
        self.scores = np.zeros((CHUNK, batch.players), np.int32)
        self.games = self.reshuffled = self.longest = 0
        self.endings = np.zeros(len(Ending), np.int64)
        self.wins = np.zeros(batch.players, np.int64)
        self.points = np.zeros(batch.players, np.int64)
        self.sums = np.zeros(4, np.int64)

    def add(self, first: int, games: int) -> None:
        """Play `games` games from number `first` on and add them up."""
        import numpy as np

        results, scores = self.results[:games], self.scores[:games]
        self.batch._call(_NO_DECKS(), first, results, scores, self.fired, self.used)
        self.games += games
        self.endings += np.bincount(results["ending"], minlength=len(Ending))
        winners = results["winner"]
        self.wins += np.bincount(winners[winners >= 0], minlength=self.batch.players)
        self.points += scores.sum(axis=0)
        self.sums += [int(results[name].sum(dtype=np.int64)) for name in ("turns", "laid", "taken", "reshuffles")]
        self.reshuffled += int(np.count_nonzero(results["reshuffles"]))
        self.longest = max(self.longest, int(results["turns"].max(initial=0)))

    def join(self, other: _Sums) -> None:
        """Take over another thread's sums."""
        for name in ("fired", "used", "games", "reshuffled", "endings", "wins", "points", "sums"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.longest = max(self.longest, other.longest)

    def totals(self) -> Totals:
        """The sums by name."""
        fired, used = self.batch._named(self.fired, self.used)
        turns, laid, taken, reshuffles = map(int, self.sums)
        return Totals(
            games=self.games,
            endings={str(ending): int(self.endings[ending]) for ending in Ending if ending != Ending.RUNNING},
            wins=tuple(map(int, self.wins)),
            points=tuple(map(int, self.points)),
            turns=turns,
            laid=laid,
            taken=taken,
            reshuffles=reshuffles,
            reshuffled=self.reshuffled,
            longest=self.longest,
            fired=fired or {},
            used=used or {},
        )


def no_games(plan: Plan) -> tuple[Any, ...]:
    """Arguments of a kernel for no game at all: calling it with them compiles it."""
    import numpy as np

    arcs, rules = np.zeros(len(plan.game.arcs), np.int64), np.zeros(len(plan.rules), np.int64)
    results, scores = np.zeros(0, result_type()), np.zeros((0, 2), np.int32)
    seats = np.zeros(2, np.int64)
    return _NO_DECKS(), 0, 0, 2, seats, results, scores, arcs, rules, *_no_log(plan.game)


def _no_log(game: Declaration) -> tuple[Array, Array, Array]:
    import numpy as np

    from fsm.tabletype import table_dtype

    return np.zeros((0, 5), np.int16), np.zeros(0, np.int64), np.zeros(0, table_dtype(game.table))


def _NO_DECKS() -> Array:  # noqa: N802
    import numpy as np

    return np.zeros((0, 0), np.uint8)


def _parts(games: int, threads: int | None) -> list[tuple[int, int]]:
    """Cut a number of games into one range a thread."""
    if threads is not None and threads < 1:
        raise ValueError(f"{threads} threads, expected at least 1")
    wanted = min(threads or len(os.sched_getaffinity(0)), games)
    return [(games * place // wanted, games * (place + 1) // wanted) for place in range(wanted)]


def _each(work: Callable[[int, int, int], None], parts: list[tuple[int, int]]) -> None:
    """Do the parts, each in a thread of its own if there are several."""
    if len(parts) == 1:
        work(0, *parts[0])
        return
    with ThreadPoolExecutor(max(len(parts), 1)) as pool:
        for done in [pool.submit(work, place, *part) for place, part in enumerate(parts)]:
            done.result()


def _check(game: Declaration, players: int, games: int, seed: int, first: int) -> None:
    """Raise ValueError for numbers out of range."""
    if not game.words.fewest <= players <= game.words.most:
        raise ValueError(f"{players} players, expected {game.words.fewest} to {game.words.most}")
    if games < 0:
        raise ValueError(f"{games} games, expected none or more")
    for what, number in (("seed", seed), ("first", first), ("the last game", first + games - 1 if games else 0)):
        if not 0 <= number < SEED_LIMIT:
            raise ValueError(f"{what} {number} is out of range, expected 0 to {SEED_LIMIT - 1}")


def _rows(game: Declaration, decks: Array) -> Array:
    """The decks as rows of bytes. Raises ValueError for what cannot be that."""
    import numpy as np

    if decks.ndim != 2 or decks.shape[1] != game.deck_size:
        raise ValueError(f"decks of shape {decks.shape}, expected (games, {game.deck_size})")
    if decks.dtype.kind not in "iu":
        raise ValueError(f"decks of {decks.dtype}, expected whole numbers: card codes")
    beyond = ((decks < 0) | (decks > 255)).any(axis=1) if decks.dtype != np.uint8 else np.zeros(0, bool)
    if beyond.any():
        raise ValueError(f"deck {int(beyond.argmax())} is not the whole deck of {game.deck_size} cards")
    return np.ascontiguousarray(decks, np.uint8)


def _check_decks(game: Declaration, decks: Array) -> None:
    """Raise ValueError for a row that is not the whole deck.

    Each card code has a random weight of 56 bits; a wrong deck weighs the same as the right one once in 2**56.
    """
    import numpy as np

    weights = np.random.default_rng(seed=1).integers(2**56, size=256)
    whole = int(weights[np.frombuffer(full_deck(game), np.uint8)].sum())
    wrong = checker_of(game)(decks, weights, whole)
    if wrong >= 0:
        raise ValueError(f"deck {wrong} is not the whole deck of {game.deck_size} cards")
