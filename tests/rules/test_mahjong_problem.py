"""Reading mahjong hands: what is accepted, and for each bad line what is wrong and what was expected."""

from __future__ import annotations

import pytest

from rules.mahjong import read_hand, read_hands
from rules.mahjong.problem import write_hand
from rules.mahjong.tiles import TILES
from rules.reading import InputError

HAND = "1D2D3D4D5D6D7D8D9D1M1M1M5M NONE"
TEN, SEVEN = "1D2D3D4D5D6D7D8D9D5M", "4D5D6D7D8D9D5M"
MELD = "three equal, four equal or three in a row of one suit"


def faults(text: str) -> list[str]:
    with pytest.raises(InputError) as bad:
        read_hands(text, "hands.in")
    return str(bad.value).splitlines()


def test_a_line_is_the_hidden_tiles_and_the_exposed_melds() -> None:
    hidden, exposed = read_hand("9M5D1D2B 5M5M5M5M2D1D3D9B9B9B")
    assert TILES.names(hidden) == ["9M", "5D", "1D", "2B"]
    assert list(map(str, exposed)) == ["5M5M5M5M", "1D2D3D", "9B9B9B"]


@pytest.mark.parametrize("text", [f"1\r\n{HAND}\r\n", f"\n 1 \n\n  {HAND.replace(' ', '   ')}  ", f"1\n{HAND}"])
def test_harmless_spacing_is_accepted(text: str) -> None:
    assert read_hands(text) == [read_hand(HAND)]


def test_a_hand_alone_is_read_with_its_faults() -> None:
    with pytest.raises(InputError, match="line:1: "):
        read_hand("1D2D3D NONE")


def test_no_hands_are_no_fault() -> None:
    assert read_hands("0\n") == []


def test_the_input_may_hold_more_hands_than_the_problem_has() -> None:
    assert len(read_hands("\n".join(["500", *[HAND] * 500]))) == 500


@pytest.mark.parametrize("line", [HAND, f"{TEN} 2B3B4B", "5M 1D1D1D1D2D2D2D2D3D3D3D3D4D4D4D4D"])
def test_a_hand_is_written_as_it_is_read(line: str) -> None:
    assert write_hand(read_hand(line)) == line


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (HAND.split(maxsplit=1)[0], "1 word; write two: hidden tiles, and exposed ones or NONE"),
        (f"{HAND} NONE", "more than two words; write two: hidden tiles, and exposed ones or NONE"),
        (HAND.replace("5M", "5X"), "hidden tile 13: unknown tile '5X'; use one digit of 123456789 and one of DBM"),
        (HAND.replace("5M", "0M"), "hidden tile 13: unknown tile '0M'; use one digit of 123456789 and one of DBM"),
        (HAND.replace("5M", "5m"), "hidden tile 13: unknown tile '5m'; use upper case: 5M"),
        (HAND.replace("5M", "5"), "hidden tile 13: unknown tile '5'; use one digit of 123456789 and one of DBM"),
        (HAND.replace("5M", "五M"), r"hidden tile 13: unknown tile '\u4e94M'; use one digit of 123456789 and one of DBM"),
        (HAND.replace("NONE", "none"), "exposed tiles 'none'; use upper case: NONE"),
        (HAND.replace("5M", ""), "12 hidden tiles; use 13, or three fewer for each exposed meld"),
        (HAND.replace("5M", "5M6M"), "14 hidden tiles; use at most 13"),
        (HAND.replace("5M", "5M6"), "14 hidden tiles; use at most 13"),
        (HAND.replace("NONE", "9B9B9B"), "1 exposed meld beside 13 hidden tiles; use none"),
        (f"{TEN} NONE", "no exposed melds beside 10 hidden tiles; use 1"),
        (f"{TEN} 9B9B9B8B8B8B", "2 exposed melds beside 10 hidden tiles; use 1"),
        (f"{SEVEN} 9B9B9B9B", "1 exposed meld beside 7 hidden tiles; use 2"),
        (f"{TEN} 9B9B", f"exposed tile 1: no meld begins with 9B9B; use {MELD}"),
        (f"{TEN} 8B9B1B", f"exposed tile 1: no meld begins with 8B9B1B; use {MELD}"),
        (f"{TEN} 8D9D1B", f"exposed tile 1: no meld begins with 8D9D1B; use {MELD}"),
        (f"{SEVEN} 9B9B9B1B3B4B", f"exposed tile 4: no meld begins with 1B3B4B; use {MELD}"),
        (f"{SEVEN} 9B9B9B9B1B", f"exposed tile 5: no meld begins with 1B; use {MELD}"),
        ("5M " + "1B" * 17, "17 exposed tiles; use at most 16"),
        (HAND.replace("4D5D6D", "1D1D1D").replace("7D", "1D"), "1D appears 5 times; use it at most 4 times"),
        ("1D1D3D4D5D6D7D8D9D5M 1D1D1D", "1D appears 5 times; use it at most 4 times"),
        ("5M 5M5M5M5M1D1D1D2D2D2D3D3D3D", "5M appears 5 times; use it at most 4 times"),
        ("1D" * 5_000_000 + " NONE", "5000000 hidden tiles; use at most 13"),
    ],
    ids=lambda value: value[:40],
)  # fmt: skip
def test_a_bad_line_is_reported(line: str, message: str) -> None:
    assert faults(f"1\n{line}\n") == [f"hands.in:2: {message}"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: the input is empty; it must begin with the number of hands"),
        ("\n \n", "1: the input is empty; it must begin with the number of hands"),
        (f"x\n{HAND}", "1: 'x' is not a number; use the number of hands alone on the line"),
        (f"\n-1\n{HAND}", "2: '-1' is not a number; use the number of hands alone on the line"),
        (f"2\n{HAND}", "1: the first line announces 2 hands, but 1 follows"),
        (f"0\n{HAND}", "1: the first line announces no hands, but 1 follows"),
    ],
)
def test_a_wrong_number_of_hands_is_reported(text: str, message: str) -> None:
    assert faults(text) == [f"hands.in:{message}"]


def test_all_bad_lines_are_reported_at_once() -> None:
    output = faults(f"7\n{HAND}\n1D NONE\n\n{TEN} NONE\n{HAND}\n{HAND} x\n")
    assert [line.split(": ")[0] for line in output] == [f"hands.in:{line}" for line in (1, 3, 5, 7)]


def test_without_a_number_of_hands_the_bad_lines_are_reported_as_well() -> None:
    assert [line.split(":")[1] for line in faults(f"{HAND}\n{HAND}\n1D NONE\n")] == ["1", "3"]
