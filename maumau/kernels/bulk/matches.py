"""Runs a kernel over many matches and keeps a row for each match, in one thread or several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Event
from typing import TYPE_CHECKING

from fsm.declaration.endless import LongGameError
from fsm.match.setup import deck_number
from maumau.kernels.bulk.match_source import blank_matches, no_rounds, playing_matches
from maumau.kernels.bulk.runner import CHUNK, Runner, StuckError, each_chunk, worker_count, writable
from maumau.kernels.compiler import Plan
from maumau.kernels.compiler.machine_code import Notify, no_decks, numbers
from maumau.kernels.compiler.program import Program
from maumau.kernels.compiler.results import COLUMNS, Results, blank_rows
from maumau.kernels.compiler.returns import rooms
from rules.match import MatchEnding

if TYPE_CHECKING:
    from fsm.declaration.declaration import Declaration
    from maumau.kernels.compiler.native import NativeCode
    from maumau.kernels.compiler.results import Array

FIRST_FEW = 32
"""Matches that are played to find how many rounds the others have, about."""
ROUNDS_EACH = 8
"""Rounds of a match, about, before any was played."""
ROUNDS = 1 << 14
"""Rounds that one thread plays at a time, about: nothing can interrupt it meanwhile."""


@dataclass(frozen=True, kw_only=True)
class MatchResults(Results):
    """The results of many matches, one row for each match.

    games: an array of `result_type`: `ending` is a `rules.match.MatchEnding`, the measures are sums over the rounds.
    scores: the totals by match and seat. rounds: how many were played. each, each_totals: the results of all rounds,
    one match after another, and the totals after each, if they were kept.
    """

    rounds: Array
    each: Results | None = None
    each_totals: Array | None = None


class MatchRunner(Runner):
    """Matches of one game and one choice of policies: the kernel and what it is called with."""

    def __init__(
        self,
        game: Declaration,
        players: int,
        policies: Sequence[str],
        seed: int,
        target: int,
        tally: bool,
        log: bool,
        notify: Notify | None,
    ) -> None:
        self.target = target
        super().__init__(game, players, policies, seed, tally, log, notify)

    def prepare(self, games: int, dealing: bool = True) -> None:
        """Make the scalar kernel, by which all matches are played. games: how many matches."""
        self.kernel  # noqa: B018

    def program(self, plan: Plan) -> Program:
        """The program that plays matches by a plan; with a log, it finds repeated positions at once."""
        return playing_matches(replace(plan, repetition=plan.repetition or plan.log))

    def play(
        self,
        decks: Array | None,
        first: int,
        games: int,
        threads: int | None,
        stop: Event | None = None,
        into: Results | None = None,
    ) -> MatchResults:
        """Deal and play matches, and keep the result of each.

        stop: ends the work early, from another thread. Raises Stopped then. decks, into: none, see `play_decks`.
        """
        assert decks is None
        assert into is None
        self.prepare(games)
        results, totals, rounds = blank_matches(games, self.players)
        workers = worker_count(games, threads)
        counts = [self.counts() for _ in range(workers)]

        def chunk(worker: int, start: int, end: int) -> None:
            rows = results[start:end], totals[start:end], rounds[start:end]
            self._call_dealt(first + start, rows, counts[worker])

        few = min(FIRST_FEW, games)
        chunk(0, 0, few)
        most = max(1, min(CHUNK, ROUNDS * few // max(1, int(rounds[:few].sum()))))
        each_chunk(lambda worker, start, end: chunk(worker, few + start, few + end), games - few, workers, stop, most)
        return MatchResults(results, totals, *self.named(*self._joined(counts)), rounds=rounds)

    def play_decks(self, decks: Array, deck_ends: Array, first: int) -> MatchResults:
        """Play matches with given decks, and keep the result and every event of each round.

        decks: card codes, shape (decks, cards). deck_ends: where those of each match end.
        """
        import numpy as np

        from maumau.kernels.compiler.results import table_dtype

        rows = blank_matches(len(deck_ends), self.players)
        each, scores = blank_rows(len(decks), self.players)
        round_totals = np.zeros((len(decks), self.players), np.int32)
        tables = np.zeros(len(decks), table_dtype(self.plan.game.table))
        ends, length = np.zeros(len(decks), np.int64), 256 * len(decks)
        for room in rooms(self.plan):
            log = np.zeros((length, COLUMNS), np.int16)
            kept: tuple[Array, ...] = (log, ends, tables, each, scores, round_totals, *room)
            self._play(self.kernel, (writable(decks), deck_ends), first, rows, self.counts(), kept)
            played = int(rows[2].sum())
            needed = int(ends[played - 1]) if played else 0
            if needed <= length and self.had_room(rows[0]):
                break
            length = max(length, needed)
        self._check_ended(first, rows)
        log = log[:needed]
        counted = self.logged(log)
        rounds = Results(each[:played], scores[:played], None, None, tables[:played], log, ends[:played])
        totals = round_totals[:played]
        return MatchResults(rows[0], rows[1], *counted, rounds=rows[2], each=rounds, each_totals=totals)

    def _call_dealt(self, first: int, rows: tuple[Array, Array, Array], counts: tuple[Array, Array]) -> None:
        """Deal and play matches into rows; one with a very long round is played again."""
        self._play_dealt(first, rows, self.kernel, counts, next(rooms(self.plan)))
        for index in (rows[0]["ending"] == MatchEnding.RUNNING).nonzero()[0].tolist():
            results, totals, rounds = (each[index : index + 1] for each in rows)
            attempt = partial(self._play_dealt, first + index, (results, totals, rounds))
            self.play_again(attempt, results, *counts)
        self._check_ended(first, rows)

    def _play_dealt(
        self,
        first: int,
        rows: tuple[Array, Array, Array],
        kernel: NativeCode,
        counts: tuple[Array, Array],
        room: tuple[Array, ...],
    ) -> None:
        """Deal and play matches once, keeping nothing of their rounds."""
        self._play(kernel, (no_decks(), numbers(0)), first, rows, counts, (*no_rounds(self.plan.game), *room))

    def _play(
        self,
        kernel: NativeCode,
        decks: tuple[Array, Array],
        first: int,
        rows: tuple[Array, Array, Array],
        counts: tuple[Array, Array],
        kept: tuple[Array, ...],
    ) -> None:
        where = self.seed, first, self.players, self.seats, self.target
        kernel(*decks, *where, *rows, *counts, *kept)

    def _check_ended(self, first: int, rows: tuple[Array, Array, Array]) -> None:
        """Raise StuckError or LongGameError for the round in which no arc was enabled, or that seems to have no end."""
        results, _, rounds = rows
        for index in (results["ending"] <= MatchEnding.RUNNING).nonzero()[0].tolist():
            number = deck_number(first + index, int(rounds[index]))
            if results["ending"][index] < 0:
                raise StuckError(self.plan.game, number)
            raise LongGameError(self.plan.game.name, number)
