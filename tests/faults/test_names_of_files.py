"""Names of files that are not UTF-8, or that look like formulas, in everything that is drawn and written."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from command import MAUMAU
from outside import command

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="its names of files are UTF-8")

PLAYER = "def choose(view):\n    return view.moves[0]\n"


@pytest.fixture(params=[b"p\xff.py", b"a$b$_^.py"], ids=["not UTF-8", "formula"])
def player(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A player of a file, as --policy names it."""
    path = os.path.join(os.fsencode(tmp_path), request.param)
    Path(os.fsdecode(path)).write_text(PLAYER)
    return f"{os.fsdecode(path)}:choose"


@pytest.mark.parametrize("name", ["a\udcff.in", "é.in"])
def test_a_game_is_drawn_from_such_a_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes((MAUMAU / "statement.in").read_bytes())
    page = tmp_path / "page.html"
    assert command("replay", tmp_path / name, "-o", page) == (0, "", f"maumau: wrote {page}\n")
    assert f" of {name}".replace("\udcff", "\\udcff") in page.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("ending", ["md", "csv", "txt", "json", "html"])
def test_a_study_of_such_a_player_is_reported(tmp_path: Path, player: str, ending: str) -> None:
    pytest.importorskip("matplotlib" if ending == "html" else "scipy")
    report = tmp_path / f"report.{ending}"
    done = command("study", "--players", 2, "--games", 20, "--policy", f"house,{player}", "-o", report)
    assert done.status == 0
    assert ":choose" in report.read_text(encoding="utf-8")


@pytest.mark.usefixtures("pictures")
def test_a_diagram_shows_such_a_player(tmp_path: Path, player: str) -> None:
    picture = tmp_path / "path.svg"
    game = MAUMAU / "statement.in"
    assert command("diagram", "--path", game, "--policy", player, "-o", picture).status == 0
    assert picture.read_text(encoding="utf-8").startswith("<")
