"""Decks read from text, and text written: blocks of bytes become card codes, laid cards and scores become bytes.

A text ends with a zero byte, which is neither a blank nor part of a word, so that no index needs to be compared with
the length. Names are read by a table of steps: from a state, a byte leads to another one, or to state 0, from which
none leads on.
"""

from __future__ import annotations

from typing import NamedTuple

from fsm.edge.arrays import Array1D, Array2D
from fsm.edge.numbers import Array, np
from maumau.kernels.compiled.given import given
from maumau.kernels.compiled.results import ResultRows

TAB, NEWLINE, SPACE, MINUS, ZERO = 9, 10, 32, 45, 48
NAMES = 64
"""More names than any game has."""
START = 1
"""The state before a word."""
REFUSED, SHORT = -1, -2
"""In place of the index after a game: it is written otherwise, or the text ends before it does."""
END, LINES, IS_SHORT = range(3)
"""What is told of a text that was read: the index after the last game, the line ends before it, and whether the next
game goes on beyond the text.
"""


class GameText(NamedTuple):
    """Games as text.

    text: with a zero byte at `end`. by_lines: whether each game has a line, else words may stand on several lines.
    is_last: whether the input ends with the text.
    """

    text: Array1D[np.uint8]
    end: int
    by_lines: int
    is_last: int


class CardNames(NamedTuple):
    """How the names of cards are read.

    steps: the next state, by state and byte. names: the number of the name that a state ends, or NAMES. copies, firsts:
    of each name, how many cards have it, and where their codes begin among `codes`. openings: by number of players, the
    index of the card that must not be one of the mask `not_opened`, or -1; -2 for a number that does not play.
    """

    steps: Array2D[np.uint16]
    names: Array1D[np.uint8]
    copies: Array1D[np.uint8]
    firsts: Array1D[np.uint8]
    codes: Array1D[np.uint8]
    openings: Array1D[np.int64]
    not_opened: int


class DeckRows(NamedTuple):
    """Where games are written: how many play, and their decks. told: see END."""

    players: Array1D[np.uint8]
    decks: Array2D[np.uint8]
    told: Array1D[np.int64]


def read_decks(source: GameText, cards: CardNames, into: DeckRows, start: int) -> int:
    """Read games up to one that is not as usual, or as many as there is room for; how many."""
    text, openings, told = source.text, cards.openings, into.told
    used = given.new_bytes(NAMES)
    at, lines, game = start, 0, 0
    told[IS_SHORT] = 0
    while game < len(into.players):
        while is_blank(text[at]):
            lines += text[at] == NEWLINE
            at += 1
        told[END], told[LINES] = at, lines
        if at == source.end:
            break
        seats, at = read_players(text, at)
        if seats >= len(openings) or openings[seats] == -2:
            break
        at, passed = read_deck(source, cards, used, into.decks[game], at)
        if at >= 0:
            at, passed = read_end(source, at, passed)
        if at < 0:
            told[IS_SHORT] = at == SHORT and source.is_last == 0
            break
        if openings[seats] >= 0 and cards.not_opened >> into.decks[game, openings[seats]] & 1 == 1:
            break
        into.players[game] = seats
        game += 1
        lines += passed
    if game == len(into.players):
        told[END], told[LINES] = at, lines
    return game


def is_blank(byte: int) -> bool:
    """Whether a byte is a space, a tab or a line end."""
    return byte in (SPACE, NEWLINE, TAB)


def read_players(text: Array, at: int) -> tuple[int, int]:
    """The number of one or two digits that is at an index, and the index after it; a large number for anything else."""
    digit = text[at] - ZERO
    if digit < 1 or digit > 9:
        return NAMES, at
    other = text[at + 1] - ZERO
    if other < 0 or other > 9:
        return digit, at + 1
    return 10 * digit + other, at + 2


def read_deck(source: GameText, cards: CardNames, used: Array, deck: Array, at: int) -> tuple[int, int]:
    """Read the cards of a deck from an index on: the index after them, or why there is none, and the line ends.

    used: room for how often each name was read.
    """
    text, steps, copies = source.text, cards.steps, cards.copies
    for name in range(NAMES):
        used[name] = 0
    lines = 0
    for place in range(len(deck)):
        before = at
        while is_blank(text[at]):
            if text[at] == NEWLINE:
                if source.by_lines == 1:
                    return REFUSED, lines
                lines += 1
            at += 1
        if at == source.end:
            return SHORT, lines
        state = START * (at > before)
        while text[at] > SPACE:
            state = steps[state, text[at]]
            at += 1
        name = cards.names[state]
        if name == NAMES or used[name] >= copies[name]:
            return REFUSED, lines
        deck[place] = cards.codes[cards.firsts[name] + used[name]]
        used[name] += 1
    return at, lines


def read_end(source: GameText, at: int, lines: int) -> tuple[int, int]:
    """Read what follows a deck: the line end, or in front of another game blanks, which are not part of the deck."""
    text, end = source.text, source.end
    if source.by_lines == 1:
        while is_blank(text[at]) and text[at] != NEWLINE:
            at += 1
        if text[at] == NEWLINE:
            return at + 1, lines + 1
        return REFUSED, lines
    after = at
    while is_blank(text[after]):
        after += 1
    digit = text[after] - ZERO
    if after == end and source.is_last == 0:
        return SHORT, lines
    if after == end or (after > at and digit >= 0 and digit <= 9):
        return at, lines
    return REFUSED, lines


# ---------------------------------------------------------------- text is written


def write_number(out: Array, at: int, number: int) -> int:
    """Write a number in decimal digits; the index after it."""
    if number < 0:
        out[at] = MINUS
        at += 1
        number = -number
    if number < 10:
        out[at] = ZERO + number
        return at + 1
    digits = 2
    power = 100
    while power <= number:
        power *= 10
        digits += 1
    for index in range(digits):
        out[at + digits - 1 - index] = ZERO + number % 10
        number //= 10
    return at + digits


class WordRows(NamedTuple):
    """Words of any lengths as rows of bytes."""

    texts: Array2D[np.uint8]
    lengths: Array1D[np.int64]


def write_word(out: Array1D[np.uint8], at: int, words: WordRows, word: int) -> int:
    """Write a word of a table; the index after it."""
    for index in range(words.lengths[word]):
        out[at + index] = words.texts[word, index]
    end: int = at + words.lengths[word]
    return end


def write_decks(
    players: Array1D[np.uint8], decks: Array2D[np.uint8], between: int, words: WordRows, out: Array1D[np.uint8]
) -> int:
    """Write games; how many bytes. between: the byte after the number of players. words: the name of each card, with a
    space after it.
    """
    at = 0
    for game in range(len(decks)):
        at = write_number(out, at, players[game])
        out[at] = between
        at += 1
        for place in range(decks.shape[1]):
            at = write_word(out, at, words, decks[game, place])
        out[at - 1] = NEWLINE
    return at


class Outcomes(NamedTuple):
    """How games came out, a row for each.

    scores, marks: the scores and the numbers of a line after them, those of a row from `bases` on. laid: how many cards
    of a row are laid. cards: these cards, from `places` on, in a ring: the first at `begins`, the others after it under
    `masks`.
    """

    results: ResultRows
    scores: Array1D[np.int32]
    marks: Array1D[np.int32]
    bases: Array1D[np.int64]
    laid: Array1D[np.int64]
    cards: Array1D[np.uint8]
    places: Array1D[np.int64]
    begins: Array1D[np.int64]
    masks: Array1D[np.int64]


class ResultText(NamedTuple):
    """How results are written.

    words: the name of each card with a space after it, then the word in front of scores. unwon: the line of each ending
    without a winner. parts: what is written (LAID, ALWAYS, MARKS).
    """

    words: WordRows
    unwon: WordRows
    parts: int


def write_results(
    start: int,
    players: Array1D[np.uint8],
    rows: Array1D[np.int64],
    outcomes: Outcomes,
    form: ResultText,
    out: Array1D[np.uint8],
    told: Array1D[np.int64],
) -> int:
    """Write the results of games from `start` on, up to one that others write; its number, or that of all.

    players: of each game. rows: the row of each game, or -1 where others write it. told: how many bytes.
    """
    words, parts, bases, laid = form.words, form.parts, outcomes.bases, outcomes.laid
    at, game = 0, start
    while game < len(players) and rows[game] >= 0:
        row, seats = rows[game], players[game]
        result = outcomes.results[row]
        if parts & LAID != 0:
            begin, mask, place = outcomes.begins[row], outcomes.masks[row], outcomes.places[row]
            for index in range(laid[row]):
                at = write_word(out, at, words, outcomes.cards[place + (begin + index & mask)])
            if laid[row] == 0:
                at += 1
            out[at - 1] = NEWLINE
        if result.winner >= 0 or result.winners != 0 or parts & ALWAYS != 0:
            at = write_word(out, at, words, len(words.lengths) - 1)
            at = write_numbers(out, at, outcomes.scores, bases[row], seats)
            if parts & MARKS != 0:
                at = write_numbers(out, at, outcomes.marks, bases[row], seats)
        else:
            at = write_word(out, at, form.unwon, result.ending)
        game += 1
    told[END] = at
    return game


def write_numbers(out: Array, at: int, numbers: Array, first: int, count: int) -> int:
    """Write some numbers on a line; the index after it."""
    for index in range(count):
        at = write_number(out, at, numbers[first + index])
        out[at] = SPACE
        at += 1
    out[at - 1] = NEWLINE
    return at


LAID, ALWAYS, MARKS = 1, 2, 4
"""Whether the cards laid are a line, whether scores are written of a game that nobody has won as well, and whether the
marks are a line.
"""


def laid_cards(
    log: Array2D[np.int16],
    ends: Array1D[np.int64],
    lays: Array1D[np.uint8],
    openings: Array1D[np.int64],
    places: Array1D[np.int64],
    laid: Array1D[np.int64],
    cards: Array1D[np.uint8],
) -> None:
    """Find the cards laid in the events of games: the opening card of each, then that of each event in which one is.

    lays: for each arc 1 if a card is laid by it. openings: the opening card of each game, or -1. places, laid: where
    the cards of each game begin among `cards`, and how many they are.
    """
    at, event = 0, 0
    for game in range(len(ends)):
        places[game] = at
        if openings[game] >= 0:
            cards[at] = openings[game]
            at += 1
        while event < ends[game]:
            if lays[log[event, 0]] == 1 and log[event, 2] >= 0:
                cards[at] = log[event, 2]
                at += 1
            event += 1
        laid[game] = at - places[game]


def marks_of(tables: Array1D[np.uint8], marks: Array2D[np.int32]) -> None:
    """Find the mark of each seat of games from their tables, which lie one after another as they are saved."""
    table = given.make()
    for game in range(len(marks)):
        given.load(table, tables.ctypes.data + game * given.TABLE_BYTES)
        for seat in range(marks.shape[1]):
            marks[game, seat] = given.game_mark(table, seat)
