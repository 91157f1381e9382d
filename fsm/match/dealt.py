"""The matches of an input.

The input has their number, then for each the players, the number of decks, and the decks, over any lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from fsm.match.setup import MATCH_UNIT
from fsm.stepping.game import Game
from rules.deck_format import number_of_players
from rules.match import SEATS
from rules.notation import Notation, many
from rules.reading import (
    NUMBER,
    STDIN,
    Dealt,
    Fault,
    InputError,
    Word,
    deck_of,
    faults_of_count,
    number_of,
    read_cases,
    words_of,
)

COUNT = "the number of matches"
NUMBERS = 2
"""Numbers with which a match begins: of players and of decks."""
NUMBER_OF_DECKS = f"a number of decks from 1 to {MATCH_UNIT.decks:,}"


class DealtMatch(NamedTuple):
    """One match of the input: the number of players and the card codes of each deck, the top card first."""

    players: int
    decks: tuple[bytes, ...]


DealtSeries = Dealt | DealtMatch
"""A game or a match of an input: the number of players and the decks."""


class MatchWords(NamedTuple):
    """The words of one match: the numbers of players and of decks, as far as they are there, and the cards."""

    numbers: list[Word]
    cards: list[Word]


def read_matches(kind: type[Game], text: str, source: str = STDIN) -> list[DealtMatch]:
    """The matches of a whole input. Raises InputError, which lists the errors of each invalid match."""
    words = list(words_of(text))
    if not words:
        raise InputError([Fault(1, f"the input is empty; it must begin with {COUNT}")], source)
    cases = _cases(words[1:], kind.declaration.codec.notation)
    return read_cases(cases, partial(_read, kind), faults_of_count(words[0], "matches", len(cases)), source)


def write_match(kind: type[Game], players: int, decks: Sequence[Sequence[int]]) -> str:
    """The case of the input for a match: a line with the players and the number of decks, and one for each deck."""
    names = kind.declaration.codec.notation.names
    return "\n".join([f"{players} {len(decks)}", *(" ".join(names(deck)) for deck in decks)])


def deal_match(kind: type[Game], players: int, seed: int, number: int) -> str:
    """Return the case of the input for match `number` of `seed`, with as many decks as a match can have."""
    numbers = (MATCH_UNIT.deck_number(number, index) for index in range(MATCH_UNIT.decks))
    decks = [kind.deck_of(players, seed, each) for each in numbers]
    return write_match(kind, players, decks)


def _cases(words: Sequence[Word], notation: Notation) -> list[MatchWords]:
    """The words of each match. A match starts with a number, unless it names a card, which another one follows."""
    cases: list[MatchWords] = []
    for word in words:
        is_number = NUMBER.fullmatch(word.text) and not notation.knows(word.text)
        if not cases or (is_number and (cases[-1].cards or len(cases[-1].numbers) == NUMBERS)):
            cases.append(MatchWords([], []))
        (cases[-1].numbers if is_number else cases[-1].cards).append(word)
    return cases


def _read(kind: type[Game], case: MatchWords) -> DealtMatch:
    codec, size = kind.declaration.codec, kind.declaration.deck_size
    seated = [players for players in codec.players if players <= SEATS]
    expected = number_of_players(seated)
    players = _number(case, 0, expected, seated, "players cannot play")
    decks = _number(case, 1, NUMBER_OF_DECKS, range(1, MATCH_UNIT.decks + 1), "decks are out of range")
    if -(-len(case.cards) // size) != decks:
        word = codec.notation.card_word
        what = f"the match announces {many(decks, 'deck')} of {size} {word}s, but has {many(len(case.cards), word)}"
        raise InputError([Fault((case.cards or case.numbers)[-1].line, what)])
    parts = [case.cards[index * size : (index + 1) * size] for index in range(decks)]
    return DealtMatch(players, tuple(read_cases(enumerate(parts, 1), partial(_deck, kind, players), (), STDIN)))


def _number(case: MatchWords, index: int, expected: str, fits: Sequence[int], what: str) -> int:
    """The number of players or decks: the first or the second one of a case. Raises InputError."""
    if index >= len(case.numbers):
        raise InputError(
            [Fault((case.cards or case.numbers)[0].line, f"{expected} is missing; write it before the cards")]
        )
    word = case.numbers[index]
    number = number_of(word, expected)
    if number not in fits:
        raise InputError([Fault(word.line, f"{number} {what}; use {expected}")])
    return number


def _deck(kind: type[Game], players: int, numbered: tuple[int, Sequence[Word]]) -> bytes:
    """The codes of a deck that can be dealt. Raises InputError in the line of the wrong card, or of the last one."""
    index, words = numbered
    try:
        deck = deck_of(words, kind.declaration.codec.notation, kind.full_deck(), words[0].line)
        deck = kind.declaration.left_out.put_last(deck, players)
        kind.of_deck(players, deck)
    except InputError as error:
        faults = [Fault(fault.line, f"deck {index}: {fault.what}") for fault in error.faults]
        raise InputError(faults) from None
    except ValueError as error:
        raise InputError([Fault(words[-1].line, f"deck {index}: {error}")]) from None
    return deck
