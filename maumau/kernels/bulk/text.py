"""Decks read from text and written to it by machine code, in blocks: no Python object is made for each card."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING

from fsm.edge.numbers import Array, np
from maumau.kernels.bulk.chunks import decks_of
from maumau.kernels.bulk.runner import rows_with_last
from maumau.kernels.compiled.text import (
    END,
    IS_SHORT,
    LINES,
    NAMES,
    START,
    CardNames,
    DeckRows,
    GameText,
    WordRows,
    read_decks,
    write_decks,
)
from maumau.kernels.compiler.machine_code import machine_code
from maumau.kernels.compiler.program import numbers, of_any_game
from maumau.kernels.compiler.source import dealing
from rules.blocks import Passed
from rules.deck_format import DeckFormat, Decks

if TYPE_CHECKING:
    from fsm.stepping.game import Game

BYTES_OF_NUMBER = 12
"""More bytes than a score or a number of players has, with what follows it."""
BETWEEN_CARDS = 2
"""The fewest bytes of a card in a text, with the blank before it."""


READ_DECKS = of_any_game(read_decks)
"""Reads decks. It depends on no game."""
WRITE_DECKS = of_any_game(write_decks)
"""Writes decks. It depends on no game."""


BLOCK = 1 << 14
"""Games that are dealt and written at a time."""


def dealt_texts(kind: type[Game], players: int, seed: int, first: int, games: int) -> Iterator[memoryview]:
    """The text of games `first`, `first` + 1, ... of `seed`, some games at a time. Raises CompilationError."""
    text, seats = DeckText(kind.deck_format()), np.full(BLOCK, players, np.uint8)
    machine_code(dealing(kind.declaration))

    def written(start: int) -> memoryview:
        decks = decks_of(kind.declaration, players, seed, start, min(BLOCK, first + games - start))
        return text.write(seats[: len(decks)], decks)

    return map(written, range(first, first + games, BLOCK))


def words_of(words: Iterable[str]) -> WordRows:
    """Return words for machine code."""
    texts = [word.encode() for word in words]
    rows = np.zeros((len(texts), max(map(len, texts))), np.uint8)
    for row, text in zip(rows, texts, strict=True):
        row[: len(text)] = list(text)
    return WordRows(rows, np.array([len(text) for text in texts], np.int64))


class DeckText:
    """The text of the decks of a format."""

    def __init__(self, format: DeckFormat) -> None:
        self.format = format
        self.size = len(format.deck)
        steps, names = _steps_of(by_name := format.notation.by_name(format.deck))
        copies = np.array([len(codes) for codes in by_name.values()], np.uint8)
        firsts = (np.cumsum(copies) - copies).astype(np.uint8)
        codes = np.array([code for codes in by_name.values() for code in codes], np.uint8)
        seats = range(max(format.counts) + 1)
        openings = np.array([format.opening(each) if each in format.counts else -2 for each in seats], np.int64)
        self._cards = CardNames(steps, names, copies, firsts, codes, openings, format.not_opened)

    @cached_property
    def words(self) -> WordRows:
        """The names of the cards by code, with a space after each."""
        return words_of(f"{name} " for name in self.format.notation.cards)

    def open(self, by_lines: bool, text: bytes, is_last: bool) -> partial[Passed]:
        """Prepare a text to be read as games are usually written: it is copied here, not for each of its unusual lines.

        by_lines: whether each is on a line. is_last: whether the input ends with the text.
        """
        most = len(text) // (BETWEEN_CARDS * self.size) + 1
        into = DeckRows(np.zeros(most, np.uint8), np.empty((most, self.size), np.uint8), numbers(3))
        source = GameText(np.frombuffer(bytearray(text + b"\0"), np.uint8), len(text), by_lines, is_last)
        return partial(self._read, machine_code(READ_DECKS), source, into)

    def _read(self, read: Callable[..., int], source: GameText, into: DeckRows, start: int, decks: Decks) -> Passed:
        """Read games from an index of a text on."""
        games, told = read(source, self._cards, into, start), into.told
        players, rows = into.players[:games], into.decks[:games]
        for count, left in self.format.left_out.items():
            of_count = players == count
            rows[of_count] = rows_with_last(left, rows[of_count])
        decks.players += players.data
        decks.codes += rows.data
        return Passed(games, int(told[END]), int(told[LINES]), bool(told[IS_SHORT]))

    def write(self, players: Array, decks: Array) -> memoryview:
        """Write games. players: of each, bytes. decks: card codes, shape (games, cards)."""
        words = self.words
        out = np.empty(len(decks) * (BYTES_OF_NUMBER + self.size * words.texts.shape[1]) + 1, np.uint8)
        size = machine_code(WRITE_DECKS)(players, decks, ord(self.format.between), words, out)
        return out[:size].data


def _steps_of(names: Iterable[str]) -> tuple[Array, Array]:
    """The next state by state and byte, and the number of the name that each state ends, or NAMES."""
    rows: list[dict[int, int]] = [{}, {}]
    ended = {}
    for number, name in enumerate(names):
        state = START
        for byte in name.encode():
            if byte not in rows[state]:
                rows[state][byte] = len(rows)
                rows.append({})
            state = rows[state][byte]
        ended[state] = number
    steps = np.zeros((len(rows), 256), np.uint16)
    for state, row in enumerate(rows):
        for byte, following in row.items():
            steps[state, byte] = following
    return steps, np.array([ended.get(state, NAMES) for state in range(len(rows))], np.uint8)
