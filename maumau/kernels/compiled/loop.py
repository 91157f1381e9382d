"""What is done with each game of a kernel and with many: decks are dealt, results written down and added up."""

from __future__ import annotations

from typing import Any

from fsm.edge.arrays import Array1D, Array2D
from fsm.edge.numbers import Array, np
from maumau.kernels.compiled.given import given
from maumau.kernels.compiled.interface import Table
from maumau.kernels.compiled.results import ResultRows
from rules.chance import draw_words, shuffle_by_words
from rules.ending import Ending
from rules.piles import cards_laid, cards_taken

BEYOND = -2
"""In place of an ending: a score does not fit in the 32 bits that there are for it."""


def measure(result: Any, scores: Array, table: Table, players: int) -> None:
    """Write what is measured of a game into its row, and its scores."""
    result.winner = table.winner
    if given.SHARES_WINS:
        result.winners = table.winners
    result.turns = table.turns
    result.laid = cards_laid(table)
    result.taken = cards_taken(table)
    result.reshuffles = table.reshuffles
    result.trail = table.trail
    for seat in range(players):
        keep_score(result, scores, seat, given.game_score(table, seat))


def keep_score(result: Any, scores: Array, seat: int, score: int) -> None:
    """Write a score. Where it does not fit, the row says so: the seat is the winner, the score is in two parts."""
    scores[seat] = score
    if scores[seat] != score and result.ending > Ending.RUNNING:
        result.ending = BEYOND
        result.winner = seat
        result.turns = score
        result.laid = score >> 32


def note(log: Array, logged: int, arc: int, player: int, table: Table, played: int, taken: int, rule: int) -> int:
    """Write an event down, with the card that was played or taken, if there is room; how many there are now."""
    card, value = named(table, played, taken)
    if logged < len(log):
        log[logged, 0] = arc
        log[logged, 1] = player
        log[logged, 2] = card
        log[logged, 3] = value
        log[logged, 4] = rule
    return logged + 1


def named(table: Table, played: int, taken: int) -> tuple[int, int]:
    """Return the card and the value that are named with an event of number `played`; else what was taken, and -1."""
    for number, has_card, name in given.NAMINGS:
        if played == number:
            return table.card if has_card else taken, getattr(table, name)
    return taken, -1


# ---------------------------------------------------------------- decks

AHEAD = 16
"""Games whose random words are drawn at a time."""


def shuffle(deck: Any, words: Any, players: int, seed: int, number: int, index: int, ahead: int) -> None:
    """Make the deck of game `number` of `seed`.

    index: counts the games of consecutive numbers, from 0. ahead: games whose random words are drawn at a time.
    """
    if index % ahead == 0:
        draw_words(words, ahead, seed, number)
    given.game_fill(deck)
    shuffle_by_words(deck, words, ahead, index % ahead, seed, number)
    if given.AMENDS:
        given.game_amend(deck, players, seed, number)


def deal_all(decks: Array2D[np.uint8], players: int, seed: int, first: int) -> None:
    """Fill each row of `decks` with the deck of one game, from game `first` of `seed` on."""
    words = given.new_integers(given.WORDS)
    for game in range(len(decks)):
        shuffle(
            given.row_at(decks.ctypes.data + game * given.DECK_SIZE), words, players, seed, first + game, game, AHEAD
        )


def first_wrong(decks: Array2D[np.uint8], weights: Array1D[np.int64], whole: int) -> int:
    """The first row of `decks` whose cards do not weigh what the whole deck does, or -1.

    weights: a number for each card code. whole: the sum of the weights of the whole deck.
    """
    for game in range(len(decks)):
        deck, weight = decks[game], 0
        for index in range(len(deck)):
            weight += weights[deck[index]]
        if weight != whole:
            return game
    return -1


# ---------------------------------------------------------------- sums, and counts by value


def add_up(
    results: ResultRows,
    scores: Array2D[np.int32],
    endings: Array1D[np.int64],
    wins: Array1D[np.int64],
    points: Array1D[np.int64],
    sums: Array1D[np.int64],
) -> None:
    """Add the games' results to how often each ending came, each seat's wins and points, and the sums."""
    turns = laid = taken = reshuffles = reshuffled = 0
    longest = sums[5]
    for game in range(len(results)):
        result = results[game]
        endings[result.ending] += 1
        if result.winner >= 0:
            wins[result.winner] += 1
        elif result.winners != 0:
            for seat in range(len(wins)):
                wins[seat] += result.winners >> seat & 1
        for seat in range(len(points)):
            points[seat] += scores[game, seat]
        turns += result.turns
        laid += result.laid
        taken += result.taken
        reshuffles += result.reshuffles
        reshuffled += result.reshuffles > 0
        longest = max(longest, result.turns)
    sums[0] += turns
    sums[1] += laid
    sums[2] += taken
    sums[3] += reshuffles
    sums[4] += reshuffled
    sums[5] = longest


CELLS = 1 << 12
"""Cells of a histogram: a power of two. Random players need two thousand turns for one game in a hundred thousand."""


def count_values(
    results: ResultRows,
    scores: Array2D[np.int32],
    endings: Array1D[np.int64],
    winners: Array1D[np.int64],
    cells: Array2D[np.int64],
    bits: Array1D[np.int64],
) -> int:
    """Count how often each ending, each winner (from index 1 on; 0 counts games without one) and each value of the four
    measures and of the seats' scores came, a row of cells each; the sum of the trails.

    bits: for each row, those that any of its values has: with one beyond the cells, or of a negative number, its cells
    do not hold the counts.
    """
    turns = laid = taken = reshuffles = trails = 0
    for game in range(len(results)):
        result = results[game]
        endings[result.ending] += 1
        if result.winners == 0:
            winners[result.winner + 1] += 1
        else:
            for seat in range(scores.shape[1]):
                winners[seat + 1] += result.winners >> seat & 1
        cells[0, result.turns & CELLS - 1] += 1
        cells[1, result.laid & CELLS - 1] += 1
        cells[2, result.taken & CELLS - 1] += 1
        cells[3, result.reshuffles & CELLS - 1] += 1
        turns |= result.turns
        laid |= result.laid
        taken |= result.taken
        reshuffles |= result.reshuffles
        trails += result.trail
    bits[0], bits[1], bits[2], bits[3] = turns, laid, taken, reshuffles
    for seat in range(scores.shape[1]):  # apart, as the loop over games is faster with few sums
        points = 0
        for game in range(len(results)):
            cells[4 + seat, scores[game, seat] & CELLS - 1] += 1
            points |= scores[game, seat]
        bits[4 + seat] = points
    return trails


def spread(
    results: ResultRows,
    scores: Array2D[np.int32],
    endings: Array1D[np.int8],
    winners: Array1D[np.uint8],
    measures: Array2D[np.uint32],
    points: Array2D[np.int32],
) -> None:
    """Write results in columns: endings, winners (from 1 on, 0 for none), the four measures, and the seats' scores."""
    for game in range(len(results)):
        result = results[game]
        endings[game] = result.ending
        winners[game] = result.winner + 1
        measures[0, game] = result.turns
        measures[1, game] = result.laid
        measures[2, game] = result.taken
        measures[3, game] = result.reshuffles
    for seat in range(scores.shape[1]):
        for game in range(len(results)):
            points[seat, game] = scores[game, seat]
