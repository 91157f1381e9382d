"""Scores of any size are kept, counted and added up as they are stepped, or refused by their number."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("pyarrow")

from pyarrow import parquet

from fsm import registry
from fsm.games.maumau import MAUMAU
from fsm.stepping.game import Game, game_of
from maumau.study.playing import count, file_of, play
from maumau.study.spec import StudySpec
from rules.maumau.game import score
from rules.rule import query
from rules.table import CardTable

GAMES = 40


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is forgotten after it."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


def scoring(factor: int) -> type[Game]:
    """Mau-Mau in which each point counts `factor`."""

    @query
    def money(table: CardTable, seat: int) -> int:
        """The points, in cents."""
        return factor * score(table, seat)

    name = f"maumau-{'minus' if factor < 0 else 'times'}-{abs(factor)}"
    scores = replace(MAUMAU.scoring, below_zero=factor < 0)
    return game_of(replace(MAUMAU, name=name, score=money, scoring=scores))


def stepped(kind: type[Game], games: int = GAMES) -> list[tuple[int, ...]]:
    """The scores of games of two players, each stepped from its start."""
    return [kind.deal(players=2, seed=7, number=number).run().scores for number in range(games)]


@pytest.mark.parametrize(("factor", "kind"), [(1, "uint16"), (2000, "int32"), (-1, "int16"), (-2000, "int32")])
def test_rows_have_the_scores_of_stepped_games(factor: int, kind: str) -> None:
    """In 16 bits only where all of a chunk fit."""
    game = scoring(factor)
    spec = StudySpec.of(game, 2, GAMES, 7, chunk=GAMES)
    chunk = spec.cut(0)
    results = play(spec, chunk)
    table = parquet.read_table(BytesIO(file_of(spec, chunk, results, count(spec, chunk, results))))
    columns = [table.column(name) for name in ("score_1", "score_2")]
    assert [str(column.type) for column in columns] == [kind, kind]
    assert list(zip(*(column.to_pylist() for column in columns), strict=True)) == stepped(game)
