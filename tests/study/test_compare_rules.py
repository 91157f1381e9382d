"""Two rule sets on the same decks: against figures taken from the games, stepped one by one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from shutil import copytree
from statistics import mean, stdev

import pytest
import scipy.stats as scipy_stats
from click.testing import CliRunner, Result
from command import forgetting

from fsm import MauMau
from maumau.cli.main import app
from maumau.study.report.tables import ColumnKind
from maumau.study.spec import StudyError, StudySpec
from rules.errors import Explained

GAMES, SEED = 60, 7
ASKED = ["study", "--players", "3", "--games", str(GAMES), "--seed", str(SEED)]


def printed(*words: str) -> str:
    return told(*ASKED, *words)


def told(*words: object) -> str:
    """The standard output alone; that of a result of old versions of Click has the standard error in it."""
    with redirect_stdout(StringIO()) as out:
        app.main([str(word) for word in words], standalone_mode=False)
    return out.getvalue()


@pytest.mark.slow
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
        confidence = 1 - 0.05 / len(figures)  # of all figures at once
        low, high = scipy_stats.t.interval(confidence, GAMES - 1, mean(less), stdev(less) / GAMES**0.5)
        difference = found["difference"]
        assert (difference["mean"], difference["low"], difference["high"]) == pytest.approx((mean(less), low, high))
    changed = sum(laid(one) != laid(other) or one.outcome != other.outcome for one, other in pairs)
    assert report["changed"] == changed


def laid(game: MauMau) -> list[str | None]:
    return [game.opening_card, *(step.card for step in game.history if step.trigger == "play")]


SAME = """
from fsm.variants import Reword, Variant

SAME = Variant("same", "All is as it was, in other words.", (Reword("the next player is skipped", "one is skipped"),))
"""


@pytest.fixture(name="same")
def rule_that_changes_words_alone(tmp_path: Path) -> Iterator[str]:
    """The name of a house rule with which each game is played as without it."""
    (tmp_path / "same.py").write_text(SAME)
    with forgetting():
        yield f"{tmp_path}/same.py:SAME"


def test_the_same_play_differs_in_nothing(same: str) -> None:
    report = json.loads(printed("--compare-rules", same, "--format", "json"))
    assert report["changed"] == 0
    assert {each["difference"]["mean"] for each in report["differences"]} == {0}
    text = printed("--compare-rules", same, "--format", "markdown")
    assert "No figure differs by more than chance explains." in text


def test_a_game_is_not_compared_with_itself() -> None:
    with pytest.raises(StudyError) as refused:
        printed("--with", "king-again,five-each", "--compare-rules", "five-each,king-again")
    name = MauMau.with_rules("five-each", "king-again").declaration.name
    assert str(refused.value) == f"--compare-rules: {name} is the game itself; name other rules"
    with pytest.raises(StudyError, match="compared_with: maumau is the game itself"):
        StudySpec.of("maumau", 3, 10, 7, compared_with="maumau")


def test_a_comparison_is_a_table_that_names_both_games() -> None:
    text = printed("--compare-rules", "wikipedia-like", "--format", "markdown").replace("\\", "")
    assert "maumau+eights-answered+five-each compared with maumau\n" in text
    assert "| wins of player 1 |" in text
    assert " decks are played or scored differently. " in text


@pytest.mark.slow
def test_what_differs_is_told_in_words() -> None:
    text = printed("--compare-rules", "five-each,king-again", "--format", "markdown").replace("\\", "")
    assert "By more than chance explains: " in text
    assert " (95 %" not in text
    assert "for all figures at once (Bonferroni)" in text


@pytest.mark.parametrize("format", ["table", "markdown", "csv", "html"])
def test_every_format_has_every_figure(format: str) -> None:
    text = printed("--compare-rules", "wikipedia-like", "--format", format)
    for figure in ("wins of player 1", "points of player 3", "turns", "cards drawn", "games without a winner"):
        assert figure in text


def test_a_page_has_a_chart_of_what_changes() -> None:
    text = printed("--compare-rules", "wikipedia-like", "--format", "html")
    assert text.count("<svg") == 1
    assert "change in %" in text
    assert all(f">{figure}</text>" in text for figure in ("turns", "cards drawn", "wins of player 2"))
    assert ">games without a winner</text>" not in text  # none of none


@pytest.mark.parametrize(
    ("width", "text"), [(0.3, "12.35"), (3, "12.3"), (30, "12"), (0.0004, "12.34568"), (0, "12.3457")]
)
def test_a_figure_has_as_many_digits_as_its_interval_allows(width: float, text: str) -> None:
    assert ColumnKind.NUMBER.written(12.345678, width) == text
    assert ColumnKind.SHARE.written(0.12345678, width / 100) == f"{text} %"


def test_it_stops_when_the_differences_of_wins_are_known_well_enough() -> None:
    options = ["--games", "5000", "--chunk", "500", "--until-width", "0.4", "--format", "json"]
    report = json.loads(printed("--compare-rules", "wikipedia-like", *options))
    assert report["stopped_early"]
    assert 500 <= report["games"] < 5000
    for each in report["differences"][:3]:
        assert each["difference"]["high"] - each["difference"]["low"] <= 0.4
        assert each["adjusted"] is None


def test_seats_are_not_rotated() -> None:
    with pytest.raises(Explained, match="--rotate and --compare-rules cannot be used together"):
        app([*ASKED, "--compare-rules", "five-each", "--rotate"], standalone_mode=False)


def test_games_of_different_decks_cannot_be_compared() -> None:
    with pytest.raises(StudyError, match="maumau and uno are played with different decks; compare games of one deck"):
        StudySpec.of("maumau", 3, 10, 7, compared_with="uno")


# ---------------------------------------------------------------- stored


@pytest.fixture(name="stored", scope="module")
def stored_comparison(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a comparison in three chunks."""
    folder = tmp_path_factory.mktemp("compared") / "study"
    printed("--compare-rules", "wikipedia-like", "--chunk", "20", "--out", str(folder))
    return folder


def ask(*words: object) -> Result:
    return CliRunner().invoke(app, ["study", *map(str, words)])


def test_a_stored_comparison_is_reported_and_verified(stored: Path) -> None:
    report = json.loads(ask("--report", stored, "--format", "json").stdout)
    assert report == json.loads(printed("--compare-rules", "wikipedia-like", "--chunk", "20", "--format", "json"))
    verified = ask("--verify", stored)
    assert (verified.exit_code, verified.stdout) == (
        0, f"{stored}: no faults; 3 chunks with 60 games are valid\n"
    )  # fmt: skip


def test_a_row_says_by_which_rules_its_game_was_played(stored: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = parquet.read_table(stored / "games" / "000001.parquet").to_pylist()
    assert [(row["number"], row["rules"]) for row in rows] == [(n, rules) for rules in (0, 1) for n in range(20, 40)]
    for kind, row in ((MauMau, rows[5]), (MauMau.with_rules("wikipedia-like"), rows[25])):
        outcome = kind.deal(3, SEED, 25).run()
        assert (row["winner"], row["score_1"], row["score_2"], row["score_3"]) == (outcome.winner, *outcome.scores)


def test_a_comparison_is_resumed(stored: Path, tmp_path: Path) -> None:
    folder = Path(copytree(stored, tmp_path / "study"))
    lost = folder / "games" / "000001.parquet"
    before = lost.read_bytes()
    lost.unlink()
    resumed = told("study", "--out", folder, "--resume", "--format", "json")
    assert lost.read_bytes() == before
    assert json.loads(resumed) == json.loads(told("study", "--report", stored, "--format", "json"))
    assert ask("--compare-rules", "eights-answered,five-each", "--out", folder, "--resume").exit_code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--compare-rules", "five-each"],
            "compared with maumau+eights-answered+five-each there, maumau+five-each requested",
        ),
        (["--with", "five-each"], "game maumau there, maumau+five-each requested"),
    ],
)
def test_a_comparison_of_other_rules_is_not_resumed(stored: Path, words: list[str], message: str) -> None:
    with pytest.raises(Explained) as refused:
        app(["study", *words, "--out", str(stored), "--resume"], standalone_mode=False)
    assert str(refused.value) == f"{stored}: contains another study: {message}"


@pytest.mark.parametrize("what", ["--report", "--verify"])
def test_a_folder_is_not_taken_for_that_of_other_rules(stored: Path, what: str) -> None:
    with pytest.raises(Explained, match="game maumau there, maumau\\+five-each requested"):
        app(["study", what, str(stored), "--with", "five-each"], standalone_mode=False)
    assert ask(what, stored, "--compare-rules", "wikipedia-like").exit_code == 0
