"""The input of the problem: the number of games, then for each the number of players and 108 cards, over any lines."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field

from rules.deck_format import DeckFormat, DeckReader, Decks
from rules.notation import many
from rules.reading import (
    MAX_EXCESS,
    NUMBER,
    STDIN,
    Dealt,
    Fault,
    FaultList,
    InputError,
    Word,
    counting,
    deck_of,
    faults_of_count,
    number_of,
    words_of,
)
from rules.uno.cards import FIFTIES
from rules.uno.game import cards_each

COUNT = "the number of games"


NUMBER_AHEAD = re.compile(rb"[ \t\r]*" + NUMBER.pattern.encode() + rb"[ \t\r\n]")


@dataclass
class GameWords:
    """The words of one game: the number of players, if there is one, and the cards."""

    players: Word | None = None
    cards: list[Word] = field(default_factory=list)

    @property
    def line(self) -> int:
        """The line where the case begins."""
        return (self.players or self.cards[0]).line


class UnoFormat(DeckFormat):
    """The input format of games with the cards of UNO: no wild may follow the hands."""

    not_opened = FIFTIES
    between = "\n"

    def reader(self, source: str = STDIN) -> DeckReader:
        """What reads the games of an input: the first error of each invalid game is listed."""
        return CaseReader(self, source)

    def read_line(self, line: str) -> Dealt:
        """The game of one case, which may span several lines. Raises InputError."""
        splitter = CaseSplitter(self)
        cases = [case for word in words_of(line) if (case := splitter.add(word))]
        cases += [splitter.case] if splitter.case else []
        if len(cases) != 1:
            what = f"{many(len(cases), 'game')} instead of one: {self.players} and {len(self.deck)} cards"
            raise InputError([Fault(cases[1].line if cases else 1, what)], "line")
        try:
            return self.read_case(cases[0])
        except InputError as error:
            raise InputError(error.faults, "line") from None

    def opening(self, players: int) -> int:
        """The index of the card that follows the hands."""
        return players * cards_each(players)

    def read_case(self, case: GameWords) -> Dealt:
        """The game of a case. Raises InputError."""
        if case.players is None:
            raise InputError([Fault(case.line, f"the cards begin without {self.players}; write it before them")])
        players = number_of(case.players, self.players)
        fits = players in self.counts
        wrong = [] if fits else [Fault(case.players.line, f"{many(players, 'player')} cannot play; use {self.players}")]
        try:
            deck = deck_of(case.cards, self.notation, self.deck, case.line)
        except InputError as error:
            raise InputError([*wrong, *error.faults]) from None
        if wrong:
            raise InputError(wrong)
        index = self.opening(players)
        if self.not_opened >> deck[index] & 1:
            word = case.cards[index]
            what = f"card {index + 1}: the exposed card {word.text} is a wild; put another card after the hands"
            raise InputError([Fault(word.line, what)])
        return Dealt(players, deck)


class OfficialFormat(UnoFormat):
    """The input format of rounds of official UNO."""

    not_opened = 0


class CaseSplitter:
    """Cuts the words of an input into games. A game starts with a number, or with a word that is not a card after a
    whole
    deck: no card begins with a digit or a sign.

    case: the game whose words are being read; of those beyond its deck only the first is kept. beyond: how many others
    there are.
    """

    def __init__(self, format: DeckFormat) -> None:
        self.knows, self.size = format.notation.knows, len(format.deck)
        self.case: GameWords | None = None
        self.beyond = 0

    def add(self, word: Word) -> GameWords | None:
        """Read a word; the game that it ends, if it begins another one."""
        before = self.case
        whole = before is None or len(before.cards) >= self.size
        if NUMBER.fullmatch(word.text) or (whole and not self.knows(word.text)):
            self.case, self.beyond = GameWords(word), 0
            return before
        if before is None:
            self.case = GameWords(None, [word])
        elif len(before.cards) <= self.size:
            before.cards.append(word)
        else:
            self.beyond += 1
        return None


class CaseReader:
    """Reads the games of an input of words, over any lines. It is a `DeckReader`."""

    by_lines = False

    format: UnoFormat

    def __init__(self, format: UnoFormat, source: str) -> None:
        self.decks = Decks(len(format.deck))
        self.format, self._faults = format, FaultList(source)
        self._cases = CaseSplitter(format)
        self._count: Word | None = None
        self._is_counted: bool | None = None
        self._found = 0
        self.announced: int | None = None

    def line(self, number: int, text: str) -> None:
        """Read the words of a line. Raises InputError if nothing more is to be read."""
        for each in text.split():
            word = Word(number, each)
            if self._count is None:
                self._count = word
                with suppress(ValueError):
                    self.announced = counting(each, COUNT)
                continue
            if self._is_counted is None and not self._settle(self.format.notation.knows(word.text)):
                self._close(self._cases.add(self._count))
            self._close(self._cases.add(word))
            if self._cases.beyond > MAX_EXCESS:
                self._end_case()
                self._faults.check()

    def begins(self, text: bytes, start: int) -> bool:
        """Whether the number of games was read and a number follows, which begins a game; the one before has ended."""
        if self._count is None or NUMBER_AHEAD.match(text, start) is None:
            return False
        self._end_case()
        return True

    def passed(self, games: int, number: int) -> None:
        """Count games that others have added."""
        if games and self._is_counted is None:
            self._is_counted = True
        self._add(games)

    def end(self) -> None:
        """Raise InputError, which lists all faults."""
        self._end_case()
        if self._count is None:
            self._faults.add_last(Fault(1, f"the input is empty; it must begin with {COUNT}"))
            return
        if self._is_counted is not False:
            self._faults.faults[:0] = faults_of_count(self._count, "games", self._found)
        self._faults.check()

    def _settle(self, is_card: bool) -> bool:
        """Note by the second word whether the first one is the number of games."""
        self._is_counted = not is_card
        if is_card and self._count:
            self._faults.add(Fault(self._count.line, f"{COUNT} is missing; write it before the first game"))
        return not is_card

    def _close(self, case: GameWords | None) -> None:
        if case is None:
            return
        try:
            self.decks.append(self.format.read_case(case))
        except InputError as error:
            self._faults.add(*error.faults)
        self._add(1)

    def _end_case(self) -> None:
        """End the game whose words were read."""
        case, self._cases.case = self._cases.case, None
        self._close(case)

    def _add(self, games: int) -> None:
        """Count games. Raises InputError for far too many."""
        self._found += games
        if self._count and self._is_counted and self._found > MAX_EXCESS + (self.announced or self._found):
            self._faults.faults[:0] = faults_of_count(self._count, "games", self._found)
            self._faults.check()
