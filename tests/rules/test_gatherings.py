"""Reading who met: the problem's cases in either layout, tables of players, and how each fault is told."""

from __future__ import annotations

import pytest
from command import maumau
from hypothesis import given
from hypothesis import strategies as st

from rules.acquaintance import Gathering, read_cases, read_tables
from rules.reading import InputError

CASE = "2 4\n2 0 1\n3 1 2 3\n"


def faults(text: str) -> list[str]:
    with pytest.raises(InputError) as bad:
        read_cases(text, "groups.in")
    return [line.removeprefix("groups.in:") for line in str(bad.value).splitlines()]


def test_cases_end_with_two_zeros_or_with_the_input() -> None:
    case = Gathering(4, ((0, 1), (1, 2, 3)))
    assert read_cases(CASE) == read_cases(f"{CASE}0 0\n") == [case]
    assert read_cases(f"{CASE}0 5\n{CASE}0 0\nwhatever") == [case, Gathering(5, ()), case]
    assert read_cases("0 0\n") == []


@pytest.mark.parametrize("text", [CASE.replace("\n", "\r\n"), f"\n\n{CASE}\n", CASE.replace(" ", "  "), CASE[:-1]])
def test_harmless_spacing_is_accepted(text: str) -> None:
    assert read_cases(text) == read_cases(CASE)


@pytest.mark.parametrize("text", [CASE.replace("\n", " "), CASE.replace(" ", "\n"), CASE.replace("\n2", " 2", 1)])
def test_if_the_first_line_is_no_pair_line_ends_mean_nothing(text: str) -> None:
    assert read_cases(text) == read_cases(CASE)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ["1: the input is empty; it must begin with the numbers of groups and of people"]),
        ("\n\n", ["1: the input is empty; it must begin with the numbers of groups and of people"]),
        ("1 2\n2 0 2\n", ["2: member 2: 2 is out of range; use a person from 0 to 1"]),
        ("1 2\n2 0 -1\n", ["2: '-1' is not a number; use a person from 0 to 1"]),
        ("1 2\n2 0 1.0\n", ["2: '1.0' is not a number; use a person from 0 to 1"]),
        ("1 2\nx 0 1\n", ["2: 'x' is not a number; use the number of members of a group"]),
        ("1 0\n0\n", ["1: 0 people; use a number of people from 1 to 1000"]),
        ("1 1001\n2 0 1\n", ["1: 1001 people; use a number of people from 1 to 1000"]),
        ("x 3\n", ["1: 'x' is not a number; use the number of groups"]),
        ("3 x\n", ["1: 'x' is not a number; use a number of people from 1 to 1000"]),
        (f"{CASE}2 3 4\n", ["4: 3 words where a case begins; write two: the numbers of groups and of people"]),
        (f"{CASE}0\n", ["4: 1 word where a case begins; write two: the numbers of groups and of people"]),
        ("5\n", ["1: 1 word where a case begins; write two: the numbers of groups and of people"]),
    ],
)
def test_a_bad_line_is_reported(text: str, message: list[str]) -> None:
    assert faults(text) == message


def test_an_incomplete_group_is_reported_with_its_line() -> None:
    assert faults("2 3\n2 0\n2 1 2\n0 0\n") == ["2: a group of 2 has 1 member; name 2"]
    assert faults("2 3\n2 0 1\n2 1\n0 0\n") == ["3: a group of 2 has 1 member; name 2"]
    assert faults("1 3\n2\n0 0\n") == ["2: a group of 2 has no members; name 2"]
    assert faults("2 3\n2 0 1 2\n2 1 2\n") == ["2: a group of 2 has 3 members; name 2"]
    assert faults("1 3 2\n0") == ["1: a group of 2 has 1 member; name 2"]


def test_an_incomplete_case_is_reported_with_its_first_line() -> None:
    assert faults(f"{CASE}3 4\n2 0 1\n") == ["4: the case announces 3 groups, but 1 follows"]
    assert faults("3 4 2 0 1") == ["1: the case announces 3 groups, but 1 follows"]


def test_all_bad_lines_are_reported_at_once_in_their_order() -> None:
    output = faults("3 4\n2 0 4\n1 x\n3 0\n1 2\n2 1 1\n5 9\n1 9\n")
    assert [line.split(":")[0] for line in output] == ["2", "3", "4", "7", "8"]


def test_in_the_free_layout_too_each_number_has_its_line() -> None:
    assert faults("2 4 2\n0 1\n2 1\n7\n") == ["4: member 2: 7 is out of range; use a person from 0 to 3"]


def test_a_huge_number_is_reported_briefly() -> None:
    for text in ("9" * 10_000 + " 3\n", "1 3 " + "9" * 10_000):
        (output,) = faults(text)
        assert len(output) < 150


@given(st.lists(st.lists(st.integers(0, 19), max_size=4), max_size=6))
def test_both_layouts_read_what_was_written(groups: list[list[int]]) -> None:
    lines = [f"{len(groups)} 20", *(" ".join(map(str, [len(members), *members])) for members in groups)]
    expected = [Gathering(20, tuple(map(tuple, groups)))]
    assert read_cases("\n".join(lines)) == expected
    assert read_cases(" ".join(["0 3", *lines, "0 0"]))[1:] == expected


def test_a_table_is_a_line_and_a_name_is_any_word() -> None:
    assert read_tables("anna 0 #x\n\n  Jörg: -  \n") == [("anna", "0", "#x"), ("Jörg:", "-")]


def test_no_tables_are_a_fault() -> None:
    with pytest.raises(
        InputError, match="t:1: the input is empty; write a table on each line: the names of its players"
    ):
        read_tables(" \n", "t")


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("again", ["\ufeffanna", "an\u200bna", "an\xadna", "anna\u2060", "a\u200dnna"])
def test_what_is_not_seen_makes_no_other_player_of_a_name(again: str, end: str) -> None:
    tables = end.join(["anna bert", f"{again} zoe\u0308", "zo\xeb carl"])
    done = maumau("acquaintance", "--seats", "--between", "bert", "carl", "--between", again, "zo\xeb", data=tables)
    assert (done.returncode, done.stdout) == (0, "bert carl: 3\nanna zo\xeb: 1\n")
