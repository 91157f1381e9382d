"""Parsing of a problem's input: all errors are reported at once, with what was expected, before any game is played."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar
from unicodedata import normalize

from rules.errors import Explained
from rules.notation import Notation, shown

STDIN = "<stdin>"
NUMBER = re.compile(r"[-+]?\d[\d.,]*")
"""A word that is read as a number, possibly an invalid one."""
UNSEEN = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800"
    "\ufe00-\ufe0f\ufeff\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
"""Characters that show nothing."""
C = TypeVar("C")
T = TypeVar("T")


@dataclass(frozen=True)
class Fault:
    """An error in a line (from 1) of the input, and what was expected."""

    line: int
    what: str


class InputError(Explained, ValueError):
    """Invalid input; `faults` are all its errors, in the order of the lines. Of a part of an input, such as a word, it
    is raised without the source, which is known where the whole input is read.
    """

    def __init__(self, faults: Sequence[Fault], source: str = STDIN) -> None:
        super().__init__("\n".join(f"{source}:{fault.line}: {fault.what}" for fault in faults))
        self.faults = tuple(faults)


class Word(NamedTuple):
    """A word of the input and its line, from 1."""

    line: int
    text: str


class BadLine(ValueError):
    """All that is wrong in a line."""

    def __init__(self, whats: Iterable[str]) -> None:
        self.whats = tuple(whats)
        super().__init__("; ".join(self.whats))


class BadCards(BadLine):
    """All that is wrong with the cards of a deck, each with the index of the card, from 1, or 0 for their number."""

    def __init__(self, faults: Sequence[tuple[int, str]]) -> None:
        super().__init__(what for _, what in faults)
        self.indices = tuple(index for index, _ in faults)


MAX_FAULTS = 10
"""Maximum number of wrong cards of a deck that are listed; the others are counted."""


class Dealt(NamedTuple):
    """One game of the input: the number of players and the card codes of the deck, the top card first."""

    players: int
    deck: bytes


def decoded(data: bytes, source: str) -> str:
    """Return the text of `data`, which may start with a byte order mark; each of its lines ends in a line feed.

    Lines may end in LF, in CR LF as on Windows, or in CR. Raises InputError for bytes that are not UTF-8 text.
    """
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n") + 1
        what = f"byte {data[error.start]:#04x} is no text, expected letters, digits and spaces"
        raise InputError([Fault(line, what)], source) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError([Fault(line, "a zero byte, expected letters, digits and spaces")], source)
    return text


def plain_name(text: str) -> str:
    """Return a name as it is compared and shown: in one normal form, without what is not seen, blanks as one space.

    >>> plain_name("Zoe\\u0308"), plain_name("a\\u200bn\\xadna ")
    ('Zoë', 'anna')
    """
    return " ".join(normalize("NFKC", UNSEEN.sub("", normalize("NFKC", text))).split())


def filled_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers from 1."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line.strip()


def words_of(text: str) -> Iterator[Word]:
    """All words of the input, each with its line."""
    for line, filled in filled_lines(text):
        for word in filled.split():
            yield Word(line, word)


def read_counted(text: str, source: str, items: str, read: Callable[[str], T]) -> list[T]:
    """Parse a counted list: the number of `items` (`games`), then a line for each, parsed by `read`.

    `read` raises ValueError for a bad line. Raises InputError, which lists all invalid lines.
    """
    count = f"the number of {items}"
    lines = list(filled_lines(text))
    if not lines:
        raise InputError([Fault(1, f"empty input, expected {count}")], source)
    faults: list[Fault] = []
    found: list[T] = []
    (first, head), *rest = lines
    try:
        announced = counting(head[:80], f"{count} alone on the line")
        if announced != len(rest):
            what = f"{announced} {items} announced, expected a line for each, found {len(rest)}"
            faults.append(Fault(first, what))
    except ValueError as error:
        faults.append(Fault(first, str(error)))
        if len(head.split(maxsplit=1)) > 1:
            rest = lines
    for number, line in rest:
        try:
            found.append(read(line))
        except ValueError as error:
            faults += faults_of(error, number)
    if faults:
        raise InputError(faults, source)
    return found


def faults_of(error: ValueError, line: int) -> list[Fault]:
    """The faults that an error tells of a line."""
    return [Fault(line, what) for what in (error.whats if isinstance(error, BadLine) else [str(error)])]


def read_cases(cases: Iterable[C], read: Callable[[C], T], faults: Iterable[Fault], source: str) -> list[T]:
    """What `read` makes of each case of an input, or of each part of a case; it raises InputError for an invalid one.
    faults: those found before.

    Raises InputError, which lists these and the errors of each invalid case.
    """
    all_faults, found = list(faults), []
    for case in cases:
        try:
            found.append(read(case))
        except InputError as error:
            all_faults += error.faults
    if all_faults:
        raise InputError(all_faults, source)
    return found


def faults_of_count(word: Word, items: str, found: int) -> Iterator[Fault]:
    """What is wrong with a word that announces the number of `items` (`games`), of which `found` are there."""
    try:
        count = counting(word.text, f"the number of {items}")
    except ValueError as error:
        yield Fault(word.line, str(error))
        return
    if count != found:
        yield Fault(word.line, f"{count} {items} announced, found {found}")


def counting(word: str, what: str) -> int:
    """The integer that `word` stands for. Raises ValueError, which names `what` as expected."""
    is_number = word.isascii() and word.isdigit()
    if is_number and len(word) < 10:
        return int(word)
    raise ValueError(f"{shown(word)} is {'too large' if is_number else 'no number'}, expected {what}")


def card_codes(words: Iterable[str], notation: Notation, deck: Sequence[int]) -> bytes:
    """The codes of the cards named by `words`, which must be exactly those of `deck`.

    Raises BadCards, which names unknown cards, cards that occur too often, and the number of cards.
    """
    left = notation.by_name(reversed(deck))
    copies = {name: len(codes) for name, codes in left.items()}
    named: list[int] = []
    faults: list[tuple[int, str]] = []
    index = 0
    for index, word in enumerate(words, 1):
        if not notation.knows(word):
            faults.append((index, f"card {index}: unknown card {shown(word)}, {notation.hint(word)}"))
        elif not left[word]:
            often = "only once" if copies[word] == 1 else f"{copies[word]} times"
            faults.append((index, f"card {index}: {word} is there already, expected each card {often}"))
        else:
            named.append(left[word].pop())
        if index > len(deck):
            break
    if len(faults) > MAX_FAULTS:
        at, more = faults[MAX_FAULTS][0], len(faults) - MAX_FAULTS
        faults[MAX_FAULTS:] = [(at, f"{more} more of the cards from card {at} on are wrong, too")]
    if index < len(deck):
        missing = [name for name, codes in left.items() if codes]
        absent = f", missing {' '.join(missing)}" if len(missing) <= 8 and not faults else ""
        faults.append((0, f"{index} cards, expected {len(deck)}{absent}"))
    if faults:
        raise BadCards(faults)
    return bytes(named)


def number_of(word: Word, expected: str) -> int:
    """The integer that a word stands for. Raises InputError in its line."""
    try:
        return counting(word.text, expected)
    except ValueError as error:
        raise InputError([Fault(word.line, str(error))]) from None


def deck_of(words: Sequence[Word], notation: Notation, deck: Sequence[int], line: int) -> bytes:
    """The codes of the cards that `words` name, which must be exactly those of `deck`. line: the line before them.

    Raises InputError in the line of each card that is wrong, or of the last one.
    """
    try:
        return card_codes((word.text for word in words), notation, deck)
    except BadCards as error:
        last = words[-1].line if words else line
        lines = (words[index - 1].line if index else last for index in error.indices)
        raise InputError(list(map(Fault, lines, error.whats))) from None


@dataclass(frozen=True)
class DeckFormat:
    """The plain input format of a game: the number of games, then a line for each: its players and the whole deck.

    deck: the card codes, in any order. fewest, most: numbers of players.
    """

    notation: Notation
    deck: Sequence[int]
    fewest: int
    most: int

    @property
    def players(self) -> str:
        """The numbers of players, for messages."""
        if self.fewest == self.most:
            return f"{self.most} as the number of players"
        return f"a number of players from {self.fewest} to {self.most}"

    def read_games(self, text: str, source: str = STDIN) -> list[Dealt]:
        """The games of a whole input. Raises InputError, which lists all invalid lines."""
        return read_counted(text, source, "games", self._read)

    def read_line(self, line: str) -> Dealt:
        """The game of one line. Raises InputError."""
        try:
            return self._read(line)
        except ValueError as error:
            raise InputError(faults_of(error, 1), "line") from None

    def write_line(self, players: int, deck: Sequence[int]) -> str:
        """The line of a game."""
        return " ".join([str(players), *self.notation.names(deck)])

    def _read(self, line: str) -> Dealt:
        size = len(self.deck)
        enough = size + 8  # the first words are enough for the message about a line of megabytes
        words = line.split(maxsplit=enough)
        players = counting(words[0] if words else "", self.players)
        if len(words) > enough:
            raise ValueError(f"more than {enough} words, expected {self.players} and {size} {self.notation.card_word}s")
        fits = self.fewest <= players <= self.most
        wrong = [] if fits else [f"{players} players, expected {self.players}"]
        try:
            deck = card_codes(words[1:], self.notation, self.deck)
        except BadCards as error:
            raise BadLine([*wrong, *error.whats]) from None
        if wrong:
            raise BadLine(wrong)
        return Dealt(players, deck)
