"""Options that would have no effect are refused: who gives one expects that it does something."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.failure import BadInput
from cli.main import app

STATEMENT = Path(__file__).parents[1] / "corpus" / "maumau" / "statement.in"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("check --games 0 --players -1", "--players: expected --deck with it"),
        ("check --games 0 --each 1", "--each: expected --deck with it"),
        ("check --match --positions 5", "--positions: expected without --match"),
        ("check --match --each 2", "--each: expected without --match"),
        ("diagram --players 2", "--players: expected --traffic with it"),
        ("diagram --path - --players 2", "--players: expected --traffic with it"),
        ("diagram --policy nobody", "--policy: expected --path or --traffic with it"),
        ("diagram --seed 0", "--seed: expected --path or --traffic with it"),
        ("diagram --traffic 5 --game-index 2", "--game-index: expected --path with it"),
        ("diagram --traffic 5 --until 2", "--until: expected --path with it"),
        ("simulate --from-json --engine machine", "--engine: expected without --from-json"),
        ("simulate --from-json --policy random", "--policy: expected without --from-json"),
        ("simulate --from-json --seed 1", "--seed: expected without --from-json"),
        ("simulate --from-json --number 1", "--number: expected without --from-json"),
        ("simulate --from-json --match --target 5", "--target: expected without --from-json"),
        ("study --players 2 --games 1 --chunk-timeout 5", "--chunk-timeout: expected --cluster with it"),
        ("study --report DIR --threads 2", "--threads: expected without --report and --verify"),
        ("study --report DIR --cluster local", "--cluster: expected without --report and --verify"),
        ("study --verify DIR --chunk-timeout 5", "--chunk-timeout: expected without --report and --verify"),
        ("study --verify DIR --format json", "--format: expected without --verify"),
        ("study --verify DIR -o FILE", "--output: expected without --verify"),
    ],
)
def test_an_option_without_effect_is_refused(line: str, message: str) -> None:
    with pytest.raises(BadInput) as refused:
        app(line.split(), standalone_mode=False)
    assert str(refused.value).startswith(message)


def test_options_that_have_their_default_without_being_given_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    app(["diagram", "--path", str(STATEMENT), "--format", "phases"], standalone_mode=False)
    assert "await-play" in capsys.readouterr().out


def test_a_report_of_another_study_than_the_named_one_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, report = str(tmp_path / "study"), ["study", "--report", str(tmp_path / "study"), "--format", "json"]
    question = ["--players", "3", "--games", "200", "--seed", "5"]
    app(["study", *question, "--out", folder], standalone_mode=False)
    capsys.readouterr()
    app(report, standalone_mode=False)
    plain = capsys.readouterr().out
    app([*report, *question], standalone_mode=False)
    assert capsys.readouterr().out == plain
    for option, there in (("--players 2", "players 3"), ("--games 100", "games 200"), ("--seed 6", "seed 5")):
        for command in ("--report", "--verify"):
            with pytest.raises(BadInput, match=f"contains another study: {there} there, {option.split()[1]} requested"):
                app(["study", command, folder, *option.split()], standalone_mode=False)
