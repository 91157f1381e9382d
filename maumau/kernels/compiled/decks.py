"""Decks dealt and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.chance import draw_words, shuffle_by_words

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import (
        AMENDS,
        DECK_SIZE,
        WORDS,
        Array,
        Row,
        game_amend,
        game_fill,
        new_integers,
        row_at,
    )

AHEAD = 16
"""Games whose random words are drawn at a time."""


def shuffle(deck: Row, words: Row, players: int, seed: int, number: int, index: int, ahead: int) -> None:
    """Make the deck of game `number` of `seed`.

    index: counts the games of consecutive numbers, from 0. ahead: games whose random words are drawn at a time.
    """
    if index % ahead == 0:
        draw_words(words, ahead, seed, number)
    game_fill(deck)
    shuffle_by_words(deck, words, ahead, index % ahead, seed, number)
    if AMENDS:
        game_amend(deck, players, seed, number)


def deal_all(decks: Array, players: int, seed: int, first: int) -> None:
    """Fill each row of `decks` with the deck of one game, from game `first` of `seed` on."""
    words = new_integers(WORDS)
    for game in range(len(decks)):
        shuffle(row_at(decks.ctypes.data + game * DECK_SIZE), words, players, seed, first + game, game, AHEAD)


def first_wrong(decks: Array, weights: Array, whole: int) -> int:
    """The first row of `decks` whose cards do not weigh what the whole deck does, or -1."""
    for game in range(len(decks)):
        deck = row_at(decks.ctypes.data + game * DECK_SIZE)
        weight = 0
        for index in range(DECK_SIZE):
            weight += weights[deck[index]]
        if weight != whole:
            return game
    return -1
