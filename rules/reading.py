"""Parsing of a problem's input: all errors are reported at once, with what was expected, before any game is played."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar
from unicodedata import normalize

from rules.errors import Explained
from rules.notation import Notation, many, shown

STDIN = "<stdin>"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
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

    @property
    def decks(self) -> tuple[bytes, ...]:
        """The decks: this one, as a game has one round."""
        return (self.deck,)


def decoded(data: bytes, source: str) -> str:
    """Return the text of `data`, which may start with a byte order mark; each of its lines ends in a line feed.

    Lines may end in LF, in CR LF as on Windows, or in CR. Raises InputError for bytes that are not UTF-8 text.
    """
    data = data.removeprefix(BYTE_ORDER_MARK)
    try:
        text = data.decode().replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n") + 1
        raise InputError([no_text(line)], source) from None
    if "\0" in text:
        raise InputError([zero_byte(text.count("\n", 0, text.index("\0")) + 1)], source)
    return text


def no_text(line: int) -> Fault:
    """Return the fault of a line that is not UTF-8 text."""
    return Fault(line, "the line is not UTF-8 text; use letters, digits and spaces")


def zero_byte(line: int) -> Fault:
    """Return the fault of a line with a zero byte."""
    return Fault(line, "the line has a zero byte; use letters, digits and spaces")


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


MAX_FAULTS_OF_INPUT = 100_000
"""Maximum number of wrong lines that are listed: an input with more of them is not read to its end."""
MAX_EXCESS = 100_000
"""Maximum number of games beyond those announced, of cards beyond a deck, or of blank lines in a row: of an input with
more the rest is not read.
"""
MAX_DIGITS = 9
"""Maximum number of digits of a number of the input."""
MAX_LINE = 1 << 24
"""Maximum number of bytes of a line, and of a game that is written over several lines with blanks between."""


class FaultList:
    """The faults of an input that is read piece by piece. announced: where the number of what follows stands."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.faults: list[Fault] = []

    def add(self, *faults: Fault) -> None:
        """Note faults. Raises InputError, which lists all of them, if there are too many to read on."""
        self.faults += faults
        if len(self.faults) >= MAX_FAULTS_OF_INPUT:
            last = self.faults[-1].line
            self.add_last(Fault(last, f"{len(self.faults)} faults up to this line; the rest was not read"))

    def add_last(self, fault: Fault) -> None:
        """Note a fault after which nothing is read. Raises InputError."""
        self.faults.append(fault)
        self.check()

    def check(self) -> None:
        """Raise InputError if there is a fault."""
        if self.faults:
            raise InputError(self.faults, self.source)


class CountedReader(Generic[T]):
    """Reads a counted list line by line: the number of `items` (`games`), then a line for each, parsed by `read`.

    `read` raises ValueError for a bad line. add: keeps what was read. found: how many lines follow the number.
    """

    def __init__(self, source: str, items: str, read: Callable[[str], T], add: Callable[[T], object]) -> None:
        self.faults = FaultList(source)
        self.items, self._read, self._add = items, read, add
        self.announced: int | None = None
        self.found = 0
        self._first = 0

    @property
    def has_begun(self) -> bool:
        """Whether the line with the number was read."""
        return self._first > 0

    def line(self, number: int, text: str) -> None:
        """Read a line that is not blank. number: from 1. Raises InputError if nothing more is to be read."""
        if self.has_begun:
            self.count(1, number)
            self._parse(number, text)
            return
        self._first = number
        try:
            self.announced = counting(text, f"the number of {self.items} alone on the line")
        except ValueError as error:
            self.faults.add(Fault(number, str(error)))
            if len(text.split(maxsplit=1)) > 1:
                self._parse(number, text)

    def count(self, lines: int, number: int) -> None:
        """Count lines that follow the number. number: of the last of them. Raises InputError for far too many."""
        self.found += lines
        if self.announced is not None and self.found > self.announced + MAX_EXCESS:
            self.faults.faults.insert(0, self._miscounted(f" up to line {number}"))
            self.faults.check()

    def end(self) -> None:
        """Raise InputError, which lists all faults."""
        if not self.has_begun:
            self.faults.add_last(Fault(1, f"the input is empty; it must begin with the number of {self.items}"))
        if self.announced not in (None, self.found):
            self.faults.faults.insert(0, self._miscounted())
        self.faults.check()

    def _miscounted(self, to: str = "") -> Fault:
        assert self.announced is not None
        return Fault(self._first, miscounted("first line", self.announced, self.items, self.found, to))

    def _parse(self, number: int, text: str) -> None:
        try:
            self._add(self._read(text))
        except ValueError as error:
            self.faults.add(*faults_of(error, number))


def read_counted(text: str, source: str, items: str, read: Callable[[str], T]) -> list[T]:
    """Parse a counted list: the number of `items` (`games`), then a line for each, parsed by `read`.

    `read` raises ValueError for a bad line. Raises InputError, which lists all invalid lines.
    """
    found: list[T] = []
    reader = CountedReader(source, items, read, found.append)
    for number, line in filled_lines(text):
        reader.line(number, line)
    reader.end()
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
        yield Fault(word.line, miscounted("first line", count, items, found))


def miscounted(where: str, announced: int, items: str, found: int, to: str = "") -> str:
    """Return the sentence that more or fewer `items` (`games`) follow than a place announces. to: up to where."""
    one = items.removesuffix("es") if items.endswith("ches") else items.removesuffix("s")
    count = f"{found:,}" if found else "none"
    return (
        f"the {where} announces {many(announced, one, items)}, but {count} {'follows' if found == 1 else 'follow'}{to}"
    )


def counting(word: str, what: str) -> int:
    """The integer that `word` stands for. Raises ValueError, which names `what` as expected."""
    is_number = word.isascii() and word.isdigit()
    if is_number and len(word) <= MAX_DIGITS:
        return int(word)
    fault = f"has more than {MAX_DIGITS} digits" if is_number else "is not a number"
    raise ValueError(f"{shown(word)} {fault}; use {what}")


def card_codes(words: Iterable[str], notation: Notation, deck: Sequence[int]) -> bytes:
    """The codes of the cards named by `words`, which must be exactly those of `deck`.

    Raises BadCards, which names unknown cards, cards that occur too often, and the number of cards.
    """
    left = notation.by_name(reversed(deck))
    copies = {name: len(codes) for name, codes in left.items()}
    named: list[int] = []
    faults: list[tuple[int, str]] = []
    extra = Counter[str]()
    index = 0
    for index, word in enumerate(words, 1):
        if not notation.knows(word):
            faults.append((index, f"card {index}: unknown card {shown(word)}; {notation.hint(word)}"))
        elif not left[word]:
            limit = (
                "each card may appear only once" if copies[word] == 1 else f"it may appear only {times(copies[word])}"
            )
            extra[word] += 1
            faults.append((index, f"card {index}: {word} appears {times(copies[word] + extra[word])}; {limit}"))
        else:
            named.append(left[word].pop())
        if index > len(deck):
            break
    if len(faults) > MAX_FAULTS:
        at, more = faults[MAX_FAULTS][0], len(faults) - MAX_FAULTS
        faults[MAX_FAULTS:] = [
            (at, f"{many(more, 'more card')} from card {at} on {'is' if more == 1 else 'are'} wrong")
        ]
    if index < len(deck):
        missing = [name for name, codes in left.items() if codes]
        absent = f"; missing: {' '.join(missing)}" if len(missing) <= 8 and not faults else ""
        faults.append((0, f"{many(index, 'card')} instead of {len(deck)}{absent}"))
    if faults:
        raise BadCards(faults)
    return bytes(named)


def times(number: int) -> str:
    """Return how often in words: `once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


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
