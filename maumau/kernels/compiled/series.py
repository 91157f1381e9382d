"""The loop of a kernel over many games or matches: series of rounds, of which a game has one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from fsm.edge.arrays import Array1D, Array2D
from fsm.edge.numbers import np
from fsm.match.setup import DECKS, MATCH
from maumau.kernels.compiled.ends import STUCK, PositionRoom, RoundDeal, RoundPlay, to_end
from maumau.kernels.compiled.given import given
from maumau.kernels.compiled.interface import Table
from maumau.kernels.compiled.loop import AHEAD, add_up, keep_score, measure, shuffle
from maumau.kernels.compiled.results import ResultRows
from maumau.kernels.compiled.running import run_match
from rules.ending import Ending
from rules.piles import cards_laid, cards_taken

if TYPE_CHECKING:
    from fsm.edge.numbers import Array

FEW = 8
"""Rounds of a match whose random words are drawn at a time."""
TRAIL_STEP = 31
"""The trail of a match mixes those of its rounds: it is multiplied by this before each is added."""
BEFORE, PLAYING, OVER = map([*MATCH.phases].index, (MATCH.initial, MATCH.phases["ROUND"], MATCH.final))
"""The numbers of the phases of a match."""


class GivenDecks(NamedTuple):
    """Decks that are played. ends: in matches, where those of each match end. Both are empty where decks are dealt."""

    decks: Array2D[np.uint8]
    ends: Array1D[np.int64]


class SeriesRows(NamedTuple):
    """Where results go: a row for each game or match, its scores or totals, and how many rounds each match had.

    fired, used: how often each arc and each decision rule was, with all that was there before.
    """

    results: ResultRows
    scores: Array2D[np.int32]
    rounds: Array1D[np.int32]
    fired: Array1D[np.int64]
    used: Array1D[np.int64]


class KeptRounds(NamedTuple):
    """What is kept of rounds where LOGS: events, where those of each round end, and the final tables.

    tables: one after another, as they are saved. results, scores, totals: of the rounds of matches, and the totals
    after each.
    """

    log: Array2D[np.int16]
    ends: Array1D[np.int64]
    tables: Array1D[np.uint8]
    results: ResultRows
    scores: Array2D[np.int32]
    totals: Array2D[np.int32]


class ResultSums(NamedTuple):
    """The sums of results, as `add_up` adds them."""

    endings: Array1D[np.int64]
    wins: Array1D[np.int64]
    points: Array1D[np.int64]
    sums: Array1D[np.int64]


def play(
    stack: GivenDecks, seed: int, first: int, seats: Array1D[np.int64], target: int,
    rows: SeriesRows, kept: KeptRounds, room: PositionRoom,
) -> None:  # fmt: skip
    """Play series after series: with the decks given, or, where there are none, those of `seed` from `first` on.

    target: of matches.
    """
    table, before, players, played, logged, lying = given.make(), given.make(), len(seats), 0, 0, 0
    deck, words = given.new_bytes(given.DECK_SIZE), given.new_integers(given.WORDS)
    seated = RoundPlay(seats=seats, fired=rows.fired, used=rows.used, log=kept.log)
    if given.MATCHES:
        match = given.make_match()
    for index in range(len(rows.results)):
        result, scores = rows.results[index], rows.scores[index]
        number, dealer, turn, ahead, row = first + index, 0, index, AHEAD, index
        if given.MATCHES:
            end = decks_end(stack, index, lying)
            begin_match(match, before, result, players, target, end - lying)
            match_phase = run_match(match, BEFORE, 0, seats, rows.fired, rows.used)
        while True:
            if given.MATCHES:
                number, dealer, turn, ahead = (first + index) * DECKS + match.rounds, match.dealer, match.rounds, FEW
                row = lying + match.rounds
            if given.DEALS and len(stack.decks) == 0:
                shuffle(deck, words, players, seed, number, turn, ahead)
            else:
                deck = given.row_at(stack.decks.ctypes.data + row * given.DECK_SIZE)
            deal = RoundDeal(before=before, deck=deck, players=players, seed=seed, number=number, dealer=dealer)
            phase, logged = to_end(table, deal, seated, logged, room)
            keep_table(kept, played, table, logged)
            if not given.MATCHES:
                result.ending = table.ending if phase != STUCK else -1
                measure(result, scores, table, players)
                played += 1
                break
            if phase != given.FINAL:
                break
            end_round(match, table, before, result, players)
            match_phase = run_match(match, match_phase, 1, seats, rows.fired, rows.used)
            keep_round(kept, played, match, table, players)
            played += 1
            if match_phase != PLAYING:
                break
        if given.MATCHES:
            end_match(match, match_phase, phase, result, scores, players)
            rows.rounds[index] = match.rounds
            lying = end


def decks_end(stack: GivenDecks, index: int, start: int) -> int:
    """The deck after the last one of a match. start: its first one."""
    end: int = stack.ends[index] if len(stack.ends) > 0 else start + DECKS
    return end


def begin_match(match: Table, before: Table, result: Any, players: int, target: int, decks: int) -> None:
    """Make the table of a match, before which no round was played, and empty its row."""
    given.reset(match)
    match.players, match.target, match.decks = players, target, decks
    match.lowest_wins, match.unwon_scores = given.LOWEST_WINS, given.UNWON_SCORES
    match.sides = given.SIDES_AMONG[players]
    result.turns, result.laid, result.taken, result.reshuffles, result.trail = 0, 0, 0, 0, 0
    if given.CARRIED:
        given.reset(before)


def end_round(match: Table, table: Table, before: Table, result: Any, players: int) -> None:
    """Put what a round scores on the table of its match, and add what is measured of it to the row of the match."""
    if given.CARRIED:
        given.copy(before, table)
    result.turns = result.turns + table.turns
    result.laid = result.laid + cards_laid(table)
    result.taken = result.taken + cards_taken(table)
    result.reshuffles = result.reshuffles + table.reshuffles
    result.trail = result.trail * TRAIL_STEP + table.trail & 0xFFFFFFFF
    match.round_winner = table.winner
    if given.SHARES_WINS:
        match.round_winner = (table.winners & -table.winners).bit_length() - 1
    for seat in range(players):
        match.points[seat] = given.game_points(table, seat)


def keep_table(kept: KeptRounds, row: int, table: Table, logged: int) -> None:
    """Keep the table of a round where LOGS, if there is room, and where its events end."""
    if given.LOGS and row < len(kept.ends):
        given.save(table, kept.tables.ctypes.data + row * given.TABLE_BYTES)
        kept.ends[row] = logged


def keep_round(kept: KeptRounds, row: int, match: Table, table: Table, players: int) -> None:
    """Keep the result and the scores of a round of a match where LOGS, if there is room, and the totals after it."""
    if given.LOGS and row < len(kept.ends):
        result = kept.results[row]
        result.ending = table.ending
        measure(result, kept.scores[row], table, players)
        for seat in range(players):
            keep_score(result, kept.totals[row], seat, match.totals[seat])


def end_match(match: Table, match_phase: int, phase: int, result: Any, totals: Array, players: int) -> None:
    """Write the result of a match. phase: of its last round, in which it is left if that is not over."""
    result.ending = match.ending if match_phase == OVER else -1 if phase == STUCK else Ending.RUNNING
    result.winner = match.winner
    result.winners = match.winners
    for seat in range(players):
        keep_score(result, totals, seat, match.totals[seat])


def total(
    stack: GivenDecks, seed: int, first: int, seats: Array1D[np.int64],
    rows: SeriesRows, kept: KeptRounds, room: PositionRoom, sums: ResultSums,
) -> int:  # fmt: skip
    """Play games as `play` does and add their results up; how many of them are not over."""
    play(stack, seed, first, seats, 0, rows, kept, room)
    add_up(rows.results, rows.scores, sums.endings, sums.wins, sums.points, sums.sums)
    left = 0
    for game in range(len(rows.results)):
        left += rows.results[game].ending <= Ending.RUNNING
    return left
