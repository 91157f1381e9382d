"""Two rule sets on the same decks: against figures taken from the games, stepped one by one."""

from __future__ import annotations

import json
from statistics import mean, stdev

import pytest
from click.testing import CliRunner

from cli.failure import BadInput
from cli.main import app
from fsm import MauMau

pytest.importorskip("numba", reason="the compiled engine needs numba")
scipy_stats = pytest.importorskip("scipy.stats", reason="intervals need scipy")

GAMES, SEED = 60, 7
ASKED = ["study", "--players", "3", "--games", str(GAMES), "--seed", str(SEED)]


def printed(*words: str) -> str:
    return CliRunner().invoke(app, [*ASKED, *words], catch_exceptions=False).stdout


def test_the_differences_are_those_of_the_games() -> None:
    report = json.loads(printed("--compare-rules", "wikipedia-like", "--format", "json"))
    kinds = MauMau, MauMau.with_rules("wikipedia-like")
    pairs = [[kind.deal(3, SEED, number) for kind in kinds] for number in range(GAMES)]
    for pair in pairs:
        for game in pair:
            game.run()
    figures = {each["figure"]: each for each in report["differences"]}
    for figure, read in {
        "wins of player 1": lambda game: game.outcome.winner == 1,
        "points of player 3": lambda game: game.outcome.scores[2],
        "turns": lambda game: game.table.turns,
    }.items():
        one, other = ([read(pair[side]) for pair in pairs] for side in (0, 1))
        less = [second - first for first, second in zip(one, other, strict=True)]
        found = figures[figure]
        assert (found["one"], found["other"]) == pytest.approx((mean(one), mean(other)))
        low, high = scipy_stats.t.interval(0.95, GAMES - 1, mean(less), stdev(less) / GAMES**0.5)
        difference = found["difference"]
        assert (difference["mean"], difference["low"], difference["high"]) == pytest.approx((mean(less), low, high))
    changed = sum(laid(one) != laid(other) or one.outcome != other.outcome for one, other in pairs)
    assert report["changed"] == changed


def laid(game: MauMau) -> list[str | None]:
    return [game.opening_card, *(step.card for step in game.history if step.trigger == "play")]


def test_the_same_rules_differ_in_nothing() -> None:
    report = json.loads(printed("--compare-rules", "sevens-draw-2", "--format", "json"))
    assert report["changed"] == 0
    assert {each["difference"]["mean"] for each in report["differences"]} == {0}


def test_a_comparison_is_a_table_that_names_both_games() -> None:
    text = printed("--with", "sevens-draw-2", "--compare-rules", "wikipedia-like", "--format", "markdown")
    assert "maumau+eights-answered+five-each compared with maumau+sevens-draw-2" in text.replace("\\", "")
    assert "| wins of player 1 |" in text


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--out", "there"], "--compare-rules: expected without --out"),
        (["--until-width", "0.1"], "--compare-rules: expected without --until-width"),
        (["--format", "csv"], "--format: 'csv', expected one of table, markdown, json with --compare-rules"),
    ],
)
def test_what_a_comparison_cannot_do_is_refused(option: list[str], message: str) -> None:
    with pytest.raises(BadInput) as refused:
        app([*ASKED, "--compare-rules", "five-each", *option], standalone_mode=False)
    assert str(refused.value) == message
