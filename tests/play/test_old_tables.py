"""Tables that version 0.1.0 saved are restored as they were."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fsm import MauMau
from maumau.play.table import Table

FILES = sorted((Path(__file__).parents[1] / "corpus" / "v0.1.0" / "tables").glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_table_is_restored_where_it_was(file: Path) -> None:
    """Of official UNO, too, in which the others saw events that they do not see now: versions were counted by them."""
    MauMau.with_rules("jack-on-jack", "eights-answered")
    stored = json.loads(file.read_text(encoding="utf-8"))
    table = Table.restore(stored["saved"])
    assert (table.game.position(), table.asked) == (stored["position"], stored["asked"])
    assert Table.restore(table.save()).journal == table.journal
    if table.asked is not None:
        move = table.view(table.asked)["question"]["moves"][0]
        table.act(table.asked, move, at=table.version(table.asked))


def test_there_is_a_table_with_house_rules_and_of_other_games() -> None:
    assert {file.stem for file in FILES} == {"mahjong", "rules", "uno-official"}
