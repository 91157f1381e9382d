"""Scores of any size are kept, counted and added up as they are stepped, or refused by their number."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from io import BytesIO

import pytest
from pyarrow import parquet

from fsm import Match
from fsm.games.maumau import MAUMAU
from fsm.match.dealt import DealtMatch
from fsm.stepping.game import Game, game_of
from maumau.kernels import bulk
from maumau.kernels.bulk.lanes import MIN_GAMES
from maumau.kernels.bulk.runner import ScoreError
from maumau.kernels.bulk.stepped import SteppedRunner
from maumau.kernels.bulk.transcripts import play_compiled
from maumau.kernels.lanes.request import why_no_lanes
from maumau.study.counts import Counts
from maumau.study.playing import _check_scores, count, count_alone, file_of, play, play_chunk
from maumau.study.spec import StudyError, StudySpec
from rules.maumau.game import score
from rules.rule import query
from rules.table import CardTable

GAMES = 40


def scoring(factor: int) -> type[Game]:
    """Mau-Mau in which each point counts `factor`."""

    @query
    def money(table: CardTable, seat: int) -> int:
        """The points, in cents."""
        return factor * score(table, seat)

    name = f"maumau-{'minus' if factor < 0 else 'times'}-{abs(factor)}"
    return game_of(replace(MAUMAU, name=name, score=money))


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


def test_sums_of_many_games_are_those_of_stepped_games() -> None:
    """As many as there are lanes may have millions of points, more than fit in 32 bits together."""
    game = scoring(1_000_000)
    points = tuple(map(sum, zip(*stepped(game, MIN_GAMES), strict=True)))
    assert max(points) > 1 << 31
    assert bulk.total(2, MIN_GAMES, 7, game=game).points == points


@pytest.mark.slow
@pytest.mark.parametrize("factor", [1, -1, 2000])
def test_scores_are_counted_by_value_as_in_stepped_games(factor: int) -> None:
    """In lanes, but for scores of too many values."""
    game = scoring(factor)
    spec = StudySpec.of(game, 2, 2 * MIN_GAMES, 7, chunk=2 * MIN_GAMES)
    counts = play_chunk(spec, spec.cut(0), with_file=False).counts
    for seat, points in enumerate(zip(*stepped(game, 2 * MIN_GAMES), strict=True), 1):
        found = {value: games for value, games in enumerate(counts.row(f"0/score {seat}").tolist()) if games}
        found |= {-value: games for value, games in enumerate(counts.row(f"0/loss {seat}").tolist()) if games}
        assert found == Counter(points)
    if not why_no_lanes():
        assert (count_alone(spec, spec.cut(0)) is not None) == (factor != 2000)


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("games", [GAMES, MIN_GAMES])
@pytest.mark.parametrize("factor", [100_000_000, -100_000_000])
def test_a_score_that_does_not_fit_is_refused_with_the_game(factor: int, games: int, log: bool) -> None:
    game = scoring(factor)
    with pytest.raises(ScoreError) as refused:
        bulk.play_dealt(2, games, 7, threads=1, game=game, log=log)
    number, player, points = numbers_of(refused.value)
    assert stepped(game, games)[number][player - 1] == points
    assert not -(1 << 31) <= points < 1 << 31
    with pytest.raises(ScoreError):
        bulk.total(2, games, 7, game=game)


def test_the_total_of_a_match_that_does_not_fit_is_refused() -> None:
    game = scoring(100_000_000)
    with pytest.raises(ScoreError) as refused:
        bulk.matches(2, GAMES, 7, game=game)
    number, player, points = numbers_of(refused.value)
    match = Match(game, 2, 7, number)
    assert match.run().totals[player - 1] == points
    dealt = DealtMatch(2, tuple(map(bytes, match.decks)))
    with pytest.raises(ScoreError, match=f"match {number}: player {player} "):
        list(play_compiled(game, [dealt], ("house", "house"), 7, number, match.target))


def test_stepped_games_refuse_it_alike() -> None:
    game = scoring(100_000_000)
    with pytest.raises(ScoreError) as refused:
        SteppedRunner(game.declaration, 2, ("house", "house"), 7).play(None, 0, GAMES)
    number, player, points = numbers_of(refused.value)
    assert stepped(game)[number][player - 1] == points


@pytest.mark.parametrize("target", [None, 100])
def test_a_study_refuses_scores_that_it_cannot_count(target: int | None) -> None:
    """Before it makes a histogram of millions of values."""
    game = scoring(100_000)
    spec = StudySpec.of(game, 2, GAMES, 7, target=target)
    with pytest.raises(
        StudyError, match="outside -1,000,000 to 1,000,000 in a study; count in larger units"
    ) as refused:
        play(spec, spec.cut(0))
    number, player, points = numbers_of(refused.value)
    whole = stepped(game)[number] if target is None else Match(game, 2, 7, number, target=target).run().totals
    assert whole[player - 1] == points > 1_000_000


def test_sums_of_a_comparison_are_exact_over_any_number_of_chunks() -> None:
    """Squares of hundreds of thousands of points, of a million million games: more than fit in 64 bits."""
    spec = StudySpec.of(scoring(2000), 2, 10**9, 7, ("house", "random"), chunk=GAMES)
    counts = play_chunk(spec, spec.cut(0), with_file=False).counts
    once = counts.row("points of all seats").tolist()
    for _ in range(40):
        counts = Counts.from_json((counts + counts).as_json())
    assert counts.row("points of all seats").tolist() == [number << 40 for number in once]
    assert max(once) << 40 > 1 << 63


def test_a_comparison_refuses_scores_whose_sums_in_a_chunk_would_not_be_exact() -> None:
    game = scoring(2000)
    spec = StudySpec.of(game, 2, 10**9, 7, ("house", "random"), chunk=10**9)
    whole = spec.cut(0)
    played = play(replace(spec, chunk=GAMES), whole._replace(games=GAMES))[0]
    why = (
        r"outside -24,\d{3} to 24,\d{3} in chunks of 1,000,000,000 games; use smaller chunks, or count in larger units$"
    )
    with pytest.raises(StudyError, match=why):
        _check_scores(spec, game.declaration.name, whole, played.scores)


def numbers_of(error: Exception) -> tuple[int, ...]:
    """The number of the game, the player and the points that a refusal names."""
    found = re.search(r": (?:game|match) (\d+): player (\d+) has ([-\d,]+) points", str(error))
    assert found, error
    return tuple(int(number.replace(",", "")) for number in found.groups())
