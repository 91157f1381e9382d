"""Reading the problem's input: what is accepted, and how each fault is told."""

from __future__ import annotations

import re
import time

import pytest
from plain_maumau import CARDS

from rules.cards import FRENCH
from rules.deck_format import DeckFormat
from rules.reading import Fault, InputError, decoded

FORMAT = DeckFormat(FRENCH, range(32), (2, 3, 4))
read_games, read_line, write_line = FORMAT.read_games, FORMAT.read_line, FORMAT.write_line

DECK = " ".join(CARDS)
GAME = f"2 {DECK}"


def faults(text: str) -> list[tuple[int, str]]:
    with pytest.raises(InputError) as caught:
        read_games(text, "games.in")
    return [(fault.line, fault.what) for fault in caught.value.faults]


def only_fault(text: str) -> str:
    """What is wrong with the only bad line, the second."""
    ((line, what),) = faults(text)
    assert line == 2
    return what


# ------------------------------------------------------------------ accepted


def test_each_game_has_its_players_and_its_deck() -> None:
    games = read_games(f"2\n3 {DECK}\n4 {' '.join(reversed(CARDS))}\n")
    assert [game.players for game in games] == [3, 4]
    assert FRENCH.names(games[0].deck) == CARDS
    assert FRENCH.names(games[1].deck) == CARDS[::-1]


@pytest.mark.parametrize(
    "text",
    [
        f"1\n{GAME}",
        f"1\r\n{GAME}\r\n",
        f"\n\n1\n\n{GAME}\n\n \n",
        f"  1  \n {GAME}  \n",
        f"1\n{GAME.replace(' ', '  ')}\n",
        f"1\n{GAME}\t\n",
    ],
    ids=["no last line end", "Windows line ends", "blank lines", "outer spaces", "double spaces", "tab at the end"],
)
def test_harmless_spacing_is_accepted(text: str) -> None:
    ((players, deck),) = read_games(text)
    assert (players, FRENCH.names(deck)) == (2, CARDS)


def test_the_input_may_hold_more_games_than_the_problem_has() -> None:
    assert len(read_games("\n".join(["500", *[GAME] * 500]))) == 500


def test_no_games_are_no_fault() -> None:
    assert read_games("0\n") == []


def test_a_line_round_trips() -> None:
    players, deck = read_line(GAME)
    assert write_line(players, deck) == GAME


# ------------------------------------------------------------------ the count


@pytest.mark.parametrize("text", ["", "\n", " \r\n\t\n"])
def test_empty_input(text: str) -> None:
    assert faults(text) == [(1, "the input is empty; it must begin with the number of games")]


def test_no_count() -> None:
    ((line, what),) = faults(f"{GAME}\n{GAME}\n")
    assert line == 1
    assert what.endswith("is not a number; use the number of games alone on the line")


@pytest.mark.parametrize("count", ["two", "2.0", "-1", "+1", "0x1", "²", "٢", "1" * 5000])
def test_a_count_that_is_no_number(count: str) -> None:
    ((line, what),) = faults(f"{count}\n{GAME}\n")
    assert line == 1
    fault = "(5000 characters) has more than 9 digits" if count[0] == "1" else "is not a number"
    assert f"{fault}; use the number of games" in what
    assert len(what) < 200


@pytest.mark.parametrize("count", [0, 1, 3, 49, 4900])
def test_a_count_that_does_not_fit(count: int) -> None:
    games = {0: "no games", 1: "1 game"}.get(count, f"{count:,} games")
    output = f"the first line announces {games}, but 2 follow"
    assert faults(f"\n{count}\n{GAME}\n{GAME}\n") == [(2, output)]


# ------------------------------------------------------------------ the lines


@pytest.mark.parametrize("players", [0, 1, 5, 32])
def test_a_wrong_number_of_players(players: int) -> None:
    named = {1: "1 player"}.get(players, f"{players} players")
    output = f"{named} cannot play; use a number of players from 2 to 4"
    assert only_fault(f"1\n{players} {DECK}") == output


def test_no_number_of_players() -> None:
    assert only_fault(f"1\n{DECK}") == "'CS' is not a number; use a number of players from 2 to 4"


def test_too_few_cards() -> None:
    what = only_fault(f"1\n2 {' '.join(CARDS[:-2])}")
    assert what.startswith("30 cards instead of 32; missing: ")
    assert set(what.split()[-2:]) == {"DK", "DA"}
    assert only_fault("1\n2") == "no cards instead of 32"


def test_a_card_twice() -> None:
    twice = " ".join([*CARDS[:4], CARDS[0], *CARDS[5:]])
    assert only_fault(f"1\n2 {twice}") == "card 5: CS appears twice; each card may appear only once"


@pytest.mark.parametrize("more", [1, 7, 8, 100])
def test_too_many_cards(more: int) -> None:
    what = only_fault(f"1\n2 {DECK} {' '.join(CARDS * 4)[: 3 * more - 1]}")
    assert re.search(r"card 33: CS appears twice; each card may appear only once|more than \d+ words", what)


@pytest.mark.parametrize("card", ["XX", "SX", "XS", "S", "SSS", "10", "♣S", "?", "S" * 1000])
def test_an_unknown_card(card: str) -> None:
    what = only_fault(f"1\n2 {' '.join([*CARDS[:9], card, *CARDS[10:]])}")
    assert what.startswith("card 10: unknown card ")
    assert what.endswith("use one letter of DHSC and one of QKSENTAJ")
    assert what.isascii()
    assert len(what) < 150


@pytest.mark.parametrize("card", ["sj", "sJ", "Sj"])
def test_lower_case(card: str) -> None:
    deck = " ".join(card if name == "SJ" else name for name in CARDS)
    assert only_fault(f"1\n2 {deck}").endswith(f"unknown card '{card}'; use upper case: SJ")


def test_all_that_is_wrong_in_a_line_is_reported_at_once() -> None:
    deck = " ".join(["XX", *CARDS[1:9], "sj", *CARDS[10:20], CARDS[1], *CARDS[21:]])
    assert faults(f"2\n{GAME}\n5 {deck}") == [
        (3, "5 players cannot play; use a number of players from 2 to 4"),
        (3, "card 1: unknown card 'XX'; use one letter of DHSC and one of QKSENTAJ"),
        (3, "card 10: unknown card 'sj'; use upper case: SJ"),
        (3, f"card 21: {CARDS[1]} appears twice; each card may appear only once"),
    ]


@pytest.mark.parametrize("wrong", range(1, 33))
def test_each_wrong_card_is_listed_or_counted(wrong: int) -> None:
    found = faults(f"1\n2 {' '.join([*['XX'] * wrong, *CARDS[wrong:]])}")
    listed = [what for _, what in found if what.startswith("card ")]
    assert [what.split(":")[0] for what in listed] == [f"card {place}" for place in range(1, min(wrong, 10) + 1)]
    cards = "1 more card from card 11 on is" if wrong == 11 else f"{wrong - 10} more cards from card 11 on are"
    more = [(2, f"{cards} wrong")]
    assert found[len(listed) :] == (more if wrong > 10 else [])


def test_all_bad_lines_are_reported_at_once_with_their_numbers() -> None:
    lines = ["9", GAME, "", f"5 {DECK}", f"2 {DECK[:-3]}", f"2 ss {DECK[3:]}", "nonsense", GAME]
    output = faults("\r\n".join(lines))
    assert [line for line, _ in output] == [1, 4, 5, 6, 7]
    assert [re.split("[,;]", what)[0] for _, what in output] == [
        "the first line announces 9 games",
        "5 players cannot play",
        "31 cards instead of 32",
        "card 1: unknown card 'ss'",
        "'nonsense' is not a number",
    ]


def test_without_a_count_the_bad_lines_are_reported_as_well() -> None:
    assert [line for line, _ in faults(f"{GAME}\n7 {DECK}\n{GAME}\n2 XX\n")] == [1, 2, 4, 4]


def test_a_fault_is_reported_as_file_line_and_message() -> None:
    with pytest.raises(InputError) as caught:
        read_games("2\n\n6 CS\n2\n", "games.in")
    assert str(caught.value) == (
        "games.in:3: 6 players cannot play; use a number of players from 2 to 4\n"
        "games.in:3: 1 card instead of 32\n"
        "games.in:4: no cards instead of 32"
    )
    assert caught.value.faults[0] == Fault(3, "6 players cannot play; use a number of players from 2 to 4")


@pytest.mark.parametrize(
    "line", ["2 " + "CS " * 3_400_000, "2 " + "C" * 10_000_000, "9" * 10_000_000, " " * 10_000_000 + "x"]
)
def test_a_line_of_ten_megabytes_is_reported_briefly_and_quickly(line: str) -> None:
    start = time.process_time()
    assert len(str(faults(f"1\n{line}\n"))) < 300
    ((first, _), *_) = faults(line)
    assert first == 1
    assert time.process_time() - start < 30  # a check that reads each word again takes minutes


def test_errors_of_a_single_line_are_reported_like_those_of_a_file() -> None:
    with pytest.raises(InputError, match="5 players cannot play; use a number of players from 2 to 4"):
        read_line(f"5 {DECK}")
    with pytest.raises(InputError, match="'' is not a number"):
        read_line("")


# ------------------------------------------------------------------ bytes


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_text_may_open_with_a_byte_order_mark(mark: bytes) -> None:
    text = decoded(mark + f"1\r\n{GAME}\r\n".encode(), "games.in")
    assert len(read_games(text)) == 1


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"\xff\xfe1\x00", 1),
        (b"1\n2 \x80", 2),
        (b"1\n\n\x00\n", 3),
        (bytes(range(256)), 1),
        (b"\x89PNG\r\n", 1),
        (b"1\r\r2 \x80", 3),
    ],
)
def test_binary_is_reported_with_its_line(data: bytes, line: int) -> None:
    with pytest.raises(InputError) as caught:
        decoded(data, "games.in")
    ((fault),) = caught.value.faults
    assert fault.what.endswith("use letters, digits and spaces")
    assert str(caught.value).startswith(f"games.in:{fault.line}: ")
    if data != bytes(range(256)):
        assert fault.line == line
