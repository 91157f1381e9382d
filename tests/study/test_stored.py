"""Counts that come back from a file: those of games are read as they are, and no report fails on any that are accepted."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("llvmlite")
pytest.importorskip("pyarrow")

import numpy as np

from maumau.cli.options import game_with_rules
from maumau.study.compare import comparison
from maumau.study.counts import Counts, lowest
from maumau.study.errors import Damaged
from maumau.study.playing import prepare
from maumau.study.report import render
from maumau.study.report.rules import render_comparison
from maumau.study.run import Progress
from maumau.study.spec import StudySpec
from maumau.study.stored import _are_products, counts_of
from maumau.study.summary import summary
from maumau.study.workers import play_chunk

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


def report(spec: StudySpec, counts: Counts) -> None:
    progress = Progress(spec)
    progress.add(0, counts)
    if spec.compared_with is None:
        render(summary(progress), "json")
    else:
        render_comparison(comparison(progress), "json")


@pytest.mark.parametrize("name", SPECS)
def test_counts_survive_as_text(played: dict[str, Counts], name: str) -> None:
    spec, counts = SPECS[name], played[name]
    assert counts_of(spec, spec.cut(0), as_read(counts)) == counts


def test_of_many_games_without_a_winner_the_first_are_listed(
    played: dict[str, Counts], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, counts = SPECS["below zero"], played["below zero"]
    assert any("/loss " in name for name in counts.sums)
    assert len(counts.unwon) > 1
    for few in (1, len(counts.unwon)):
        for module in ("counts", "stored"):
            monkeypatch.setattr(f"maumau.study.{module}.LISTED", few)
        listed = Counts(counts.sums, lowest(counts.unwon))
        assert counts_of(spec, spec.cut(0), as_read(listed)).unwon == counts.unwon[:few]
    with pytest.raises(Damaged, match="other games without a winner than endings"):
        counts_of(spec, spec.cut(0), as_read(Counts(counts.sums, counts.unwon[1:])))


VALUES = (5, -1, 1.0, True, None, "1", [], {}, [1], 2**62, 2**63, 10**40)


def changes(plain: Plain) -> list[Callable[[Plain], object]]:
    """Ways to change counts: each row and each number of it, each listed game, and what contains them."""

    def of_row(name: str, value: object) -> list[Callable[[Plain], object]]:
        return [
            lambda plain: plain["sums"].update({name: value}),
            lambda plain: plain["sums"].update({name: [value, *plain["sums"][name][1:]]}),
            lambda plain: plain["sums"].update({name: [*plain["sums"][name][:-1], value]}),
            lambda plain: plain["sums"].update({name: [*plain["sums"][name], value]}),
            lambda plain: plain["sums"].update({name + "x": [value]}),
            lambda plain: plain["sums"].pop(name),
        ]

    def of_game(value: object) -> list[Callable[[Plain], object]]:
        games = [value, [value], [value, 1, 0], [2, value, 0], [2, 1, value], [3, 1, 0, value]]
        return [lambda plain, game=game: plain["unwon"].append(game) for game in games]  # type: ignore[misc]

    found = [change for name in plain["sums"] for value in VALUES for change in of_row(name, value)]
    found += [change for value in VALUES for change in of_game(value)]
    for part in ("sums", "unwon"):
        found += [lambda plain, part=part, value=value: plain.update({part: value}) for value in VALUES]  # type: ignore[misc]
        found += [lambda plain, part=part: plain.pop(part)]  # type: ignore[misc]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", SPECS)
def test_no_report_fails_on_counts_that_are_accepted(played: dict[str, Counts], name: str) -> None:
    spec, text = SPECS[name], json.dumps(played[name].as_json())
    refused = accepted = 0
    for change in changes(as_read(played[name])):
        plain = json.loads(text)
        change(plain)
        try:
            counts = counts_of(spec, spec.cut(0), plain)
        except Damaged:
            refused += 1
        else:
            accepted += 1
            report(spec, counts)
    assert refused > 10 * accepted


@pytest.mark.parametrize("value", [value for value in VALUES if not isinstance(value, dict)])
def test_counts_that_are_no_object(value: object) -> None:
    spec = SPECS["plain"]
    with pytest.raises(Damaged, match="its footer cannot be read"):
        counts_of(spec, spec.cut(0), value)


vectors = st.integers(1, 4).flatmap(
    lambda size: st.lists(st.lists(st.integers(-9, 9), min_size=size, max_size=size), min_size=1, max_size=6)
)


class TestProducts:
    @settings(max_examples=50)
    @given(vectors)
    def test_those_of_figures_are_accepted(self, games: list[list[int]]) -> None:
        figures = np.array(games).T
        row = [*figures.sum(axis=1).tolist(), *(figures @ figures.T).ravel().tolist()]
        assert _are_products(len(games), row)

    @pytest.mark.parametrize(
        "row",
        [
            [3, 2],  # the sum of three ones in three games has three squares
            [1, 1, 1, 0, 1, 1],  # not symmetric
            [0, 0, 1, 2, 2, 1],  # against the inequality of Cauchy and Schwarz
            [0, 0, 0, 1, 1, 5],  # a figure of zeros
            [0, -1],
        ],
    )
    def test_others_are_refused(self, row: list[int]) -> None:
        assert not _are_products(3, row)
