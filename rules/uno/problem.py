"""The input of the problem: the number of games, then for each the number of players and 108 cards, over any lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules.reading import (
    NUMBER,
    STDIN,
    Dealt,
    DeckFormat,
    Fault,
    InputError,
    Word,
    deck_of,
    faults_of_count,
    number_of,
    read_cases,
    words_of,
)
from rules.uno.cards import FIRST_WILD
from rules.uno.game import cards_each

COUNT = "the number of games"


@dataclass
class Case:
    """The words of one game: the number of players, if there is one, and the cards."""

    players: Word | None = None
    cards: list[Word] = field(default_factory=list)

    @property
    def line(self) -> int:
        """The line where the case begins."""
        return (self.players or self.cards[0]).line


class UnoFormat(DeckFormat):
    """The input format of games with the cards of UNO. may_expose_wild: whether a wild may follow the hands."""

    may_expose_wild = False

    def read_games(self, text: str, source: str = STDIN) -> list[Dealt]:
        """The games of a whole input. Raises InputError, which lists the first error of each invalid game."""
        words = list(words_of(text))
        if not words:
            raise InputError([Fault(1, f"empty input, expected {COUNT}")], source)
        if len(words) > 1 and self.notation.knows(words[1].text):
            faults = [Fault(words[0].line, f"expected {COUNT} before the first game")]
            cases = self._cases(words)
        else:
            cases = self._cases(words[1:])
            faults = list(faults_of_count(words[0], "games", len(cases)))
        return read_cases(cases, self._read_case, faults, source)

    def read_line(self, line: str) -> Dealt:
        """The game of one case, which may span several lines. Raises InputError."""
        cases = self._cases(list(words_of(line)))
        if len(cases) != 1:
            what = f"{len(cases)} games, expected one: {self.players} and {len(self.deck)} cards"
            raise InputError([Fault(cases[1].line if cases else 1, what)], "line")
        try:
            return self._read_case(cases[0])
        except InputError as error:
            raise InputError(error.faults, "line") from None

    def write_line(self, players: int, deck: Sequence[int]) -> str:
        """The case of a game: a line with the number of players and one with the cards."""
        return super().write_line(players, deck).replace(" ", "\n", 1)

    def _cases(self, words: Sequence[Word]) -> list[Case]:
        """The words of each game. A game starts with a number, or with a word that is no card after a whole deck: no
        card begins with a digit or a sign.
        """
        cases: list[Case] = []
        for word in words:
            whole = not cases or len(cases[-1].cards) >= len(self.deck)
            if NUMBER.fullmatch(word.text) or (whole and not self.notation.knows(word.text)):
                cases.append(Case(word))
            elif cases:
                cases[-1].cards.append(word)
            else:
                cases.append(Case(None, [word]))
        return cases

    def _read_case(self, case: Case) -> Dealt:
        if case.players is None:
            raise InputError([Fault(case.line, f"cards, expected {self.players} before them")])
        players = number_of(case.players, self.players)
        fits = self.fewest <= players <= self.most
        wrong = [] if fits else [Fault(case.players.line, f"{players} players, expected {self.players}")]
        try:
            deck = deck_of(case.cards, self.notation, self.deck, case.line)
        except InputError as error:
            raise InputError([*wrong, *error.faults]) from None
        if wrong:
            raise InputError(wrong)
        index = players * cards_each(players)
        if deck[index] >= FIRST_WILD and not self.may_expose_wild:
            word = case.cards[index]
            what = f"card {index + 1}: {word.text} is exposed, expected no wild after the hands"
            raise InputError([Fault(word.line, what)])
        return Dealt(players, deck)


class OfficialFormat(UnoFormat):
    """The input format of rounds of official UNO."""

    may_expose_wild = True
