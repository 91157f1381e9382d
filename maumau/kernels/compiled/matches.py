"""The loop of a kernel over many matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fsm.match.setup import DECKS, INITIAL, MATCH, MATCH_OVER, ROUND
from maumau.kernels.compiled.ends import STUCK, to_end
from maumau.kernels.compiled.loop import keep_score, measure, shuffle
from rules.ending import Ending, sides_among
from rules.piles import cards_laid, cards_taken

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import (
        CARRIES,
        DECK_SIZE,
        FINAL,
        LOGS,
        LOWEST_WINS,
        SHARES_WINS,
        SIDES,
        UNWON_SCORES,
        WORDS,
        Array,
        Row,
        Table,
        copy,
        game_points,
        make,
        make_match,
        new_bytes,
        new_integers,
        reset,
        row_at,
        run_match,
        save,
    )

AHEAD = 8
"""Rounds of a match whose random words are drawn at a time."""
TRAIL_STEP = 31
"""The trail of a match mixes those of its rounds: it is multiplied by this before each is added."""
PHASES = list(MATCH.phases)
BEFORE, PLAYING, OVER = map(PHASES.index, (INITIAL, ROUND, MATCH_OVER))
"""The numbers of the phases of a match."""


def play_matches(
    decks: Array, deck_ends: Array, seed: int, first: int, players: int, seats: Row, target: int,
    results: Array, totals: Array, rounds: Array, fired: Array, used: Array,
    log: Array, log_ends: Array, tables: Array, round_results: Array, round_scores: Array, round_totals: Array,
    seen: Array, hashes: Array, slots: Array,
) -> None:  # fmt: skip
    """Play match after match: with the decks given, those of a match up to its end in `deck_ends`, or, where there are
    none, with those of `seed`, from match `first` on.
    """
    table, before, match = make(), make(), make_match()
    deck, words = new_bytes(DECK_SIZE), new_integers(WORDS)
    logged = kept_rounds = next_deck = 0
    for index in range(len(results)):
        begin_match(match, before, players, target)
        first_deck = next_deck
        if len(decks) > 0:
            next_deck = deck_ends[index]
            match.decks = next_deck - first_deck
        phase = FINAL
        turns = laid = taken = reshuffles = trail = 0
        match_phase, _ = run_match(match, BEFORE, 0, seats, 1, fired, used, log, logged)
        while match_phase == PLAYING:
            number = (first + index) * DECKS + match.rounds
            if len(decks) == 0:
                shuffle(deck, words, players, seed, number, match.rounds, AHEAD)
            else:
                deck = row_at(decks.ctypes.data + (first_deck + match.rounds) * DECK_SIZE)
            phase, logged = to_end(
                table, before, deck, players, seed, number, match.dealer,
                seats, fired, used, log, logged, seen, hashes, slots,
            )  # fmt: skip
            if phase != FINAL:
                break
            keep_carried(before, table)
            turns += table.turns
            laid += cards_laid(table)
            taken += cards_taken(table)
            reshuffles += table.reshuffles
            trail = trail * TRAIL_STEP + table.trail & 0xFFFFFFFF
            if LOGS and kept_rounds < len(log_ends):
                log_ends[kept_rounds] = logged
                save(table, tables.ctypes.data + kept_rounds * tables.itemsize)
                keep_round(table, players, round_results[kept_rounds], round_scores[kept_rounds])
            kept_rounds += 1
            match.round_winner = winning_seat(table)
            for seat in range(players):
                match.points[seat] = game_points(table, seat)
            match_phase, _ = run_match(match, match_phase, 1, seats, 1, fired, used, log, logged)
            if LOGS and kept_rounds <= len(log_ends):
                for seat in range(players):
                    keep_score(round_results[kept_rounds - 1], round_totals[kept_rounds - 1], seat, match.totals[seat])
        result = results[index]
        result.ending = match.ending if match_phase == OVER else -1 if phase == STUCK else Ending.RUNNING
        result.winner = match.winner
        result.winners = match.winners
        result.turns = turns
        result.laid = laid
        result.taken = taken
        result.reshuffles = reshuffles
        result.trail = trail
        rounds[index] = match.rounds
        for seat in range(players):
            keep_score(result, totals[index], seat, match.totals[seat])


def begin_match(match: Table, before: Table, players: int, target: int) -> None:
    """Make the table of a match, before which no round was played."""
    reset(match)
    match.players, match.target, match.decks = players, target, DECKS
    match.lowest_wins, match.unwon_scores = LOWEST_WINS, UNWON_SCORES
    match.sides = sides_among(players, SIDES)
    if CARRIES:
        reset(before)


def keep_carried(before: Table, table: Table) -> None:
    """Keep the table of a round that is over for what the next one takes over from it."""
    if CARRIES:
        copy(before, table)


def winning_seat(table: Table) -> int:
    """The seat that has won a round, the first of those that have; -1 for none."""
    seat: int = table.winner
    if SHARES_WINS:
        seat = (table.winners & -table.winners).bit_length() - 1
    return seat


def keep_round(table: Table, players: int, result: Any, scores: Array) -> None:
    """Write the result and the scores of a round down."""
    result.ending = table.ending
    measure(result, scores, table, players)
