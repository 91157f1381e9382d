"""Inputs read in blocks of bytes: however long one is, only the card codes of its games are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from rules.deck_format import DeckFormat, DeckReader, Decks
from rules.reading import BYTE_ORDER_MARK, MAX_EXCESS, MAX_LINE, Fault, InputError, no_text, zero_byte


class Passed(NamedTuple):
    """How far an input was read that others read. games: how many they have added. end: the index after the last of
    them. lines: the line ends before it. is_short: whether the next game goes on beyond the text.
    """

    games: int
    end: int
    lines: int
    is_short: bool


UsualFrom = Callable[[int, Decks], Passed]
"""Reads games as they are usually written: adds those at an index of its text to the decks, up to the first one that is
written otherwise.
"""
Usual = Callable[[bytes, bool], UsualFrom]
"""Prepares a text once, however often it is read on after a line that is not as usual. The flag says whether the input
ends with the text.
"""


def read_decks(
    format: DeckFormat, blocks: Iterable[bytes], source: str, usual: Callable[[DeckReader], Usual | None]
) -> Decks:
    """The games of an input. Raises InputError, which lists all faults.

    blocks: the bytes of the input. usual: what reads games as they are usually written, once it is known how many are
    announced, if anything.
    """
    reader = format.reader(source)
    BlockReader(reader, source, usual).read(blocks)
    reader.end()
    return reader.decks


MOST_LEFT = 63
"""Lines that are read one by one after many in a row that are not as usual: those are slower to try than to read."""


class BlockReader:
    """Gives the lines of an input to a reader of decks. number: of the next line.

    A line at which nothing was read as usual is followed by more that are not tried: 1, then 3, 7, ... lines.
    """

    def __init__(self, reader: DeckReader, source: str, usual: Callable[[DeckReader], Usual | None]) -> None:
        self.reader, self.source, self._find_usual = reader, source, usual
        self.number = 1
        self._usual: Usual | None = None
        self._is_sought = True
        self._zero: Fault | None = None
        self._rest = b""
        self._filled = 0
        self._failed = self._left = 0

    def read(self, blocks: Iterable[bytes]) -> None:
        """Read a whole input. Raises InputError for bytes that are not text, and if nothing more is to be read."""
        for text, is_last in self._texts(blocks):
            self._rest = self._read(self._rest + text, is_last)
        if self._zero:
            raise InputError([self._zero], self.source)

    def _texts(self, blocks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
        """The input in pieces of whole lines, and whether it is the last one."""
        rest, is_first = b"", True
        for block in _with_line_feeds(blocks):
            rest = rest + block
            if is_first:
                if len(rest) < len(BYTE_ORDER_MARK):
                    continue
                rest, is_first = rest.removeprefix(BYTE_ORDER_MARK), False
            end = rest.rfind(b"\n") + 1
            if end:
                yield rest[:end], False
            rest = rest[end:]
            if len(rest) > MAX_LINE:
                self._refuse(rest)
        yield rest.removeprefix(BYTE_ORDER_MARK if is_first else b"") + b"\n", True

    def _refuse(self, line: bytes) -> None:
        """Raise InputError for a line that is too long."""
        number = self.number + self._rest.count(b"\n")
        too_long = Fault(number, f"the line has more than {MAX_LINE:,} bytes; write one game on each line")
        raise InputError([self._zero or (zero_byte(number) if b"\0" in line else too_long)], self.source)

    def _read(self, text: bytes, is_last: bool) -> bytes:
        """Read whole lines; what is left of them, as a game goes on beyond them."""
        at, usual = 0, None
        while at < len(text):
            if self._zero is None and not self._left and self.reader.begins(text, at):
                if self._is_sought:
                    self._is_sought, self._usual = False, self._find_usual(self.reader)
                if self._usual:
                    usual = usual or self._usual(text, is_last)
                    passed = usual(at, self.reader.decks)
                    at, self.number = passed.end, self.number + passed.lines
                    if passed.games:
                        self._filled = self.number
                    self._check_blank()
                    self.reader.passed(passed.games, self.number)
                    self._failed = 0 if passed.games else min(2 * self._failed + 1, MOST_LEFT)
                    self._left = self._failed
                    if passed.is_short and len(text) - at <= MAX_LINE:
                        return text[at:]
                    if at == len(text):
                        break
            end = text.index(b"\n", at)
            self._line(text[at:end])
            at, self.number, self._left = end + 1, self.number + 1, max(self._left - 1, 0)
        return b""

    def _line(self, data: bytes) -> None:
        """Read a line, or the rest of one. What follows a zero byte is only searched for bytes that are not text."""
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise InputError([no_text(self.number)], self.source) from None
        if self._zero is None and "\0" in text:
            self._zero = zero_byte(self.number)
        elif self._zero is None and (filled := text.strip()):
            self.reader.line(self.number, filled)
            self._filled = self.number
        else:
            self._check_blank()

    def _check_blank(self) -> None:
        """Raise InputError after too many lines from which no game was read."""
        if self.number - self._filled > MAX_EXCESS:
            blank = Fault(self.number, f"{MAX_EXCESS:,} blank lines in a row; remove them")
            raise InputError([self._zero or blank], self.source)


def _with_line_feeds(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The same blocks, in which each line ends in a line feed: those that end in CR LF or CR as well."""
    before = b""
    for block in blocks:
        text = before + block
        before = b"\r" * text.endswith(b"\r")  # a line feed may follow
        text = text.removesuffix(before)
        yield text.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in text else text
    yield before.replace(b"\r", b"\n")
