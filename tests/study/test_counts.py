"""Counts and rows that come back from a file are those that were written."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest
from pyarrow import parquet

from maumau.cli.chosen import game_with_rules
from maumau.kernels.compiled.results import MEASURED
from maumau.study.counts import Counts, lowest
from maumau.study.playing import count, file_of, play, play_chunk, prepare
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


@pytest.mark.slow
@pytest.mark.parametrize("policies", [("house",), ("random",), ("house", "random")])
@pytest.mark.parametrize("game", ["maumau", "uno"])
def test_what_lanes_count_by_value_is_in_the_rows(game: str, policies: tuple[str, ...]) -> None:
    """Also the games without a winner, and those whose decks are dealt by other code."""
    spec = StudySpec.of(game, 2, 10_000, 3, policies, chunk=10_000, rotate=False)
    chunk = spec.cut(0)
    assert play_chunk(spec, chunk, with_file=False).counts == count(spec, chunk, play(spec, chunk))


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("name", SPECS)
def test_rows_are_the_results_of_all_plays(name: str) -> None:
    spec = SPECS[name]
    chunk = spec.cut(0)
    results = play(spec, chunk)
    table = parquet.read_table(BytesIO(file_of(spec, chunk, results, count(spec, chunk, results))))
    expected = [
        {
            **{"number": number, "seating" if spec.compared_with is None else "rules": index},
            **{"ending": str(spec.unit.endings(game["ending"])), "winner": int(game["winner"]) + 1 or None},
            **{measure: game[measure] for measure in MEASURED},
            **{f"score_{seat}": score for seat, score in enumerate(scores, 1)},
        }
        for index, played in enumerate(results)
        for number, (game, scores) in enumerate(zip(played.games, played.scores.tolist(), strict=True))
    ]
    assert table.select(list(expected[0])).to_pylist() == expected
    assert [field.name for field in table.schema if field.nullable] == ["winner"]


def test_of_many_games_without_a_winner_the_first_are_listed(
    played: dict[str, Counts], monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = played["below zero"]
    assert any("/loss " in name for name in counts.sums)
    assert len(counts.unwon) > 1
    for few in (1, len(counts.unwon)):
        monkeypatch.setattr("maumau.study.counts.LISTED", few)
        assert lowest(counts.unwon) == counts.unwon[:few]
