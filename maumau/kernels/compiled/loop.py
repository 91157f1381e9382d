"""The loop of a kernel over many games, and what it writes down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from maumau.kernels.compiled.decks import AHEAD, shuffle
from maumau.kernels.compiled.ends import STUCK, to_end
from rules.piles import cards_laid, cards_taken
from rules.table import card_taken

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import (
        DEALS,
        DECK_SIZE,
        LOGS,
        WORDS,
        Array,
        Row,
        Table,
        game_score,
        make,
        named,
        new_bytes,
        new_integers,
        row_at,
        save,
    )


def play(
    decks: Array, seed: int, first: int, players: int, seats: Row, results: Array, scores: Array,
    fired: Array, used: Array, log: Array, log_ends: Array, tables: Array, seen: Array, hashes: Array, slots: Array,
) -> None:  # fmt: skip
    """Play game after game: with the decks given, or, where there are none, those of `seed` from `first` on."""
    table = make()
    deck, words = new_bytes(DECK_SIZE), new_integers(WORDS)
    logged = 0
    for game in range(len(results)):
        if DEALS and len(decks) == 0:
            shuffle(deck, words, players, seed, first + game, game, AHEAD)
        else:
            deck = row_at(decks.ctypes.data + game * DECK_SIZE)
        phase, logged = to_end(
            table, deck, players, seed, first + game, 0, seats, fired, used, log, logged, seen, hashes, slots
        )
        result = results[game]
        result.ending = table.ending if phase != STUCK else -1
        measure(result, table)
        for seat in range(players):
            scores[game, seat] = game_score(table, seat)
        if LOGS:
            save(table, tables.ctypes.data + game * tables.itemsize)
            log_ends[game] = logged


def measure(result: Any, table: Table) -> None:
    """Write what is measured of a game into its row."""
    result.winner = table.winner
    result.turns = table.turns
    result.laid = cards_laid(table)
    result.taken = cards_taken(table)
    result.reshuffles = table.reshuffles
    result.trail = table.trail


def note(log: Array, logged: int, arc: int, player: int, table: Table, played: int, head: int, rule: int) -> int:
    """Write an event down, with the card that was played or taken, if there is room; how many there are now."""
    card, value = named(table, played, card_taken(table, player, head))
    if logged < len(log):
        log[logged, 0] = arc
        log[logged, 1] = player
        log[logged, 2] = card
        log[logged, 3] = value
        log[logged, 4] = rule
    return logged + 1
