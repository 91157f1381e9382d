"""The commands `waits` and `acquaintance`, as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import CORPUS, maumau

SEVEN_PAIRS = "1\n2D2D3D3D4D5D5D6D6D7D7D8D8D NONE\n"
TABLES = "anna bert carla\n\nbert dora\nemil\ndora fritz\n"


class TestWaits:
    def test_the_corpus_is_reproduced_exactly(self) -> None:
        file = CORPUS / "mahjong" / "cases.in"
        for done in (
            maumau("waits", file),
            maumau("waits", data=file.read_text()),
            maumau("waits", "-", data=file.read_text()),
        ):
            assert (done.returncode, done.stderr) == (0, "")
            assert done.stdout == (CORPUS / "mahjong" / "cases.out").read_text()

    def test_a_wait_is_explained_by_its_best_split_and_every_item(self) -> None:
        done = maumau("waits", "--explain", data=SEVEN_PAIRS)
        assert done.stdout.splitlines()[-8:-1] == [
            "4D: 5",
            "    2D2D  3D3D  4D4D  5D5D  6D6D  7D7D  8D8D",
            "    pair  pair  pair  pair  pair  pair  pair",
            "    1  base         Every hand that wins has it.",
            "    2  one suit     All tiles are of one suit.",
            "    2  seven pairs  The hand is seven pairs, of which four equal tiles are two.",
            "    Other splits score 3, 3, 3.",
        ]

    def test_exposed_melds_and_repeated_items_are_shown(self) -> None:
        output = maumau("waits", "--explain", data="1\n2M 3D3D3D3D4D4D4D4D5D5D5D5D6D6D6D6D\n").stdout
        assert "    3D3D3D3D      4D4D4D4D      5D5D5D5D      6D6D6D6D      2M2M\n" in output
        assert "    exposed gang  exposed gang  exposed gang  exposed gang  pair\n" in output
        assert "    4  gang, 4 times  " in output

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            ("1D1D1D1D 3D3D3D4D4D4D5D5D5D", "1D would win, but the hand holds all four."),
            ("1D2D3D4D5D6D7D8D9D1M1M1M5B NONE", "The tiles are of 3 suits, a hand that wins has 2 at most."),
            ("1D2D4D5M 4D5D6D7D8D9D1M1M1M", "There is no tile with which the hand wins."),
        ],
    )
    def test_where_there_is_no_wait_the_reason_is_shown(self, line: str, reason: str) -> None:
        assert maumau("waits", data=f"1\n{line}\n").stdout == "Case #1:\nNONE\n"
        assert maumau("waits", "--explain", data=f"1\n{line}\n").stdout == f"Case #1: {line}\n\nNONE\n\n{reason}\n\n"

    def test_a_record_a_hand(self) -> None:
        (line,) = maumau("waits", "--json", data="1\n5M 3D2D1D4D5D6D7D8D9D1M1M1M1M\n").stdout.splitlines()
        assert json.loads(line) == {
            "format": "maumau-waits",
            "version": 1,
            "hidden": ["5M"],
            "exposed": [["1D", "2D", "3D"], ["4D", "5D", "6D"], ["7D", "8D", "9D"], ["1M"] * 4],
            "waits": [
                {
                    "tile": "5M",
                    "score": 2,
                    "groups": [
                        {"kind": "run", "tiles": ["1D", "2D", "3D"], "exposed": True},
                        {"kind": "run", "tiles": ["4D", "5D", "6D"], "exposed": True},
                        {"kind": "run", "tiles": ["7D", "8D", "9D"], "exposed": True},
                        {"kind": "gang", "tiles": ["1M"] * 4, "exposed": True},
                        {"kind": "pair", "tiles": ["5M", "5M"], "exposed": False},
                    ],
                    "items": [
                        {"item": "base", "times": 1, "points": 1, "description": "Every hand that wins has it."},
                        {
                            "item": "gang",
                            "times": 1,
                            "points": 1,
                            "description": "All four tiles of a kind are there, hidden, exposed or as the wait.",
                        },
                    ],
                    "other_splits": [],
                }
            ],
        }  # fmt: skip

    def test_all_errors_of_bad_input_are_reported_and_nothing_is_printed(self, tmp_path: Path) -> None:
        file = tmp_path / "hands"
        file.write_text("3\n1D NONE\n1D2D3D4D5D6D7D8D9D1M1M1M5M NONE\n1D1D1D1D1D6D7D8D9D1M1M1M5M NONE\n")
        done = maumau("waits", file)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.splitlines() == [
            f"{file}:2: no exposed melds beside 1 hidden tile; use 4",
            f"{file}:4: 1D appears 5 times; use it at most 4 times",
        ]


class TestAcquaintance:
    @pytest.mark.parametrize("name", ["cases", "eof"])
    def test_the_corpus_is_reproduced_exactly(self, name: str) -> None:
        done = maumau("acquaintance", CORPUS / "acquaintance" / f"{name}.in")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == (CORPUS / "acquaintance" / f"{name}.out").read_text()

    def test_a_shortest_chain_is_shown_with_its_groups(self) -> None:
        done = maumau("acquaintance", "--explain", data="3 5\n2 0 3\n1 2\n3 4 3 1\n1 4\n2 0 1\n0 1\n0 0\n")
        assert done.stdout.split("\n\n") == [
            "Case #1: 5 people, 3 groups\n"
            "I can know wywcgs by at most 1 person(s)!\n"
            "    0 knows 3 from group 1 (0 3)\n"
            "    3 knows 4 from group 3 (4 3 1): wywcgs",
            "Case #2: 4 people, 1 group\n"
            "I can never know wywcgs!\n"
            "    0 reaches 1 person (1), and 3 is not among them.",
            "Case #3: 1 person, no groups\nI do know wywcgs!\n    wywcgs is 0, the only one there is.",
            "",
        ]

    def test_a_record_a_case(self) -> None:
        done = maumau("acquaintance", "--json", data="2 3\n2 0 1\n2 1 2\n0 2\n")
        assert list(map(json.loads, done.stdout.splitlines())) == [
            {"format": "maumau-acquaintance", "version": 1, "from": 0, "to": 2, "steps": 2, "chain": [0, 1, 2], "groups": [1, 2]},
            {"format": "maumau-acquaintance", "version": 1, "from": 0, "to": 1, "steps": None, "chain": [], "groups": []},
        ]  # fmt: skip

    def test_all_errors_of_bad_input_are_reported_and_nothing_is_printed(self) -> None:
        done = maumau("acquaintance", data="0 3\n2 3\n2 0\n2 0 3\n")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            "<stdin>:3: a group of 2 has 1 member; name 2\n<stdin>:4: member 2: 3 is out of range; use a person from 0 to 2\n"
        )

    def test_any_two_players_of_the_tables(self) -> None:
        done = maumau("acquaintance", "--seats", data="x y\ny z\nw\n")
        assert done.stdout == "x y: 1\nx z: 2\nx w: never\ny z: 1\ny w: never\nz w: never\n"

    def test_two_players_their_chain_and_its_tables(self) -> None:
        arguments = ["acquaintance", "--seats", "--between", "anna", "fritz", "--between", "emil", "anna"]
        assert maumau(*arguments, data=TABLES).stdout == "anna fritz: 3\nemil anna: never\n"
        assert maumau(*arguments, "--explain", data=TABLES).stdout == (
            "anna fritz: 3\n"
            "    anna sat with bert at table 1 (anna bert carla)\n"
            "    bert sat with dora at table 2 (bert dora)\n"
            "    dora sat with fritz at table 4 (dora fritz)\n"
            "emil anna: never\n"
            "    emil reaches nobody, and anna is not among them.\n"
        )
        record = json.loads(maumau(*arguments, "--json", data=TABLES).stdout.splitlines()[0])
        assert (record["steps"], record["chain"], record["groups"]) == (3, ["anna", "bert", "dora", "fritz"], [1, 2, 4])

    def test_an_unknown_person_is_reported_with_similar_names(self) -> None:
        done = maumau("acquaintance", "--seats", "--between", "ana", "Q", data=TABLES)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.splitlines() == [
            "--between: 'ana' sat at no table of <stdin>; did you mean anna? Use one of anna, bert, carla, dora, "
            "emil, fritz",
            "--between: 'Q' sat at no table of <stdin>; use one of anna, bert, carla, dora, emil, fritz",
        ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["waits", "--explain", "--json"], "--explain and --json cannot be used together"),
        (["acquaintance", "--explain", "--json"], "--explain and --json cannot be used together"),
        (["acquaintance", "--between", "0", "1"], "--between requires --seats"),
        (["waits", "no/such"], "no/such: no such file or directory; name a file to read"),
        (["acquaintance", "--seats"], "<stdin>:1: the input is empty; write a table on each line"),
    ],
)
def test_wrong_options(arguments: list[str], message: str) -> None:
    done = maumau(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


@pytest.mark.parametrize("command", ["waits", "acquaintance"])
def test_help_shows_the_input_and_examples(command: str) -> None:
    output = maumau(command, "--help").stdout
    assert "Examples" in output
    assert "The input is that of the contest problem" in output
