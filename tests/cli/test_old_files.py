"""Files that version 0.1.0 wrote are read as they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from outside import command

FILES = sorted((Path(__file__).parents[1] / "corpus" / "v0.1.0").glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_record_is_read_and_written_again_as_it_was(file: Path) -> None:
    done = command("simulate", "--json", "--from-json", file)
    assert (done.status, done.out, done.err) == (0, file.read_text(encoding="utf-8"), "")
    assert command("replay", file, "-o", "-").status == 0


def test_there_is_a_record_of_every_game_and_of_rules() -> None:
    assert {file.stem for file in FILES} == {"mahjong", "maumau", "rules", "search", "uno", "uno-official"}
