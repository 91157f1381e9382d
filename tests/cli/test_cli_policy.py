"""Players beside the policies of a game, by name: `--policy FILE.py:NAME`, and names of registered forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import STATEMENT, maumau

from fsm import MauMau
from fsm.declaration import policy
from fsm.declaration.policy import Form, FunctionPolicy, register_form

PLAYERS = """
def last(view):
    return view.moves[-1]


def broken(view):
    return 1 // 0


def cheating(view):
    return ("play", "CA", "H")


def silent(view):
    return None


def leaving(view):
    raise SystemExit(3)


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
        ("first", "it does not define 'first'; use one of last, broken, cheating, silent, leaving"),
        ("CONSTANT", "3 is not a function of a view that returns a move"),
        ("broken", "players.py:7: ZeroDivisionError: "),
        ("cheating", "players.py:cheating of player 1: "),
        ("silent", "players.py:silent of player 1: it returned None; return a Move, one of those in view.moves"),
        ("leaving", "players.py:19: SystemExit: 3"),
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
    assert "plays stepped games only; use one of house, random, first-legal" in done.stderr


def test_commands_that_show_compiled_code_refuse_a_function(players: Path) -> None:
    done = maumau("compile", "--show", "--policy", f"{players}:last")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("--policy: policy ")
    assert "plays stepped games only" in done.stderr


def test_matches_are_played_by_a_function(players: Path) -> None:
    line = maumau("deal", "--match", "--players", 2, "--seed", 7).stdout
    done = maumau("simulate", "--match", "--target", 20, "--policy", f"{players}:last,house", data=line)
    assert (done.returncode, done.stderr) == (0, "")
    broken = maumau("simulate", "--match", "--policy", f"{players}:broken", data=line)
    assert broken.returncode == 2
    assert "players.py:7: ZeroDivisionError: " in broken.stderr


def test_traffic_is_that_of_the_stepped_games(players: Path) -> None:
    done = maumau("diagram", "--traffic", 20, "--players", 2, "--policy", f"{players}:last,house", "--format", "dot")
    events = 0
    for number in range(20):
        game = MauMau.deal(2, 0, number, [lambda view: view.moves[-1], "house"])
        game.run()
        events += len(game.history)
    assert done.stderr == ""
    assert f"{events:,} events" in re.sub("</B>.*?<B>", " ", done.stdout)  # where the note is broken into lines


# ---------------------------------------------------------------- forms of names


@pytest.fixture
def numbered() -> Iterator[Form]:
    """Players who take the move of a number, if there is one: `move:3`."""

    def make(game: Any, operand: str) -> FunctionPolicy:
        if not operand.isdecimal():
            raise ValueError(f"{operand!r}; use a number")
        number = int(operand)
        return FunctionPolicy(f"move:{operand}", decide=lambda view: view.moves[min(number, len(view.moves) - 1)])

    form = Form("move", "NUMBER", "Takes the move of a number.", make)
    yield register_form(form)
    del policy._forms["move"]


def test_a_form_names_a_player_in_every_game(numbered: Form) -> None:
    first, last = (MauMau.deal(2, seed=7, policies=name).run() for name in ("move:0", "move:99"))
    assert first == MauMau.deal(2, seed=7, policies=lambda view: view.moves[0]).run()
    assert last == MauMau.deal(2, seed=7, policies=lambda view: view.moves[-1]).run()
    assert MauMau.declaration.policy("move:1") is MauMau.declaration.policy("move:1")
    assert maumau("simulate", "--policy", "move:0", data=STATEMENT).returncode == 0


@pytest.mark.usefixtures("numbered")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("move:x", "--policy: policy 'move:x': 'x'; use a number\n"),
        ("moves", "--policy: unknown policy 'moves'; use one of house, random, first-legal, "),
    ],
)
def test_a_wrong_name_is_reported_with_the_known_forms(name: str, message: str) -> None:
    done = maumau("simulate", "--policy", name, data=STATEMENT)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)
    assert message.endswith("\n") or "move:NUMBER" in done.stderr


def test_two_forms_cannot_have_one_prefix(numbered: Form) -> None:
    assert register_form(numbered) is numbered
    with pytest.raises(ValueError, match="the form of players move:OTHER: the prefix is taken by move:NUMBER"):
        register_form(Form("move", "OTHER", "Another.", numbered.make))


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "deal --players 3 --games 3 --seed 4 | simulate --seed 4 --json",
        "deal --game uno-official --players 3 --games 2 --seed 4 | simulate --game uno-official --seed 4 --json",
        "deal --players 3 --games 1 --seed 4 | replay - --seed 4 -o -",
        "study --players 3 --games 60 --seed 4 --format json",
    ],
)
@pytest.mark.parametrize("name", ["random", "first-legal"])
def test_a_policy_for_all_is_that_policy_for_each_seat(line: str, name: str) -> None:
    def answer(policy: str) -> str:
        out = ""
        for command in (*(dealing := line.split(" | "))[:-1], f"{dealing[-1]} --policy {policy}"):
            done = maumau(*command.split(), data=out)
            assert done.returncode == 0, done.stderr
            out = done.stdout
        return re.sub(r'"seconds": [0-9.e-]+', "", out)

    assert answer(name) == answer(",".join([name] * 3))
