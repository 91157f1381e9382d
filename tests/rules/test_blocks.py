"""Inputs read in blocks: the same games and the same faults as of the whole text, however it is cut, and by machine code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsm import game_class
from maumau import MauMau, Uno, UnoOfficial
from maumau.kernels.bulk.text import DeckText
from rules import reading
from rules.blocks import Passed, Usual, UsualFrom, read_decks
from rules.deck_format import DeckFormat, DeckReader, Decks
from rules.reading import Dealt, InputError, decoded

KINDS = MauMau, Uno, UnoOfficial
FORMATS = {kind: kind.deck_format() for kind in KINDS}
TEXTS = {kind: DeckText(format) for kind, format in FORMATS.items()}
NOISE = (
    b"",
    b" ",
    b"\n",
    b"\r\n",
    b"\t",
    b"\0",
    b"\xff",
    b"\xc2\xa0",
    b"\x0b",
    b"\xef\xbb\xbf",
    b"5",
    b"02",
    b"3.5",
    b"x",
)


def by_machine_code(kind: type) -> object:
    return lambda reader: partial(TEXTS[kind].open, reader.by_lines)


def by_python(reader: DeckReader) -> Usual | None:
    return None


def answer(format: DeckFormat, blocks: Iterable[bytes], usual: object) -> list[Dealt] | str:
    try:
        return list(read_decks(format, blocks, "games.in", usual))  # type: ignore[arg-type]
    except InputError as error:
        return str(error)


def whole(kind: type, data: bytes) -> list[Dealt] | str:
    try:
        return kind.read(decoded(data, "games.in"), "games.in")  # type: ignore[attr-defined, no-any-return]
    except InputError as error:
        return str(error)


@st.composite
def inputs(draw: st.DrawFn) -> tuple[type, bytes]:
    """A few games with words that are exchanged, left out, or put in."""
    kind = draw(st.sampled_from(KINDS))
    games = draw(st.integers(0, 4))
    players = [draw(st.integers(1, 5)) for _ in range(games)]
    decks = [kind.deck_of(3, draw(st.integers(0, 9)), number) for number in range(games)]
    lines = [FORMATS[kind].write_line(seats, deck) for seats, deck in zip(players, decks, strict=True)]
    words = "\n".join([str(draw(st.sampled_from([games, games, games, 3]))), *lines, ""]).encode().split(b" ")
    for _ in range(draw(st.integers(0, 3))):
        one, other = (draw(st.integers(0, len(words) - 1)) for _ in range(2))
        match draw(st.sampled_from(["exchanged", "left out", "put in", "noise"])):
            case "exchanged":
                words[one], words[other] = words[other], words[one]
            case "left out":
                words[one] = b""
            case "put in":
                words.insert(one, words[other])
            case _:
                words[one] += draw(st.sampled_from(NOISE)) + draw(st.sampled_from(NOISE))
    return kind, b" ".join(words)


@given(inputs(), st.integers(1, 4000))
def test_blocks_of_any_size_are_read_as_the_whole_text(given: tuple[type, bytes], size: int) -> None:
    kind, data = given
    blocks = [data[start : start + size] for start in range(0, len(data), size)]
    expected = whole(kind, data)
    assert answer(FORMATS[kind], blocks, by_python) == expected
    assert answer(FORMATS[kind], blocks, by_machine_code(kind)) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_all_games_as_they_are_written_are_read_by_machine_code(kind: type) -> None:
    decks = [kind.deck_of(3, 7, number) for number in range(50)]  # type: ignore[attr-defined]
    text = "".join(f"{FORMATS[kind].write_line(3, deck)}\n" for deck in decks).encode()
    for written in (text, text.replace(b" ", b"\t  "), text.replace(b"\n", b"\n \n")):
        if kind is MauMau or b"\n\n" not in written:
            reader = FORMATS[kind].reader()
            passed = partial(TEXTS[kind].open, reader.by_lines)(written, True)(0, reader.decks)
            assert passed == (50, len(written), written.count(b"\n"), False)
            assert list(reader.decks) == FORMATS[kind].read_games(f"50\n{text.decode()}")


UNUSUAL = (
    lambda line: line,
    lambda line: f"0{line}",
    lambda line: line.replace(" ", "\u00a0", 1),
    lambda line: line.replace(" ", "\x0b", 3),
    lambda line: line[: len(line) // 2] + "\n" + line[len(line) // 2 :],
    lambda line: line.replace(" ", "\n", 17),
    lambda line: f"\n{line}\n",
    lambda line: line[:-1],
    lambda line: f"9{line}",
)
"""Ways to write a game that are not usual, most of them wrong where each game has a line."""


@given(
    st.sampled_from(KINDS),
    st.lists(st.tuples(st.sampled_from(UNUSUAL), st.integers(1, 12)), max_size=12),
    st.integers(1, 50_000),
)
def test_many_unusual_lines_are_read_as_the_whole_text(
    kind: type, runs: list[tuple[Callable[[str], str], int]], size: int
) -> None:
    line = FORMATS[kind].write_line(3, kind.deck_of(3, 7, 0))  # type: ignore[attr-defined]
    lines = [written(line) for written, count in runs for _ in range(count)]
    data = "\n".join([str(len(lines)), *lines, ""]).encode()
    blocks = [data[start : start + size] for start in range(0, len(data), size)]
    assert answer(FORMATS[kind], blocks, by_machine_code(kind)) == whole(kind, data)


@pytest.mark.parametrize("kind", KINDS)
def test_a_block_is_prepared_once_however_many_of_its_lines_are_unusual(kind: type) -> None:
    """It was copied again for each of them, so that the time grew with the square of their number."""
    prepared: list[int] = []
    tried: list[int] = []

    def counted(reader: DeckReader) -> Usual:
        usual = partial(TEXTS[kind].open, reader.by_lines)

        def prepare(text: bytes, is_last: bool) -> UsualFrom:
            prepared.append(len(text))
            read = usual(text, is_last)

            def tell(start: int, decks: Decks) -> Passed:
                tried.append(start)
                return read(start, decks)

            return tell

        return prepare

    line = FORMATS[kind].write_line(3, kind.deck_of(3, 7))  # type: ignore[attr-defined]
    accepted, faulty = f"{line}\n0{line}\n" * 100, line.replace("3", "3 x", 1) + "\n"
    data = f"400\n{accepted}{faulty * 200}".encode()
    answer(FORMATS[kind], [data], counted)
    assert sum(prepared) <= len(data) + 1
    assert len(prepared) <= 2
    assert len(tried) < 130


def test_only_the_card_codes_are_kept() -> None:
    line = FORMATS[MauMau].write_line(3, MauMau.deck_of(3, 7)).encode() + b"\n"
    decks = read_decks(FORMATS[MauMau], chain([b"5000\n"], repeat(line * 1000, 5)), "games.in", by_machine_code(MauMau))  # type: ignore[arg-type]
    assert (len(decks), len(decks.codes), len(decks.players)) == (5000, 5000 * 32, 5000)


def endless(first: bytes, *lines: bytes) -> Iterator[bytes]:
    yield first
    while True:
        yield from lines


@pytest.mark.parametrize("usual", [by_python, "machine code"])
@pytest.mark.parametrize(
    ("game", "first", "line", "message"),
    [
        ("maumau", b"", b"\0" * 4096, "games.in:1: the line has a zero byte; use letters, digits and spaces"),
        (
            "maumau",
            b"",
            b" " * 4096,
            "games.in:1: the line has more than 16,777,216 bytes; write one game on each line",
        ),
        ("maumau", b"2\n", b"\n" * 512, "blank lines in a row; remove them"),
        ("maumau", b"2\n", b"y\n" * 512, "faults up to this line; the rest was not read"),
        ("maumau", b"2\n", b"GAME" * 512, "games.in:1: the first line announces 2 games, but "),
        ("uno", b"2\n", b"GAME" * 512, "games.in:1: the first line announces 2 games, but "),
        ("uno", b"2\n3\n", b"R1\n" * 512, "more cards from card 13 on are wrong"),
    ],
)
def test_an_endless_input_is_refused(
    monkeypatch: pytest.MonkeyPatch, usual: object, game: str, first: bytes, line: bytes, message: str
) -> None:
    for module in ("reading", "blocks", "uno.problem"):
        monkeypatch.setattr(f"rules.{module}.MAX_EXCESS", 1000)
    monkeypatch.setattr(reading, "MAX_FAULTS_OF_INPUT", 1000)
    kind = game_class(game)
    deck = kind.write(3, kind.deck_of(3, 7)).encode() + b"\n"
    by = by_machine_code(kind) if usual == "machine code" else usual
    found = answer(FORMATS[kind], endless(first, line.replace(b"GAME", deck)), by)
    assert isinstance(found, str)
    assert message in found


def test_a_byte_that_is_no_text_is_named_after_a_byte_order_mark() -> None:
    """It was taken from the place before the mark was removed."""
    with pytest.raises(InputError, match=r"games.in:2: the line is not UTF-8 text"):
        decoded(b"\xef\xbb\xbf1\n\xff", "games.in")
