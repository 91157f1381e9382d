"""Counts that come back from a file are those that were written."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("pyarrow")


from maumau.cli.chosen import game_with_rules
from maumau.study.counts import Counts, lowest
from maumau.study.playing import play_chunk, prepare
from maumau.study.spec import StudySpec

NINES = game_with_rules("maumau", "nine-reverses")
SPECS = {
    "plain": StudySpec.of("maumau", 2, 40, 3, chunk=40),
    "policies": StudySpec.of("maumau", 2, 40, 3, ("house", "random"), chunk=40),
    "match": StudySpec.of("maumau", 3, 10, 3, chunk=10, target=30),
    "comparison": StudySpec.of("maumau", 3, 40, 3, chunk=40, rotate=False, compared_with=NINES),
    "below zero": StudySpec.of("mahjong", 3, 4000, 5, chunk=4000),
}
Plain = dict[str, Any]


@pytest.fixture(name="played", scope="module")
def played_chunks() -> dict[str, Counts]:
    """The counts of a chunk of each study."""
    for spec in SPECS.values():
        prepare(spec)
    return {name: play_chunk(spec, spec.cut(0), with_file=False).counts for name, spec in SPECS.items()}


def as_read(counts: Counts) -> Plain:
    plain: Plain = json.loads(json.dumps(counts.as_json()))
    return plain


@pytest.mark.parametrize("name", SPECS)
def test_counts_survive_as_text(played: dict[str, Counts], name: str) -> None:
    counts = played[name]
    assert Counts.from_json(as_read(counts)) == counts


def test_of_many_games_without_a_winner_the_first_are_listed(
    played: dict[str, Counts], monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = played["below zero"]
    assert any("/loss " in name for name in counts.sums)
    assert len(counts.unwon) > 1
    for few in (1, len(counts.unwon)):
        monkeypatch.setattr("maumau.study.counts.LISTED", few)
        assert lowest(counts.unwon) == counts.unwon[:few]
