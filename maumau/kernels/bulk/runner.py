"""Runs a kernel over many games or matches and returns a row for each, or totals, in one thread or several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any

from fsm.declaration.chain import Counter
from fsm.declaration.declaration import Declaration
from fsm.declaration.endless import LongGameError, StuckError
from fsm.edge.arrays import allocate
from fsm.edge.numbers import Array, Notify, as_bool, check_notify, np
from fsm.match.setup import unit_of
from fsm.table.layout import layout_of
from maumau.kernels.bulk.by_value import CountedByValue, added_rows
from maumau.kernels.bulk.chunks import CHUNK, chunk_size, decks_of, each_chunk, worker_count
from maumau.kernels.bulk.counts import KernelCounts, totals_of
from maumau.kernels.bulk.lanes import CHUNK as LANE_CHUNK
from maumau.kernels.bulk.lanes import MIN_GAMES, LanePlayer, Player, Rows, Scalar, writable
from maumau.kernels.bulk.logged import LoggedResults, with_room
from maumau.kernels.compiled.ends import STUCK, PositionRoom
from maumau.kernels.compiled.loop import BEYOND
from maumau.kernels.compiled.series import GivenDecks, KeptRounds, SeriesRows
from maumau.kernels.compiled.turns import NO_RULE
from maumau.kernels.compiler.machine_code import NativeCode, machine_code
from maumau.kernels.compiler.program import (
    COLUMNS,
    KernelPlan,
    Results,
    Totals,
    blank_rows,
)
from maumau.kernels.compiler.source import dealing, playing, rooms
from maumau.kernels.lanes.kernel import LaneKernel, lane_kernel
from maumau.kernels.lanes.request import Request, UntraceableError
from rules.ending import Ending
from rules.errors import Explained, raised_as

if TYPE_CHECKING:
    from threading import Event


FEW = 1 << 10
"""Games in lanes that are played before another thread has started."""
LEAST, MOST = -(1 << 31), (1 << 31) - 1
"""The bounds of a score in results."""


class ScoreError(Explained, ValueError):
    """A score does not fit in the 32 bits that the results of many games have for it."""

    def __init__(self, where: str, seat: int, score: int) -> None:
        """where: the game or match, by its number. seat: from 0."""
        super().__init__(
            f"{where}: player {seat + 1} has {score:,} points, which is not within {LEAST:,} to {MOST:,};"
            " count in larger units, or step such games one by one"
        )


def check_scores(where: str, scores: Sequence[int]) -> None:
    """Raise ScoreError for a score that does not fit. where: the game or match, by its number. scores: by seat."""
    for seat, score in enumerate(scores):
        if not LEAST <= score <= MOST:
            raise ScoreError(where, seat, score)


def check_score(game: Declaration, number: int, row: Any, unit: str = "game") -> None:
    """Raise ScoreError for the row of a game or match whose score does not fit."""
    if row["ending"] == BEYOND:
        score = int(row["laid"]) << 32 | int(row["turns"]) & 0xFFFFFFFF
        raise ScoreError(f"{game.name}: {unit} {number}", int(row["winner"]), score)


def check_over(game: Declaration, number: int, row: Any) -> None:
    """Raise StuckError or LongGameError for the row of a game that is not over."""
    if row["ending"] == STUCK:
        raise StuckError(game, number)
    if row["ending"] == Ending.RUNNING:
        raise LongGameError(game.name, number)


@contextmanager
def of_decks(game: Declaration, players: int, deck_of: Callable[[int], tuple[str, Sequence[int]]]) -> Iterator[None]:
    """Raise ValueError in place of StuckError for a deck that must not be dealt.

    players: how many. deck_of: the deck of a game by its number, with what it is called.
    """
    try:
        yield
    except StuckError as stuck:
        from fsm.stepping.game import game_of

        name, deck = deck_of(stuck.number)
        with raised_as(ValueError, f"{name}: "):
            game_of(game).of_deck(players, deck)
        raise


def of_seed(game: Declaration, players: int, seed: int) -> AbstractContextManager[None]:
    """Return the context of `of_decks` for the decks of a seed. players: how many."""
    return of_decks(game, players, lambda number: (f"game {number}", game.shuffled_deck(players, seed, number)))


FIRST_FEW = 32
"""Matches that are played to find how many rounds the others have, about."""
ROUNDS = 1 << 14
"""Rounds of matches that one thread plays at a time, about: nothing can interrupt it meanwhile."""


class Runner:
    """Games, or matches, of one kind and one choice of policies: the kernel and what it is called with.

    target: of the matches; None for games.
    """

    def __init__(
        self,
        game: Declaration,
        players: int,
        policies: Sequence[str],
        seed: int,
        tally: bool,
        log: bool,
        notify: Notify | None,
        target: int | None = None,
    ) -> None:
        tally, log = as_bool("tally", tally), as_bool("log", log)
        check_notify(notify)
        self.chosen = game.seated(players, policies, compiled=True)
        distinct = tuple(policy for policy in game.policies if policy in self.chosen)
        self.plan = KernelPlan(game, distinct, tally=tally and not log, log=log, matches=target is not None)
        self.notify = notify
        self.players, self.seed, self.target = players, seed, target

    @cached_property
    def seats(self) -> Array:
        """The number of the policy of each seat."""
        return np.array(self.numbers, np.int64)

    @property
    def numbers(self) -> list[int]:
        """The number of the policy of each seat, among those of the plan."""
        return [self.plan.policies.index(policy) for policy in self.chosen]

    @cached_property
    def kernel(self) -> NativeCode:
        """The scalar kernel."""
        return machine_code(playing(self.plan), self.notify)

    def prepare(self, games: int, dealing: bool = True) -> LaneKernel | None:
        """Make the kernel that plays so many games: the lanes, which are returned, or the scalar kernel, by which all
        matches are played.

        dealing: whether decks are to be dealt.
        """
        plan = self.plan
        if games >= MIN_GAMES and not (plan.log or plan.matches):
            with suppress(UntraceableError):
                return lane_kernel(Request(plan.game, self.players, plan.policies, plan.tally, dealing), self.notify)
        self.kernel  # noqa: B018
        return None

    def prepare_dealing(self, games: int) -> None:
        """Compile the program that deals, where lanes play so many games: they leave it one deck in some thousands."""
        if games >= MIN_GAMES:
            machine_code(dealing(self.plan.game), self.notify)

    def play(
        self,
        decks: Array | None,
        first: int,
        games: int,
        threads: int | None,
        stop: Event | None = None,
        into: Results | None = None,
    ) -> Results:
        """Play games, or matches, which are dealt, and keep the result of each.

        stop: ends the work early, from another thread. into: earlier results of as many games, whose arrays are used
        again. Raises Stopped, and WrongDeckError for a deck that is not the whole one, where it is played in lanes.
        """
        results, scores = blank_rows(games, self.players) if into is None else (into.games, into.scores)
        if self.plan.log:
            return self._logged(decks, first, results, scores)
        rows = Rows(results, scores, np.zeros(games, np.int32) if self.plan.matches else None)

        def chunk(player: Player, start: int, end: int) -> None:
            given = None if decks is None else decks[start:end]
            player.rows(given, first + start, rows.part(slice(start, end)))

        players = self._players(chunk, games, threads, decks is None, stop, rows.rounds)
        return Results(results, scores, *self.named(joined([player.counts for player in players])), rounds=rows.rounds)

    def total(self, first: int, games: int, threads: int | None) -> Totals:
        """Play games and keep the sums."""
        players = self._players(lambda player, start, end: player.total(first + start, end - start), games, threads)
        counts = joined([player.total_counts() for player in players])
        return totals_of(self.plan.game, self.players, games, counts.words.tolist(), tally=self.plan.tally)

    def by_value(self, first: int, games: int, threads: int | None, stop: Event | None = None) -> CountedByValue | None:
        """Play games and count their results by value; None if lanes do not. stop: as of `play`."""
        kernel = self.prepare(games)
        if kernel is None or not kernel.counts_values:
            return None
        endings = np.zeros(games, np.uint8)

        def chunk(player: Player, start: int, end: int) -> None:
            assert isinstance(player, LanePlayer)
            player.by_value(first + start, endings[start:end])

        players = self._players(chunk, games, threads, stop=stop)
        found = reduce(added_rows, (player.values.histograms for player in players if isinstance(player, LanePlayer)))
        return CountedByValue(found, endings, *self.named(joined([player.counts for player in players])))

    def _players(
        self,
        work: Callable[[Player, int, int], None],
        games: int,
        threads: int | None,
        dealing: bool = True,
        stop: Event | None = None,
        rounds: Array | None = None,
    ) -> list[Player]:
        """A player for each thread, after all have worked on chunks of games (start, end).

        rounds: how many each match had, of those that were played: a first few tell how many are a chunk.
        """
        kernel = self.prepare(games, dealing)
        workers, most = worker_count(games, threads), LANE_CHUNK if kernel else CHUNK
        if kernel:
            workers = min(workers, -(-games // FEW))
        scalar = Scalar(self.plan.game, self.numbers, self.seed, self.plan.tally, self.call)
        size = chunk_size(games, workers, most)
        players = [LanePlayer(kernel, scalar, size) if kernel else Player(scalar) for _ in range(workers)]
        few = 0
        if rounds is not None:
            few = min(FIRST_FEW, games)
            work(players[0], 0, few)
            most = max(1, min(CHUNK, ROUNDS * few // max(1, int(rounds[:few].sum()))))
        each_chunk(
            lambda worker, start, end: work(players[worker], few + start, few + end), games - few, workers, stop, most
        )
        return players

    def call(self, decks: Array, first: int, into: Rows, counts: KernelCounts) -> None:
        """Play games, or matches, into rows. Raises what `check_over` does."""
        self._call(self.kernel, decks, first, into, counts, next(rooms(self.plan)))
        for index in (into.results["ending"] <= Ending.RUNNING).nonzero()[0].tolist():
            if self.plan.may_return and into.results["ending"][index] == Ending.RUNNING:
                self._play_again(decks[index : index + 1], first + index, into.part(slice(index, index + 1)), counts)
            self._check_over(first, into, index)

    def _call(
        self, kernel: NativeCode, decks: Array, first: int, into: Rows, counts: KernelCounts, room: PositionRoom
    ) -> None:
        """Call a kernel that keeps nothing of rounds."""
        kept = allocate(KeptRounds)
        given, numbers = GivenDecks(decks, kept.ends), (self.seed, first, self.seats, self.target or 0)
        kernel(given, *numbers, self._rows(into, counts), kept, room)

    def _rows(self, into: Rows, counts: KernelCounts) -> SeriesRows:
        """Where a kernel writes results and counts."""
        rounds = np.zeros(0, np.int32) if into.rounds is None else into.rounds
        return SeriesRows(into.results, into.scores, rounds, counts.fired, counts.used)

    def _check_over(self, first: int, into: Rows, index: int) -> None:
        """Raise ScoreError, and StuckError or LongGameError for the round in which no arc was enabled, or that seems to
        have no end. index: of the game or match.
        """
        number, result = first + index, into.results[index]
        unit, round = unit_of(self.target), 0 if into.rounds is None else int(into.rounds[index])
        check_score(self.plan.game, number, result, unit.one)
        check_over(self.plan.game, unit.deck_number(number, round), result)

    def _play_again(self, decks: Array, first: int, into: Rows, counts: KernelCounts) -> None:
        """Play what is unfinished with a kernel that detects repeated positions, with as much room as it needs.

        What was counted in the first attempt is subtracted from `counts`, that of the last one added.
        """
        if self.plan.tally:
            before = self.counts()
            self._call(self.kernel, decks, first, into, before, next(rooms(self.plan)))
            counts.change(before, -1)
        watching = machine_code(playing(replace(self.plan, repetition=True)), self.notify)
        for room in rooms(self.plan):
            again = self.counts()
            self._call(watching, decks, first, into, again, room)
            if self.had_room(into.results):
                break
        counts.change(again)

    def had_room(self, results: Array) -> bool:
        """Whether no game was left running for lack of room for its positions."""
        return not (self.plan.keeps_positions and (results["ending"] == Ending.RUNNING).any())

    def _logged(self, decks: Array | None, first: int, results: Array, scores: Array) -> Results:
        """Play with a log of all events, a chunk at a time."""
        tables = np.zeros(len(results), layout_of(self.plan.game).record)
        logs, ends, logged = [np.zeros((0, COLUMNS), np.int16)], np.zeros(len(results), np.int64), 0
        for start in range(0, len(results), CHUNK):
            part = slice(start, min(start + CHUNK, len(results)))
            games = self.plan.game, self.players, self.seed, first + start, part.stop - start
            kept = self.play_logged(decks_of(*games) if decks is None else decks[part], first + start)
            results[part], scores[part], tables[part] = kept.games, kept.scores, kept.tables
            for row in (results["ending"][part] == BEYOND).nonzero()[0].tolist():
                check_score(self.plan.game, first + start + row, results[start + row])
            ends[part] = logged + kept.log_ends
            logs.append(kept.log)
            logged += len(kept.log)
        log = np.concatenate(logs)
        return Results(results, scores, *self.logged(log), tables, log, ends)

    def play_logged(self, decks: Array, first: int, ends: Sequence[int] = ()) -> LoggedResults:
        """Play decks and keep every event. ends: where the decks of each match end. Raises StuckError, LongGameError,
        and for matches ScoreError.
        """
        counts, given = self.counts(), GivenDecks(writable(decks), np.array(ends, np.int64))
        numbers = self.seed, first, self.seats, self.target or 0
        matches = Rows(*blank_rows(len(ends), self.players), np.zeros(len(ends), np.int32))
        totals = np.zeros((len(decks) if self.plan.matches else 0, self.players), np.int32)

        def play(room: LoggedResults, positions: PositionRoom) -> tuple[int, bool]:
            into = matches if self.plan.matches else Rows(room.games, room.scores)
            kept = KeptRounds(room.log, room.log_ends, room.tables.view(np.uint8), room.games, room.scores, totals)
            self.kernel(given, *numbers, self._rows(into, counts), kept, positions)
            played = len(decks) if into.rounds is None else int(into.rounds.sum())
            return int(room.log_ends[:played].max(initial=0)), not self.had_room(into.results)

        rounds = with_room(self.plan, self.players, len(decks), play)
        if not self.plan.matches:
            for index in np.isin(rounds.games["ending"], (STUCK, Ending.RUNNING)).nonzero()[0].tolist():
                self._check_over(first, Rows(rounds.games, rounds.scores), index)
            return rounds
        for index in (matches.results["ending"] <= Ending.RUNNING).nonzero()[0].tolist():
            self._check_over(first, matches, index)
        series = Results(matches.results, matches.scores, rounds=matches.rounds)
        logged = replace(rounds, series=series, totals=totals)
        for index in range(len(ends)):
            for row in logged.rounds_of(index):
                check_score(self.plan.game, first + index, rounds.games[row], unit_of(self.target).one)
        return logged

    def counts(self) -> KernelCounts:
        """New counters for one thread."""
        return KernelCounts(self.plan.game, self.players)

    def named(self, counts: KernelCounts) -> tuple[Mapping[Counter, int] | None, Mapping[str, int] | None]:
        """Counts by counter and by decision rule; None if nothing was counted."""
        return counts.named if self.plan.tally else (None, None)

    def logged(self, log: Array) -> tuple[Mapping[Counter, int], Mapping[str, int]]:
        """The events of a log by arc and by decision rule."""
        arcs, rules = self.plan.game.arcs, self.plan.rules
        fired = np.bincount(log[:, 0], minlength=len(arcs)).tolist()
        used = np.bincount(log[:, 4][log[:, 4] != NO_RULE], minlength=len(rules)).tolist()
        return dict(zip(map(Counter, arcs), fired, strict=True)), dict(zip(rules, used, strict=True))


def rows_with_last(left: Sequence[int], decks: Array) -> Array:
    """Return decks with the cards `left` last, ascending; the same ones if there are none.

    decks: card codes, shape (games, cards).
    """
    if not left:
        return decks
    order = np.argsort(np.where(np.isin(decks, left), decks.astype(np.int16), -1), axis=1, kind="stable")
    return np.ascontiguousarray(np.take_along_axis(decks, order, axis=1))


def joined(counts: Sequence[KernelCounts]) -> KernelCounts:
    """The sums of the counters of all threads, in those of the first."""
    for each in counts[1:]:
        counts[0].change(each)
    return counts[0]
