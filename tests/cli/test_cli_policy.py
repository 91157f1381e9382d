"""Policies of one's own on the command line: `--policy FILE.py:FUNCTION`."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import STATEMENT, maumau

from fsm import MauMau

PLAYERS = """
def last(view):
    return view.moves[-1]


def broken(view):
    return 1 // 0


def cheating(view):
    return ("play", "CA", "H")


CONSTANT = 3
"""


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("players") / "players.py"
    path.write_text(PLAYERS)
    return path


def test_a_function_of_a_file_plays_a_seat(players: Path) -> None:
    deck = MauMau.deck_of(2, seed=7)
    line = f"1\n{MauMau.write(2, deck)}\n"
    done = maumau("simulate", "--events", "--policy", f"{players}:last,house", data=line)
    assert done.stderr == ""
    game = MauMau.of_deck(2, deck, [lambda view: view.moves[-1], "house"])
    game.run()
    played = maumau("simulate", "--policy", f"{players}:last,house", data=line).stdout.split()
    assert [step.card for step in game.history if step.trigger == "play"] == played[
        1 : 1 + game.table.tail - game.table.bottom - 1
    ]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("first", "no 'first' in it, expected one of last, broken, cheating"),
        ("CONSTANT", "3, expected a function of a view that returns a move"),
        ("broken", "players.py:7: ZeroDivisionError: "),
        ("cheating", "players.py:cheating of player 1: "),
    ],
)
def test_what_is_wrong_with_a_function_is_reported_without_a_traceback(players: Path, name: str, message: str) -> None:
    done = maumau("simulate", "--policy", f"{players}:{name}", data=STATEMENT)
    assert done.returncode == 2
    assert done.stderr.startswith("--policy: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_that_is_not_there_is_reported() -> None:
    done = maumau("simulate", "--policy", "nowhere.py:last", data=STATEMENT)
    assert (done.returncode, done.stdout) == (2, "")
    assert "nowhere.py: no such file or directory" in done.stderr


def test_compiled_play_refuses_a_function(players: Path) -> None:
    done = maumau("simulate", "--engine", "compiled", "--policy", f"{players}:last", data=STATEMENT)
    assert done.returncode == 2
    assert "is a Python function, which plays stepped games only" in done.stderr
