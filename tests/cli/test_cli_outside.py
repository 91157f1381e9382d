"""`--game FILE.py:NAME`: games of files outside the package, and one clear message for whatever is wrong with a file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from command import STATEMENT, forgetting, maumau
from outside import command, game_file

from fsm import outside, registry
from fsm.edge.errors import CompilationError
from maumau.cli.main import app


@pytest.fixture
def game(tmp_path: Path) -> str:
    """The game of a file, as the command line names it; no other file has the same text, which would be loaded once."""
    return f"{game_file(tmp_path, more=f'# {tmp_path}')}:Other"


def test_a_game_of_a_file_is_dealt_played_and_replayed(game: str) -> None:
    """It is Mau-Mau under another name, so its games are those of Mau-Mau."""
    deal = ("deal", "--players", 3, "--seed", 7, "--games", 3)
    games = command(*deal, "--game", game)
    assert games == command(*deal)
    played = command("simulate", "--game", game, "-", data=games.out)
    assert played == command("simulate", "-", data=games.out)
    records = command("simulate", "--json", "--game", game, "-", data=games.out).out
    assert {json.loads(record)["game"] for record in records.splitlines()} == {"other"}
    again = command("simulate", "--from-json", "--game", game, "-", data=records)
    assert again == played


def test_a_game_may_be_a_name_that_a_package_imports_on_first_use() -> None:
    with forgetting():
        named = maumau("deal", "--players", 2, "--game", "maumau:MauMau")
        refused = maumau("deal", "--players", 2, "--game", "maumau:StudySpec")
    assert named.stdout == maumau("deal", "--players", 2).stdout
    assert refused.stderr.startswith("--game: maumau:StudySpec: class StudySpec is not a subclass of fsm.Game")


def test_what_a_package_raises_while_it_imports_a_name_is_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lazily.py").write_text("def __getattr__(name):\n    raise ImportError('skat is not installed')\n")
    monkeypatch.syspath_prepend(tmp_path)
    done = maumau("deal", "--players", 2, "--game", "lazily:Skat")
    assert (done.stderr, done.returncode) == ("--game: lazily: ImportError: skat is not installed\n", 2)


def test_records_name_registered_games_only(game: str) -> None:
    deck = command("deal", "--players", 2).out
    record = command("simulate", "--json", "--game", game, "-", data=deck).out
    registry._registered.pop("other")
    unknown = "<stdin>:1: unknown game 'other'; use one of maumau, uno, mahjong, uno-official\n"
    assert command("simulate", "--from-json", "-", data=record) == (2, "", unknown)
    named = json.dumps({**json.loads(record), "game": game})
    done = command("simulate", "--from-json", "-", data=named)
    assert (done.status, done.out) == (2, "")
    assert "unknown game" in done.err
    assert "other" not in registry.names()


@pytest.mark.parametrize("arguments", ["{path}:Other", "bulk_fixtures:Countdown", "os:path", "../../x.py:Y", 3, None])
def test_requests_name_registered_games_only(tmp_path: Path, arguments: object) -> None:
    from maumau.play.server.guard import BadRequest
    from maumau.play.server.requests import create_game

    path = game_file(tmp_path, more='raise AssertionError("executed")\n')
    with pytest.raises(BadRequest, match=r"unknown game|is not a text"):
        create_game({"game": arguments.format(path=path) if isinstance(arguments, str) else arguments})


FAULTS = {
    "missing": (None, "Game", "own.py: no such file or directory; use FILE.py:NAME or MODULE:NAME"),
    "syntax": ("x = 1\ndef f(:\n", "Game", "own.py:2: syntax error: invalid syntax"),
    "no text": (b"\xff\xfe\x00", "Game", "own.py"),
    "not UTF-8": (
        b"x = 1\ny = '\xe9'\n",
        "Game",
        "own.py:2: syntax error: the line is not UTF-8 text; save the file as UTF-8",
    ),
    "not the encoding it names": (b"# coding: latin-1\ny = '\xe9'\nx = (\n", "Game", "own.py:3: syntax error: '(' was"),
    "raises": ("import os\n\nraise KeyError('a\\nb')\n", "Game", r"own.py:3: KeyError: 'a\nb'"),
    "ends": ("import sys\nsys.exit(0)\n", "Game", "own.py:2: SystemExit: 0"),
    "recursion": ("def f(): f()\nf()\n", "Game", "own.py:1: RecursionError: maximum recursion depth exceeded"),
    "import": ("import no_such_module\n", "Game", "own.py:1: ModuleNotFoundError: No module named 'no_such_module'"),
    "no such name": ("x = 1\n", "Game", "own.py: it does not define 'Game'; define a class of a game there"),
    "another name": (
        "from fsm import MauMau\nclass Own(MauMau):\n    pass\n",
        "Game",
        "own.py: it does not define 'Game'; use one of Own",
    ),
    "not a game": ("Game = 3\n", "Game", "3 is not a subclass of fsm.Game"),
    "taken": (
        "from fsm import MauMau\nclass Game(MauMau):\n    pass\n",
        "Game",
        "the name 'maumau' is taken by fsm.games.maumau.game.MauMau; use another name",
    ),
    "declaration": (
        "from dataclasses import replace\nfrom fsm import MauMau\nD = replace(MauMau.declaration, arcs=())\n",
        "Game",
        "own.py:3: maumau: phase initial has no way out",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_is_wrong_with_a_file_is_one_message(fault: str, tmp_path: Path) -> None:
    text, name, message = FAULTS[fault]
    path = tmp_path / "own.py"
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    done = command("simulate", "--game", f"{path}:{name}", "-")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"--game: {path.parent}")
    assert message in done.err
    assert done.err.count("\n") == 1


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def very_long(path: Path) -> None:
    path.touch()
    os.truncate(path, 2**34)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (endless, "it is not a regular file"),
        (os.mkfifo, "it is not a regular file"),
        (Path.mkdir, "it is not a regular file"),
        (very_long, "it has more than 4,194,304 bytes"),
    ],
)
@pytest.mark.parametrize(
    "line", [["deal", "--game"], ["deal", "--players", "2", "--with"], ["simulate", "--policy"], ["rules"]]
)
def test_a_file_that_never_ends_is_not_read(
    make: Callable[[Path], None], message: str, line: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "own.py"
    make(path)
    done = command(*line, f"{path}:Game", data="0\n")
    assert (done.status, done.out) == (2, "")
    assert f": {path}: {message}; use FILE.py:NAME or MODULE:NAME" in done.err


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (
            "skat",
            "unknown game 'skat'; use one of maumau, uno, mahjong, uno-official, or FILE.py:NAME for a game of your own",
        ),
        ("own.py", "'own.py' names no class after a colon; use FILE.py:NAME or MODULE:NAME"),
        ("own.py:", "names no class after a colon"),
        (":Own", "'' is neither a file nor a module"),
        ("a b:Own", "'a b' is neither a file nor a module"),
        ("no_such_module:Own", "no_such_module: ModuleNotFoundError: No module named 'no_such_module'"),
        ("json:Own", "json: it does not define 'Own'"),
        (".:Own", "'.' is neither a file nor a module"),
    ],
)
@pytest.mark.parametrize("name", ["simulate", "deal", "diagram", "check", "compile", "study", "replay", "serve"])
def test_every_command_refuses_a_game_that_is_not_there(name: str, game: str, message: str) -> None:
    done = command(name, "--game", game)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("--game: ")
    assert message in done.err


def completed(incomplete: str, *words: str) -> list[tuple[str, str]]:
    given = [*(words or ("simulate", "--game"))]
    items = ShellComplete(app, {}, "maumau", "_MAUMAU_COMPLETE").get_completions(given, incomplete)
    return [(item.value, item.type) for item in items]


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("simulate --with ni", "nine-reverses"),
        ("simulate --with nine-reverses,ki", "nine-reverses,king-again"),
        ("simulate --with nine-reverses,ni", "nine-reverses,ni FILE"),
        ("deal --game uno-official --with seven", "seven-zero"),
        ("study --compare-rules five", "five-each"),
        ("rules nine", "nine-reverses"),
        ("rules --game uno-official seven", "seven-zero"),
        ("simulate --policy house,first", "house,first-legal"),
        ("solve --exploit random-", "random-legal-card"),
        ("tournament --policy sol", "solved:"),
        ("diagram --format mer", "mermaid"),
        ("diagram --phase dr", "drawing"),
        ("diagram --game uno-official --phase jump", ""),
        ("diagram --game uno-official --with jump-in --phase jump", "jump-pending"),
        ("diagram --match --phase match", "match-over"),
        ("diagram --game nosuch --phase d", ""),
        ("simulate --game nosuch --with d", "d FILE"),
    ],
)
def test_a_shell_completes_the_values_of_the_game_of_the_line(line: str, values: str) -> None:
    *words, incomplete = line.split()
    found = completed(incomplete, *words)
    assert " ".join(f"{name}{' FILE' * (kind == 'file')}" for name, kind in found) == values


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--game unoo", "--game: unknown game 'unoo'; did you mean uno? Use one of uno, maumau, "),
        ("--with king-agan", "--with: unknown rule 'king-agan'; did you mean king-again? Use one of king-again, "),
        (
            "--with stack-draws",
            "--with: 'stack-draws' is a rule of uno-official, not of maumau; use --game uno-official",
        ),
        (
            "--with progressive-uno",
            "--with: 'progressive-uno' is a profile of uno-official, not of maumau; use --game ",
        ),
        ("--game uno --with king-again", "--with: 'king-again' is a rule of maumau, not of uno; "),
        ("--phase drawin", "--phase: unknown phase 'drawin'; did you mean drawing? Use one of drawing, initial, "),
    ],
)
def test_a_name_that_is_misspelt_or_of_another_game_is_recognized(options: str, message: str) -> None:
    done = command("diagram", *options.split())
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(message)


def test_a_message_lists_eight_names_and_says_which_command_lists_all() -> None:
    *names, last = command("diagram", "--with", "zzz").err.partition("use one of ")[2].split(", ")
    assert len(names) == 7
    assert last.endswith("; `maumau rules --game maumau` lists all\n")


def test_a_shell_completes_names_of_games_and_else_files() -> None:
    assert completed("m") == [("maumau", "plain"), ("mahjong", "plain")]
    assert {"maumau", "uno"} <= {name for name, _ in completed("")}
    assert completed("examples/") == [("examples/", "file")]


def test_a_shell_that_completes_executes_no_file(tmp_path: Path) -> None:
    path = game_file(tmp_path, more=f"open({str(tmp_path / 'executed')!r}, 'w')\n")
    ShellComplete(app, {}, "maumau", "_MAUMAU_COMPLETE").get_completions(
        ["simulate", "--game", f"{path}:Other", "--policy"], ""
    )
    for words in (["diagram", "--phase"], ["deal", "--with"], ["rules"]):
        completed("x", words[0], "--game", f"{path}:Other", *words[1:])
        completed("x", words[0], "--with", f"{path}:Other", *words[1:])
    assert not (tmp_path / "executed").exists()


def test_what_cannot_be_compiled_is_reported_with_its_place(game: str) -> None:
    file = game.rpartition(":")[0]
    assert command("deal", "--game", game, "--players", 2).out
    error = CompilationError("fits: Dict is not known here", f"{file}:38")
    assert outside.failure(error).startswith(f"{file}:38: this cannot be compiled: fits: Dict is not known here")


@pytest.mark.parametrize(("place", "where"), [("", ""), ("rules/other.py:12", "rules/other.py:12: ")])
def test_what_cannot_be_compiled_is_a_sentence_where_nothing_is_from_outside(
    place: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise CompilationError("fits: Dict is not known here", place)

    monkeypatch.setattr(outside, "_admitted", {})
    monkeypatch.setattr("maumau.kernels.bulk.answers.ResultWriter", failing)
    done = maumau("simulate", "--engine", "compiled", "-", data=STATEMENT)
    what = "this cannot be compiled: fits: Dict is not known here; see docs/reference/compiled-rules.md"
    assert (done.returncode, done.stderr) == (2, f"{where}{what}\n")
