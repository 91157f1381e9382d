"""Runs a kernel over many matches and keeps a row for each match, in one thread or several, or their transcripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from threading import Event
from typing import Any, cast

from fsm.declaration.declaration import Declaration, functions
from fsm.declaration.facts import default_values
from fsm.edge.numbers import Array, np
from fsm.match.dealt import DealtMatch
from fsm.match.played import PlayedGame
from fsm.match.setup import MATCH, ROUND, deck_number, target_of
from fsm.match.stepped import MatchOutcome, Round
from fsm.match.transcript import Transcript
from fsm.stepping.carried import carried_from
from fsm.stepping.game import Game
from maumau.kernels.bulk.chunks import CHUNK, each_chunk, worker_count
from maumau.kernels.bulk.counts import KernelCounts
from maumau.kernels.bulk.lanes import writable
from maumau.kernels.bulk.logged import with_room
from maumau.kernels.bulk.runner import Runner, check_over, check_score, joined
from maumau.kernels.bulk.transcripts import Steps, chunks, game_of_log
from maumau.kernels.compiled.matches import play_matches
from maumau.kernels.compiler.machine_code import NativeCode, Notify
from maumau.kernels.compiler.phases import run_source
from maumau.kernels.compiler.program import (
    KernelPlan,
    KernelSource,
    LoggedResults,
    Program,
    Results,
    blank_rows,
    module_source,
    no_decks,
    no_log,
    numbers,
)
from maumau.kernels.compiler.source import (
    compiled_for,
    constants_of,
    constants_source,
    functions_of,
    no_room,
    rooms,
)
from rules.match import MatchEnding, MatchTable
from rules.reading import Dealt

FIRST_FEW = 32
"""Matches that are played to find how many rounds the others have, about."""
ROUNDS = 1 << 14
"""Rounds that one thread plays at a time, about: nothing can interrupt it meanwhile."""


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

    def program(self, plan: KernelPlan) -> Program:
        """The program that plays matches by a plan."""
        return playing_matches(plan)

    def play(
        self,
        decks: Array | None,
        first: int,
        games: int,
        threads: int | None,
        stop: Event | None = None,
        into: Results | None = None,
    ) -> Results:
        """Deal and play matches, and keep the result of each.

        stop: ends the work early, from another thread. Raises Stopped then. decks, into: none, see `play_decks`.
        """
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
        return Results(results, totals, *self.named(joined(counts)), rounds=rounds)

    def play_decks(self, decks: Array, deck_ends: Array, first: int) -> tuple[Results, LoggedResults, Array]:
        """Play matches with given decks: their results, the rounds of all with every event, and the totals after each.

        decks: card codes, shape (decks, cards). deck_ends: where those of each match end.
        """
        rows = blank_matches(len(deck_ends), self.players)
        round_totals = np.zeros((len(decks), self.players), np.int32)

        def play(rounds: LoggedResults, positions: tuple[Array, ...]) -> tuple[int, bool]:
            log = rounds.log, rounds.log_ends, rounds.tables
            kept = (*log, rounds.games, rounds.scores, round_totals, *positions)
            self._play(self.kernel, (writable(decks), deck_ends), first, rows, self.counts(), kept)
            played = int(rows[2].sum())
            return int(rounds.log_ends[:played].max(initial=0)), not self.had_room(rows[0])

        rounds = with_room(self.plan, self.players, len(decks), play)
        self._check_ended(first, rows)
        ends = rows[2].cumsum()
        for index in range(int(rows[2].sum())):
            match = int(ends.searchsorted(index, "right"))
            check_score(self.plan.game, first + match, rounds.games[index], "match")
        return Results(rows[0], rows[1], rounds=rows[2]), rounds, round_totals

    def _call_dealt(self, first: int, rows: tuple[Array, Array, Array], counts: KernelCounts) -> None:
        """Deal and play matches into rows; one with a very long round is played again."""
        self._play_dealt(first, rows, self.kernel, counts, next(rooms(self.plan)))
        for index in (rows[0]["ending"] == MatchEnding.RUNNING).nonzero()[0].tolist():
            results, totals, rounds = (each[index : index + 1] for each in rows)
            attempt = partial(self._play_dealt, first + index, (results, totals, rounds))
            self.play_again(attempt, results, counts)
        self._check_ended(first, rows)

    def _play_dealt(
        self,
        first: int,
        rows: tuple[Array, Array, Array],
        kernel: NativeCode,
        counts: KernelCounts,
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
        counts: KernelCounts,
        kept: tuple[Any, ...],
    ) -> None:
        where = self.seed, first, self.players, self.seats, self.target
        kernel(*decks, *where, *rows, counts.fired, counts.used, *kept)

    def _check_ended(self, first: int, rows: tuple[Array, Array, Array]) -> None:
        """Raise ScoreError, and StuckError or LongGameError for the round in which no arc was enabled, or that seems to
        have no end.
        """
        results, _, rounds = rows
        for index in (results["ending"] <= MatchEnding.RUNNING).nonzero()[0].tolist():
            check_score(self.plan.game, first + index, results[index], "match")
            check_over(self.plan.game, deck_number(first + index, int(rounds[index])), results[index])


# ---------------------------------------------------------------- the kernel


def playing_matches(plan: KernelPlan) -> Program:
    """A plan's kernel: `play_matches` with the arguments of `no_matches`."""
    makers = (("make_match", MatchTable),)
    return Program("play_matches", source_of, plan, no_matches, plan.game, makers, large=True)


def no_matches(plan: KernelPlan) -> tuple[Any, ...]:
    """Warm-up arguments of a kernel."""
    counts = numbers(len(plan.game.counters)), numbers(len(plan.rules))
    given = no_decks(), numbers(0), 0, 0, 2, numbers(2), 1
    return (*given, *blank_matches(0, 2), *counts, *no_rounds(plan.game), *no_room())


def blank_matches(matches: int, players: int) -> tuple[Any, Any, Any]:
    """Room for the results, the totals and the numbers of rounds of matches."""
    return *blank_rows(matches, players), np.zeros(matches, np.int32)


def no_rounds(game: Declaration) -> tuple[Any, ...]:
    """Empty arrays for the log of rounds: the events, where they end, the tables, results and scores of the rounds, and
    the totals after each.
    """
    return (*no_log(game), *blank_rows(0, 2), blank_matches(0, 2)[1])


def carry_source(game: Declaration) -> str:
    """The function that puts on the table of a round what it takes over from the round before; none if nothing is."""
    values, seats = default_values(game.table), range(game.codec.most)
    fields = [f"{name}[{seat}]" for name in game.carried if isinstance(values[name], list) for seat in seats]
    fields += [name for name in game.carried if isinstance(values[name], int)]
    lines = [f"    table.{field} = before.{field}" for field in fields]
    return "\n".join(["def carry(table: Table, before: Table) -> None:", *lines, ""]) if fields else ""


def source_of(plan: KernelPlan) -> KernelSource:
    """The source of the kernel's module: `run` steps a table, `run_match` that of the match."""
    game = plan.game
    constants = constants_of(plan) | {
        "LOWEST_WINS": game.scoring.lowest_wins,
        "UNWON_SCORES": game.scoring.unwon_scores,
        "SIDES": game.scoring.sides,
        "game_points": game.round_points,
        "CARRIES": bool(game.carried),
    }
    chart = KernelPlan(
        cast(Declaration, MATCH), ()
    )  # all its events are forced: only phases, arcs and who acts are read
    parts = [
        constants_source(constants),
        carry_source(game),
        *functions_of(plan),
        run_source(chart, "run_match", waits=(ROUND,)),
    ]
    policies = ", ".join(policy.name for policy in plan.policies)
    title = f"Matches of {game.title} compiled for players {policies}: generated from its declaration."
    rules = (function for arc in MATCH.arcs for function in (*arc.conditions, *arc.unless, *arc.before))
    called = (*functions(game), game.round_points, *rules)
    return module_source(title, parts, called, compiled_for(plan, play_matches))


# ---------------------------------------------------------------- transcripts


def play_compiled_matches(
    kind: type[Game],
    matches: Sequence[DealtMatch],
    policies: Sequence[str],
    seed: int,
    first: int,
    target: int | None,
    notify: Notify | None = None,
) -> Iterator[Transcript]:
    """Play matches with valid decks by compiled code; the same as `play_stepped`. Raises MissingExtra."""
    goal = target_of(kind.declaration, target)
    for chunk in chunks(matches, first, lambda match: len(match.decks)):
        players = chunk[0][1].players
        runner = MatchRunner(kind.declaration, players, policies, seed, goal, tally=False, log=True, notify=notify)
        seated = kind.seated(players, policies)
        decks = np.array([list(deck) for _, match in chunk for deck in match.decks], np.uint8)
        ends = np.cumsum([len(match.decks) for _, match in chunk], dtype=np.int64)
        results, logged, totals = runner.play_decks(decks, ends, chunk[0][0])
        begin = 0
        for row, (number, match) in enumerate(chunk):
            outcome = _outcome(results, row)
            played = range(begin, begin + outcome.rounds)
            games = [(logged, index, tuple(totals[index].tolist())) for index in played]
            rounds = tuple(_rounds(kind, match, seated, seed, number, games))
            yield Transcript(rounds, match.decks, seated, seed, number, outcome, goal)
            begin += len(played)


def _rounds(
    kind: type[Game],
    match: DealtMatch,
    seated: tuple[str, ...],
    seed: int,
    number: int,
    games: Iterable[tuple[LoggedResults, int, tuple[int, ...]]],
) -> Iterator[Round[PlayedGame]]:
    """The rounds of a match of the compiled engine. games: their rows among others, with the totals after each."""
    before, steps, carried = (0,) * match.players, Steps(kind), dict[str, Any]()
    for index, (played, row, totals) in enumerate(games):
        dealt = Dealt(match.players, match.decks[index])
        played_alone = game_of_log(dealt, seated, seed, deck_number(number, index), played, row, steps)
        game = replace(played_alone, carried=carried)
        carried = dict(carried_from(kind.declaration, game.table))
        points = tuple(after - until for after, until in zip(totals, before, strict=True))
        yield Round(index + 1, index % match.players + 1, game, points, totals)
        before = totals


def _outcome(results: Results, row: int) -> MatchOutcome:
    assert results.rounds is not None
    result = results.games[row]
    totals = tuple(results.scores[row].tolist())
    ending, winner, winners = (int(result[name]) for name in ("ending", "winner", "winners"))
    return MatchOutcome.of(ending, winner, winners, totals, int(results.rounds[row]))
