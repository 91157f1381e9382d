"""`maumau demo` writes the page that the line which it prints writes."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import pytest
from command import maumau, plain_line, run_line

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that the command opens in a browser."""
    found: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: found.append(address) or True)
    return found


@pytest.mark.parametrize(
    "game",
    [
        [],
        ["--game", "uno", "--players", "4", "--seed", "7"],
        ["--game", "mahjong"],
        ["--with", "nine-reverses", "--seed", "3"],
    ],
)
def test_the_line_that_it_prints_writes_the_same_page(
    game: list[str], opened: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    demo = maumau("demo", *game)
    assert (demo.returncode, opened) == (0, [(tmp_path / "demo.html").as_uri()])
    page = (tmp_path / "demo.html").read_text(encoding="utf-8")
    line = plain_line(demo.stdout.strip())
    assert line is not None
    assert run_line(line).returncode == 0
    replayed = (tmp_path / "demo.html").read_text(encoding="utf-8")
    seed = game[-1] if "--seed" in game else 0
    assert page == replayed.replace("game 0 of standard input", f"game 0 of seed {seed}")
    assert len(opened) == 2


def test_a_game_of_a_file_is_named_by_its_file(opened: list[str], tmp_path: Path) -> None:
    game = f"{EXAMPLES / 'hearts.py'}:Hearts"
    demo = maumau("demo", "--game", game, "-o", tmp_path / "a page.html")
    assert demo.stdout == (
        f"maumau deal --game {game} --players 4 --seed 0 | "
        f"maumau replay --game {game} - -o '{tmp_path / 'a page.html'}' --open\n"
    )


def test_where_there_is_no_browser_the_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda address: False)
    demo = maumau("demo", "-o", tmp_path / "demo.html")
    assert demo.returncode == 0
    assert f"open {tmp_path / 'demo.html'} in one" in demo.stderr


@pytest.mark.parametrize(
    ("options", "status"), [(["-o", "-"], 2), (["--players", 9], 2), (["-o", "/nowhere/x.html"], 74)]
)
def test_what_cannot_be_written_or_dealt_is_refused(options: list[object], status: int, opened: list[str]) -> None:
    demo = maumau("demo", *options)
    assert (demo.returncode, demo.stdout, opened) == (status, "", [])
