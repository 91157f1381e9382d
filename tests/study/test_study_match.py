"""A study of matches: a match is a row; its figures, its rows, and the commands."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from command import maumau

from fsm import Match, MauMau
from fsm.registry import declaration_of
from maumau.kernels.bulk.runner import Runner
from maumau.kernels.bulk.stepped import SteppedRunner
from maumau.study.playing import Threads
from maumau.study.run import run
from maumau.study.spec import StudyError, StudySpec
from maumau.study.summary import Summary, summary
from rules.match import MatchEnding

MATCHES = 60
ASKED = ("study", "--match", "--players", 3, "--games", MATCHES, "--seed", 7, "--number", 20, "--chunk", 25)


@pytest.fixture(scope="module", name="matches")
def stepped_matches() -> list[Match]:
    played = [Match(MauMau, 3, 7, number) for number in range(20, 20 + MATCHES)]
    for match in played:
        match.run()
    return played


@pytest.fixture(scope="module", name="figures")
def figures_of_the_study() -> Summary:
    spec = StudySpec.of("maumau", 3, MATCHES, 7, first=20, chunk=25, target=100)
    return summary(run(spec, Threads(2)))


@pytest.fixture(scope="module", name="folder")
def folder_of_a_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("studies") / "matches"
    done = maumau(*ASKED, "--out", folder, "--format", "json")
    assert done.returncode == 0
    (folder / "report.json").write_text(done.stdout)
    return folder


class TestFigures:
    def test_wins_totals_and_endings(self, matches: list[Match], figures: Summary) -> None:
        (seating,) = figures.seatings
        outcomes = [match.outcome for match in matches]
        assert all(outcomes)
        for seat in seating.seats:
            assert seat.wins.count == sum(outcome.winner == seat.seat for outcome in outcomes if outcome)
            totals = [match.totals[seat.seat - 1] for match in matches]
            assert seat.points.mean == pytest.approx(np.mean(totals))
            assert seat.points.deviation == pytest.approx(np.std(totals, ddof=1))
            assert seat.wins.low <= seat.wins.share <= seat.wins.high
        endings = [outcome.ending for outcome in outcomes if outcome]
        found = {name: share.count for name, share in seating.endings.items()}
        assert found == {str(ending): endings.count(ending) for ending in MatchEnding if ending}

    def test_rounds_and_lengths(self, matches: list[Match], figures: Summary) -> None:
        rounds, turns, *_ = figures.seatings[0].histograms
        assert (rounds.name, turns.name) == ("rounds", "turns")
        assert rounds.mean.mean == pytest.approx(np.mean([len(match.rounds) for match in matches]))
        assert rounds.most == max(len(match.rounds) for match in matches)
        sums = [sum(round.game.table.turns for round in match.rounds) for match in matches]
        assert (turns.least, turns.most) == (min(sums), max(sums))

    def test_arcs(self, matches: list[Match], figures: Summary) -> None:
        fired = [step.arc for match in matches for round in match.rounds for step in round.game.history]
        assert figures.fired == {arc: fired.count(arc) for arc in MauMau.declaration.arcs}

    def test_matches_without_a_winner_are_replayed_by_the_command(self, figures: Summary) -> None:
        for each in figures.unfinished[:1]:
            assert f"maumau deal --match --players 3 --seed 7 --number {each.number} | " in each.command
            assert each.command.endswith("maumau simulate --match --target 100 --trace")


@pytest.mark.parametrize(
    ("game", "players", "target"),
    [("maumau", 3, 60), ("uno-official", 2, 200), pytest.param("mahjong", 4, 10, marks=pytest.mark.slow)],
)
def test_stepped_matches_have_the_results_of_the_kernel(game: str, players: int, target: int) -> None:
    """The runner of computed players steps these, too: each field of each row, and what is counted."""
    where = declaration_of(game), players, ["random", *["house"] * (players - 1)], 7
    stepped = SteppedRunner(*where, target=target).play(None, 3, 8)
    compiled = Runner(*where, tally=True, log=False, notify=None, target=target).play(None, 3, 8, threads=1)
    assert stepped.games.tolist() == compiled.games.tolist()
    assert stepped.scores.tolist() == compiled.scores.tolist()
    assert stepped.rounds.tolist() == compiled.rounds.tolist()
    assert (stepped.counted, stepped.used) == (compiled.counted, compiled.used)


class TestRows:
    def test_a_match_is_a_row(self, folder: Path, matches: list[Match]) -> None:
        rows = [row for file in sorted((folder / "games").glob("*.parquet")) for row in pq.read_table(file).to_pylist()]
        assert [row["number"] for row in rows] == list(range(20, 20 + MATCHES))
        for row, match in zip(rows, matches, strict=True):
            outcome = match.outcome
            assert outcome is not None
            assert (row["ending"], row["winner"]) == (str(outcome.ending), outcome.winner)
            assert (row["rounds"], tuple(row[f"score_{seat}"] for seat in (1, 2, 3))) == (
                outcome.rounds,
                outcome.totals,
            )

    def test_the_folder_is_verified_resumed_and_reported(self, folder: Path) -> None:
        report = (folder / "report.json").read_text()
        (folder / "report.json").unlink()
        verified = maumau("study", "--verify", folder)
        assert verified.stdout.endswith(f"no faults; 3 chunks with {MATCHES} games are valid\n")
        (folder / "games" / "000001.parquet").unlink()
        (folder / "checksums" / "000001.sha256").unlink()
        assert maumau("study", "--out", folder, "--resume", "--format", "json").stdout == report
        assert maumau("study", "--report", folder, "--format", "json").stdout == report
        question = json.loads(report)["question"]
        assert question["target"] == 100
        assert StudySpec.from_json(question).as_json() == question


def test_the_report_is_about_matches() -> None:
    text = maumau(*ASKED, "--format", "markdown").stdout
    assert f"{MATCHES} matches of maumau to 100 points, 3 players (house), seed 7" in text
    for heading in ("Totals of matches", "How long matches are", "How matches end"):
        assert heading in text


@pytest.mark.thorough
def test_policies_are_compared_over_matches() -> None:
    text = maumau("study", "--match", "--players", 2, "--games", 20, "--policy", "house,random", "--target", 30).stdout
    assert "house - random" in text
    assert "totals are those of whole matches" in text


@pytest.mark.slow
def test_rules_are_compared_over_matches(matches: list[Match], tmp_path: Path) -> None:
    folder = tmp_path / "compared"
    done = maumau(*ASKED, "--compare-rules", "five-each", "--out", folder, "--format", "json")
    assert done.returncode == 0
    others = [Match(MauMau.with_rules("five-each"), 3, 7, number) for number in range(20, 20 + MATCHES)]
    for match in others:
        match.run()
    report = json.loads(done.stdout)
    assert (report["games"], report["changed"]) == (MATCHES, MATCHES)
    found = {each["figure"]: (each["one"], each["other"], each["difference"]["mean"]) for each in report["differences"]}
    figures: dict[str, Callable[[Match], float]] = {
        "wins of player 2": lambda match: match.table.winner == 1,
        "total of player 3": lambda match: match.totals[2],
        "rounds": lambda match: len(match.rounds),
        "turns": lambda match: sum(each.game.table.turns for each in match.rounds),
        "matches without a winner": lambda match: match.table.ending != MatchEnding.WON,
    }
    for name, figure in figures.items():
        one, other = (np.mean([figure(match) for match in played]) for played in (matches, others))
        assert found[name] == pytest.approx((one, other, other - one)), name
    assert maumau("study", "--verify", folder).stdout.endswith(f"{MATCHES} games are valid\n")
    text = maumau("study", "--report", folder, "--format", "markdown").stdout
    assert f"{MATCHES} matches, 3 players (house), seed 7: maumau+five-each compared with maumau" in text
    assert "paired differences, one for each match" in text


@pytest.mark.parametrize(
    ("parameters", "fault"),
    [
        ({"target": 0}, "target: 0 is out of range; use 1 to 100,000"),
        ({"first": 2**53}, r"first: 9007199254740992 is out of range; use 0 to 9,007,199,254,740,991"),
        ({"first": 2**53 - 1}, "games: 10 matches from 9007199254740991 on go beyond the last number"),
    ],
)
def test_a_study_of_matches_that_cannot_be(parameters: dict[str, object], fault: str) -> None:
    fields = {"game": "maumau", "players": 2, "games": 10, "seed": 0, "target": 100} | parameters
    with pytest.raises(StudyError, match=fault):
        StudySpec.of(**fields)  # type: ignore[arg-type]


def test_a_study_of_games_says_nothing_of_matches() -> None:
    assert "target" not in StudySpec.of("maumau", 2, 10, 0).as_json()
    done = maumau("study", "--players", 2, "--games", 10, "--target", 50)
    assert (done.returncode, done.stderr) == (2, "--target requires --match\n")
