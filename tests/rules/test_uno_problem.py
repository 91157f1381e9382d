"""Reading UNO: decks over any lines, and for each bad case what is wrong, what was expected, and in which line."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsm.games.uno.game import Uno
from rules.reading import InputError

FORMAT = Uno.deck_format()
read_games, read_line, write_line = FORMAT.read_games, FORMAT.read_line, FORMAT.write_line
LINES = [
    "R9 RD RD RS RS RR RR",
    "B0 B1 B1 B2 B2 B3 B3",
    "G0 GD GD GS GS GR GR G9 G9 G8 G8 G7 G7 G6 G6 G5 G5 G4 G4 G3 G3 G2 G2 G1 G1",
    "Y0 Y9 Y9 Y8 Y8 Y7 Y7 Y6 Y6 Y5 Y5 Y4 Y4 Y3 Y3 Y2 Y2 Y1 Y1 YD YD YS YS YR YR",
    "R9 R8 R8 R7 R7 R6 R6 R5 R5 R4 R4 R3 R3 R2 R2 R1 R1 R0",
    "B4 B4 B5 B5 B6 B6 B7 B7 B8 B8 B9 B9 BD BD BS BS BR BR",
    "WC WC WC WC WF WF WF WF",
]
SAMPLE = "\n".join(["2", *LINES])
CARDS = " ".join(LINES).split()


def faults(text: str) -> list[str]:
    with pytest.raises(InputError) as bad:
        read_games(text, "uno.in")
    return str(bad.value).splitlines()


def with_card(place: int, card: str) -> str:
    """One case, its cards a line each from line 3 on, in which `card` stands at `place` (from 1)."""
    return "\n".join(["1", "2", *CARDS[: place - 1], card, *CARDS[place:]])


def test_the_sample_is_read_over_several_lines() -> None:
    ((players, deck),) = read_games(f"1\n{SAMPLE}\n")
    assert (players, len(deck)) == (2, 108)
    assert write_line(players, deck) == f"2\n{' '.join(CARDS)}"


def test_any_white_space_separates() -> None:
    one = " ".join(["2", *CARDS])
    blanks = "\r\n\r\n\t".join(["3", one, SAMPLE, one.replace(" ", "\n")])
    assert len(set(read_games(blanks))) == 1
    assert len(read_games(blanks)) == 3
    assert read_games("0\n") == []


def test_one_case_is_read_from_one_line_or_several() -> None:
    assert read_line(SAMPLE) == read_line(" ".join(["2", *CARDS]))


def test_ten_players_are_read() -> None:
    cards = [*CARDS[:70], "R8", *CARDS[70:]]
    cards.remove("R8")
    assert read_line(" ".join(["10", *cards])).players == 10


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "1: the input is empty; it must begin with the number of games"),
        ("\n\n", "1: the input is empty; it must begin with the number of games"),
        ("x\n" + SAMPLE, "1: 'x' is not a number; use the number of games"),
        ("2\n" + SAMPLE, "1: the first line announces 2 games, but 1 follows"),
        ("\n1", "2: the first line announces 1 game, but none follow"),
        (SAMPLE, "1: the number of games is missing; write it before the first game"),
        ("1\n11\n" + "\n".join(LINES), "2: 11 players cannot play; use a number of players from 2 to 10"),
        ("1\n1\n" + "\n".join(LINES), "2: 1 player cannot play; use a number of players from 2 to 10"),
        ("1\n-2\n" + "\n".join(LINES), "2: '-2' is not a number; use a number of players from 2 to 10"),
        ("1\n2.0\n" + "\n".join(LINES), "2: '2.0' is not a number; use a number of players from 2 to 10"),
        (with_card(5, "RX"), "7: card 5: unknown card 'RX'; use one letter of YRGBW and one of 0123456789SRDFC"),
        (with_card(5, "rs"), "7: card 5: unknown card 'rs'; use upper case: RS"),
        (with_card(2, "G0"), "17: card 15: G0 appears twice; each card may appear only once"),
        (with_card(9, "R9"), "67: card 65: R9 appears 3 times; it may appear only twice"),
        (with_card(3, "WF"), "110: card 108: WF appears 5 times; it may appear only 4 times"),
        (
            "1\n" + SAMPLE.replace("G0", "WC").replace("WC WC WC WC", "G0 WC WC WC"),
            "5: card 15: the exposed card WC is a wild",
        ),
        ("1\n" + "\n".join(["2", *LINES[:-1]]), "8: 100 cards instead of 108; missing: WC WF"),
        ("1\n2\nR9 RD", "3: 2 cards instead of 108"),
        ("1\n2", "2: no cards instead of 108"),
        ("1\n" + SAMPLE + " R9", "9: card 109: R9 appears 3 times; it may appear only twice"),
        ("1\n2\x00", "2: '2\\x00' is not a number"),
    ],
)
def test_bad_input_is_reported_with_its_line(text: str, fault: str) -> None:
    output = faults(text)
    assert output[0].startswith(f"uno.in:{fault}")


def test_all_bad_cases_are_reported_at_once() -> None:
    broken_off = "\n".join(["3", *LINES[:3]])
    wrong = SAMPLE.replace("G0", "G?")
    text = "\n".join(["4", broken_off, SAMPLE, wrong, SAMPLE.replace("2", "1", 1)])
    assert faults(text) == [
        "uno.in:5: 39 cards instead of 108",
        "uno.in:17: card 15: unknown card 'G?'; use one letter of YRGBW and one of 0123456789SRDFC",
        "uno.in:22: 1 player cannot play; use a number of players from 2 to 10",
    ]


def test_a_word_after_a_whole_deck_is_taken_for_a_number_of_players() -> None:
    output = faults("\n".join(["2", SAMPLE, SAMPLE.replace("2", "two", 1)]))
    assert output == ["uno.in:10: 'two' is not a number; use a number of players from 2 to 10"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "line:1: no games instead of one"),
        (f"{SAMPLE}\n{SAMPLE}", "line:9: 2 games instead of one"),
        (" ".join(CARDS), "line:1: the cards begin without a number of players from 2 to 10; write it before them"),
        ("2 R9", "line:1: 1 card instead of 108"),
    ],
)
def test_one_bad_case_is_reported(text: str, fault: str) -> None:
    with pytest.raises(InputError) as bad:
        Uno.parse(text)
    assert str(bad.value).startswith(fault)


def test_a_long_line_is_reported_briefly() -> None:
    assert len(str(faults("1\n2 " + "x" * 1_000_000))) < 300


def test_the_corpus_is_written_as_it_was_read() -> None:
    text = (Path(__file__).parents[1] / "corpus" / "uno" / "cases.in").read_text()
    games = read_games(text)
    assert " ".join(write_line(*game) for game in games).split() == text.split()[1:]
