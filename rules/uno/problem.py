"""The input of the problem: the number of games, then for each the number of players and 108 cards, over any lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from rules.reading import (
    NUMBER,
    STDIN,
    Dealt,
    Fault,
    InputError,
    Word,
    counting,
    deck_of,
    faults_of_count,
    read_cases,
    words_of,
)
from rules.uno.cards import DECK_SIZE, FIRST_WILD, UNO_CARDS
from rules.uno.game import FEWEST_PLAYERS, MAX_PLAYERS, cards_each, fill

COUNT = "the number of games"
PLAYERS = f"a number of players from {FEWEST_PLAYERS} to {MAX_PLAYERS}"


@dataclass
class Case:
    """The words of one game: the number of players, if there is one, and the cards."""

    players: Word | None = None
    cards: list[Word] = field(default_factory=list)

    @property
    def line(self) -> int:
        """The line where the case begins."""
        return (self.players or self.cards[0]).line


def read_games(text: str, source: str = STDIN, may_expose_wild: bool = False) -> list[Dealt]:
    """The games of a whole input. Raises InputError, which lists the first error of each invalid game.

    may_expose_wild: whether a wild may follow the hands, as official UNO has it.
    """
    words = list(words_of(text))
    if not words:
        raise InputError([Fault(1, f"empty input, expected {COUNT}")], source)
    if len(words) > 1 and UNO_CARDS.knows(words[1].text):
        faults = [Fault(words[0].line, f"expected {COUNT} before the first game")]
        cases = _cases(words)
    else:
        cases = _cases(words[1:])
        faults = list(faults_of_count(words[0], "games", len(cases)))
    return read_cases(cases, partial(_read, may_expose_wild=may_expose_wild), faults, source)


def read_line(text: str, may_expose_wild: bool = False) -> Dealt:
    """The game of one case, which may span several lines. Raises InputError."""
    cases = _cases(list(words_of(text)))
    if len(cases) != 1:
        what = f"{len(cases)} games, expected one: {PLAYERS} and {DECK_SIZE} cards"
        raise InputError([Fault(cases[1].line if cases else 1, what)], "line")
    try:
        return _read(cases[0], may_expose_wild)
    except InputError as error:
        raise InputError(error.faults, "line") from None


def write_line(players: int, deck: Sequence[int]) -> str:
    """The case of the input for a game: a line with the number of players and one with the cards."""
    return f"{players}\n{' '.join(UNO_CARDS.names(deck))}"


def _cases(words: Sequence[Word]) -> list[Case]:
    """The words of each game. A game starts with a number, or with a word that is no card after a whole deck: no card
    begins with a digit or a sign.
    """
    cases: list[Case] = []
    for word in words:
        whole = not cases or len(cases[-1].cards) >= DECK_SIZE
        if NUMBER.fullmatch(word.text) or (whole and not UNO_CARDS.knows(word.text)):
            cases.append(Case(word))
        elif cases:
            cases[-1].cards.append(word)
        else:
            cases.append(Case(None, [word]))
    return cases


def _read(case: Case, may_expose_wild: bool) -> Dealt:
    if case.players is None:
        raise InputError([Fault(case.line, f"cards, expected {PLAYERS} before them")])
    try:
        players = counting(case.players.text, PLAYERS)
    except ValueError as error:
        raise InputError([Fault(case.players.line, str(error))]) from None
    fits = FEWEST_PLAYERS <= players <= MAX_PLAYERS
    wrong = [] if fits else [Fault(case.players.line, f"{players} players, expected {PLAYERS}")]
    try:
        deck = _deck(case)
    except InputError as error:
        raise InputError([*wrong, *error.faults]) from None
    if wrong:
        raise InputError(wrong)
    index = players * cards_each(players)
    if deck[index] >= FIRST_WILD and not may_expose_wild:
        word = case.cards[index]
        what = f"card {index + 1}: {word.text} is exposed, expected no wild after the hands"
        raise InputError([Fault(word.line, what)])
    return Dealt(players, deck)


def _deck(case: Case) -> bytes:
    """The codes of the cards of a case. Raises InputError in the line of the card that is wrong, or of the last one."""
    whole = bytearray(DECK_SIZE)
    fill(whole)
    return deck_of(case.cards, UNO_CARDS, whole, case.line)
