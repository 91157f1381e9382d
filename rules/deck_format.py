"""The plain input format of a game, and the decks of an input, which are read line by line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, overload

from rules.notation import Notation, one_of
from rules.reading import (
    STDIN,
    BadCards,
    BadLine,
    CountedReader,
    Dealt,
    InputError,
    card_codes,
    counting,
    faults_of,
    filled_lines,
)
from rules.without import LeftOut


class Decks(Sequence[Dealt]):
    """The games of an input in little more memory than their card codes.

    size: cards of a deck. players: a byte for each game. codes: all decks, one after another.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.players, self.codes = bytearray(), bytearray()

    def append(self, dealt: Dealt) -> None:
        """Add a game."""
        self.players.append(dealt.players)
        self.codes += dealt.deck

    def __len__(self) -> int:
        return len(self.players)

    @overload
    def __getitem__(self, index: int) -> Dealt: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Dealt]: ...
    def __getitem__(self, index: int | slice) -> Dealt | Sequence[Dealt]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        start = range(len(self))[index] * self.size
        return Dealt(self.players[index], bytes(self.codes[start : start + self.size]))


class DeckReader(Protocol):
    """Reads the games of an input, line by line.

    decks: those of the valid games so far. by_lines: whether each game has a line of its own, else its words may stand
    on several lines.
    """

    decks: Decks
    by_lines: bool

    @property
    def format(self) -> DeckFormat:
        """As what the games are read."""

    @property
    def announced(self) -> int | None:
        """How many games are announced, if that was read."""

    def line(self, number: int, text: str) -> None:
        """Read a line that is not blank, or the rest of one. Raises InputError if nothing more is to be read."""

    def begins(self, text: bytes, start: int) -> bool:
        """Whether valid games that begin at an index of the input may be added to `decks` by others."""

    def passed(self, games: int, number: int) -> None:
        """Note that others have added games. number: of the line that is read next. Raises InputError as `line`."""

    def end(self) -> None:
        """Raise InputError, which lists all faults."""


def number_of_players(counts: Sequence[int]) -> str:
    """Return what is expected where a number of players stands. counts: those that can play."""
    numbers = one_of(counts)
    return f"a number of players from {numbers}" if " to " in numbers else f"{numbers} as the number of players"


@dataclass(frozen=True)
class DeckFormat:
    """The plain input format of a game: the number of games, then a line for each: its players and the whole deck.

    deck: the card codes, in any order. counts: the numbers of players that can play. between: what is written between
    the players and the deck. not_opened: the cards that must not lie at the index `opening`, a mask. left_out: those
    that are left out for some numbers of players; they may be missing in the deck, which has them last.
    """

    notation: Notation
    deck: Sequence[int]
    counts: Sequence[int]
    left_out: LeftOut = field(default_factory=LeftOut)
    between: ClassVar[str] = " "
    not_opened: ClassVar[int] = 0

    @property
    def players(self) -> str:
        """The numbers of players, for messages."""
        return number_of_players(self.counts)

    def reader(self, source: str = STDIN) -> DeckReader:
        """What reads the games of an input."""
        return LineReader(self, source)

    def read_games(self, text: str, source: str = STDIN) -> list[Dealt]:
        """The games of a whole input. Raises InputError, which lists all invalid lines."""
        reader = self.reader(source)
        for number, line in filled_lines(text):
            reader.line(number, line)
        reader.end()
        return list(reader.decks)

    def read_line(self, line: str) -> Dealt:
        """The game of one line. Raises InputError."""
        try:
            return self.read(line)
        except ValueError as error:
            raise InputError(faults_of(error, 1), "line") from None

    def write_line(self, players: int, deck: Sequence[int]) -> str:
        """The line of a game."""
        return f"{players}{self.between}{' '.join(self.notation.names(deck))}"

    def codes(self, players: int, words: Iterable[str]) -> bytes:
        """Return the codes of a deck, those last that are left out. words: names of cards. Raises BadCards."""
        words, left = list(words), self.left_out.get(players, ())
        if left and len(words) == len(self.deck) - len(left):
            words += self.notation.names(left)
        return self.left_out.put_last(card_codes(words, self.notation, self.deck), players)

    def opening(self, players: int) -> int:
        """The index of the card that must not be one of `not_opened`; -1 if any may be there."""
        return -1

    def read(self, line: str) -> Dealt:
        """The game of one line. Raises ValueError, which has no line."""
        size = len(self.deck)
        enough = size + 8  # the first words are enough for the message about a line of megabytes
        words = line.split(maxsplit=enough)
        players = counting(words[0] if words else "", self.players)
        if len(words) > enough:
            raise ValueError(f"more than {enough} words; write {self.players} and {size} {self.notation.card_word}s")
        fits = players in self.counts
        wrong = [] if fits else [f"{players:,} player{'s' * (players != 1)} cannot play; use {self.players}"]
        try:
            deck = self.codes(players, words[1:])
        except BadCards as error:
            raise BadLine([*wrong, *error.whats]) from None
        if wrong:
            raise BadLine(wrong)
        return Dealt(players, deck)


class LineReader:
    """Reads the games of a plain input. It is a `DeckReader`."""

    by_lines = True

    def __init__(self, format: DeckFormat, source: str) -> None:
        self.format, self.decks = format, Decks(len(format.deck))
        self._list = CountedReader(source, "games", format.read, self.decks.append)
        self.line, self.end = self._list.line, self._list.end

    @property
    def announced(self) -> int | None:
        """How many games are announced, if that was read."""
        return self._list.announced

    def begins(self, text: bytes, start: int) -> bool:
        """Whether the number of games was read."""
        return self._list.has_begun

    def passed(self, games: int, number: int) -> None:
        """Count games that others have added."""
        self._list.count(games, number)
