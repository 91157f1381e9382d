"""Games played by a kernel: in rows or in sums, in one thread or several."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fsm.compiler import Plan
from fsm.games import game_class
from fsm.kernel import Say, kernel_of
from fsm.results import Results, Totals, result_type
from rules.ending import Ending

if TYPE_CHECKING:
    from fsm.arcs import Arc, Declaration
    from fsm.results import Array

CHUNK = 1 << 16
"""Games that one thread plays at a time when they are only totalled."""


class Batch:
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
        counts = [self.counts() for _ in _parts(games, threads)]

        def part(place: int, start: int, end: int) -> None:
            rows = no_decks() if decks is None else decks[start:end]
            self.call(rows, first + start, results[start:end], scores[start:end], *counts[place])

        _each(part, _parts(games, threads))
        fired, used = self.counts()
        for part_fired, part_used in counts:
            fired += part_fired
            used += part_used
        return Results(results, scores, *self.named(fired, used))

    def total(self, first: int, games: int, threads: int | None) -> Totals:
        """Play games and keep the sums."""
        parts = _parts(games, threads)
        sums = [Sums(self) for _ in parts]

        def part(place: int, start: int, end: int) -> None:
            for at in range(start, end, CHUNK):
                sums[place].add(first + at, min(CHUNK, end - at))

        _each(part, parts)
        whole = Sums(self)
        for each in sums:
            whole.join(each)
        return whole.totals()

    def call(self, decks: Array, first: int, results: Array, scores: Array, fired: Array, used: Array) -> None:
        """Play games into `results` and `scores`, counting into `fired` and `used`."""
        nothing = no_log(self.plan.game)
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
            begun = self.counts()
            self.kernel(*where, *begun, *no_log(self.plan.game))
            fired -= begun[0]
            used -= begun[1]
        kernel_of(replace(self.plan, watch=True), self.say)(*where, fired, used, *no_log(self.plan.game))

    def _logged(self, decks: Array | None, first: int, results: Array, scores: Array) -> Results:
        """Play with every event kept; the log grows until all fit."""
        import numpy as np

        from fsm.tabletype import table_dtype

        tables = np.zeros(len(results), table_dtype(self.plan.game.table))
        ends = np.zeros(len(results), np.int64)
        rows = 256 * len(results)
        while True:
            fired, used = self.counts()
            log = np.zeros((rows, 5), np.int16)
            given = no_decks() if decks is None else decks
            arrays = (results, scores, fired, used, log, ends, tables)
            self.kernel(given, self.seed, first, self.players, self.seats, *arrays)
            needed = int(ends[-1]) if len(ends) else 0
            if needed <= rows:
                return Results(results, scores, *self.named(fired, used), tables, log[:needed], ends)
            rows = needed

    def counts(self) -> tuple[Array, Array]:
        """Counters of arcs and rules for one thread, with room around them: no cache line is shared."""
        import numpy as np

        arcs, rules = len(self.plan.game.arcs), len(self.plan.rules)
        block = np.zeros(arcs + rules + 32, np.int64)
        return block[16 : 16 + arcs], block[16 + arcs : 16 + arcs + rules]

    def named(self, fired: Array, used: Array) -> tuple[Mapping[Arc, int] | None, Mapping[str, int] | None]:
        """Counts by arc and by decision rule; None if nothing was counted."""
        if not self.plan.tally:
            return None, None
        arcs = dict(zip(self.plan.game.arcs, map(int, fired), strict=True))
        return arcs, dict(zip(self.plan.rules, map(int, used), strict=True))


class Sums:
    """The sums of one thread."""

    def __init__(self, batch: Batch) -> None:
        import numpy as np

        self.batch = batch
        self.fired, self.used = batch.counts()
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
        self.batch.call(no_decks(), first, results, scores, self.fired, self.used)
        self.games += games
        self.endings += np.bincount(results["ending"], minlength=len(Ending))
        winners = results["winner"]
        self.wins += np.bincount(winners[winners >= 0], minlength=self.batch.players)
        self.points += scores.sum(axis=0)
        self.sums += [int(results[name].sum(dtype=np.int64)) for name in ("turns", "laid", "taken", "reshuffles")]
        self.reshuffled += int(np.count_nonzero(results["reshuffles"]))
        self.longest = max(self.longest, int(results["turns"].max(initial=0)))

    def join(self, other: Sums) -> None:
        """Take over another thread's sums."""
        for name in ("fired", "used", "games", "reshuffled", "endings", "wins", "points", "sums"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.longest = max(self.longest, other.longest)

    def totals(self) -> Totals:
        """The sums by name."""
        fired, used = self.batch.named(self.fired, self.used)
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
    return no_decks(), 0, 0, 2, seats, results, scores, arcs, rules, *no_log(plan.game)


def no_log(game: Declaration) -> tuple[Array, Array, Array]:
    """In place of the log, its ends and the tables, where none are kept."""
    import numpy as np

    from fsm.tabletype import table_dtype

    return np.zeros((0, 5), np.int16), np.zeros(0, np.int64), np.zeros(0, table_dtype(game.table))


def no_decks() -> Array:
    """In place of decks, where they are dealt by the kernel."""
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
