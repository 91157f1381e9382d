"""A study under house rules: it is interrupted and resumed as any other, and never with other rules."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from shlex import split

import pytest
from command import maumau
from study_files import files

from fsm import outside
from fsm.games.maumau.house import RULEBOOK
from maumau.cli.main import app
from maumau.study.folder import Folder
from maumau.study.identity import identity
from maumau.study.playing import PlayedChunk

OWN = f"{Path(__file__).parents[2] / 'examples' / 'nine_reverses.py'}:NINES"
ASKED = ("--players", 3, "--games", 900, "--seed", 7, "--chunk", 200, "--format", "csv")


@pytest.fixture(name="forget")
def what_forgets_rules_of_files(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """What a new process does not know."""
    monkeypatch.setattr(outside, "_admitted", {})

    def forget() -> None:
        RULEBOOK._own.clear()
        identity.cache_clear()

    return forget


def interrupted(folder: Path, rules: str) -> str:
    """The command that continues a study, which was interrupted when two of its chunks were stored.

    The command proper: the process that calls it would end at once.
    """
    with pytest.MonkeyPatch.context() as patch:
        store, left = Folder.store, [2]

        def pressed(self: Folder, chunk: PlayedChunk) -> None:
            if not left[0]:
                raise KeyboardInterrupt
            left[0] -= 1
            store(self, chunk)

        patch.setattr(Folder, "store", pressed)
        line = "study", *ASKED, "--with", rules, "--out", folder, "--threads", 1
        with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as errors:
            assert app(list(map(str, line)), standalone_mode=False) == 130
    assert out.getvalue() == ""
    assert len(list(folder.glob("games/*.parquet"))) == 2
    return errors.getvalue().rstrip().partition("continue with: maumau ")[2]


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["wikipedia-like", f"{OWN},five-each"], ids=["profile", "file"])
def test_it_is_continued_by_the_command_that_is_printed(tmp_path: Path, rules: str, forget: Callable[[], None]) -> None:
    whole = maumau("study", *ASKED, "--with", rules, "--out", tmp_path / "whole")
    again = interrupted(tmp_path / "study", rules)
    forget()
    resumed = maumau(*split(again), "--format", "csv")
    forget()
    assert (resumed.returncode, resumed.stdout) == (0, whole.stdout)
    assert files(tmp_path / "study") == files(tmp_path / "whole")


def test_it_is_not_continued_with_other_rules(tmp_path: Path) -> None:
    interrupted(tmp_path / "study", "wikipedia-like")
    before = files(tmp_path / "study")
    for others, names in (("five-each", "five-each"), ("king-again,five-each", r"five-each+king-again")):
        for line in (("--out", tmp_path / "study", "--resume"), ("--report", tmp_path / "study")):
            refused = maumau("study", *line, "--with", others)
            assert (refused.returncode, refused.stdout) == (2, "")
            assert "game maumau+eights-answered+five-each there, " in refused.stderr
            assert f"maumau+{names} requested" in refused.stderr
    assert files(tmp_path / "study") == before


@pytest.mark.slow
def test_a_rule_of_a_file_must_be_the_same_one(tmp_path: Path, forget: Callable[[], None]) -> None:
    file = tmp_path / "nines.py"
    file.write_text(Path(OWN.partition(":")[0]).read_text())
    interrupted(tmp_path / "study", f"{file}:NINES,five-each")
    forget()
    unknown = maumau("study", "--out", tmp_path / "study", "--resume")
    assert unknown.returncode == 2
    assert "unknown rule 'nines-turn'" in unknown.stderr
    assert "--with FILE.py:NAME names a rule of your own" in unknown.stderr
    file.write_text(file.read_text().replace("== NINE", "== NINE + 1"))
    changed = maumau("study", "--out", tmp_path / "study", "--resume", "--with", f"{file}:NINES,five-each")
    assert changed.returncode == 2
    assert f"; {file} or maumau has been changed since; " in changed.stderr
