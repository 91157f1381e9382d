"""`maumau new`: each kind of game is checked, simulated, drawn and played as it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import maumau

KINDS = "shedding", "tricks", "climbing", "fishing"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the command runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_kinds_are_all_that_there_are() -> None:
    files = (Path(__file__).parents[2] / "maumau" / "kinds").glob("*.py")
    assert sorted(file.stem for file in files if file.stem != "__init__") == sorted(KINDS)


@pytest.mark.parametrize("kind", [*(pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS[:-1]), KINDS[-1]])
def test_a_new_game_is_checked_played_and_drawn(kind: str, folder: Path) -> None:
    done = maumau("new", "late_snow.py", "--kind", kind)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines() == [
        "maumau: wrote late_snow.py",
        "maumau: maumau check --game late_snow.py:LateSnow checks it; change the places marked CHANGE",
    ]
    assert "CHANGE" in (folder / "late_snow.py").read_text()
    game = ("--game", "late_snow.py:LateSnow")
    checked = maumau("check", *game, "--games", 2)
    assert (checked.returncode, "FAILED" in checked.stdout) == (0, False)
    assert checked.stdout.startswith("Late Snow: ")
    dealt = maumau("deal", *game, "--players", 4, "--seed", 7, "--games", 2).stdout
    played = maumau("simulate", *game, "--trace", "-", data=dealt)
    assert (played.stderr, played.stdout.count("Game ")) == ("", 2)
    assert maumau("simulate", *game, "--json", "-", data=dealt).stdout.count("maumau-game") == 2
    drawn = maumau("diagram", *game, "--format", "mermaid")
    assert (drawn.returncode, drawn.stderr) == (0, "")
    table = maumau("play", *game, "--plain", "--seed", 7, "--players", 4, data="1\n" * 400)
    assert "Traceback" not in table.stderr
    assert "Your move" in table.stdout
    assert any(word in table.stdout for word in ("wins", "win", "Nobody"))


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("my-game.py", "my-game.py: not the name of a file with a game; choose a name such as my_game.py"),
        ("my_game", "my_game: not the name of a file with a game"),
        ("", "'': not the name of a file with a game"),
        ("game.py", "game.py: the file itself needs the name Game or GAME; choose another name"),
        ("uno.py", "uno.py: the game uno is built in; choose another name"),
        *(
            (
                f"{name}.py",
                f"{name}.py: would be imported in place of the module {name}; choose a name such as my_game.py",
            )
            for name in ("rules", "fsm", "render", "maumau", "random", "click")
        ),
        ("nowhere/my_game.py", "nowhere/my_game.py: "),
    ],
)
def test_a_name_that_cannot_be_is_refused(file: str, message: str, folder: Path) -> None:
    done = maumau("new", file, "--kind", "tricks")
    assert done.returncode in (2, 74)
    assert done.stderr.startswith(message)
    assert not list(folder.iterdir())


def test_a_file_that_exists_is_not_overwritten(folder: Path) -> None:
    (folder / "my_game.py").write_text("# mine\n")
    done = maumau("new", "my_game.py", "--kind", "fishing")
    assert (done.returncode, done.stderr) == (
        2,
        "my_game.py: already exists; choose another name\n",
    )
    assert (folder / "my_game.py").read_text() == "# mine\n"


def test_an_unknown_kind_is_refused_with_those_that_there_are() -> None:
    done = maumau("new", "my_game.py", "--kind", "betting")
    assert done.returncode == 2
    assert all(kind in done.stderr for kind in KINDS)
