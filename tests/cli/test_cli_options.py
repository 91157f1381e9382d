"""Options that would have no effect are refused: who gives one expects that it does something."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import maumau

from fsm import MauMau
from maumau.cli.main import app
from render.diagram import Overlay, render
from rules.errors import Explained

STATEMENT = Path(__file__).parents[1] / "corpus" / "maumau" / "statement.in"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("check --games 0 --players -1", "--players requires --deck"),
        ("check --games 0 --each 1", "--each requires --deck"),
        ("check --match --positions 5", "--positions and --match cannot be used together"),
        ("check --match --each 2", "--each and --match cannot be used together"),
        ("diagram --players 2", "--players requires --traffic"),
        ("diagram --path - --players 2", "--players requires --traffic"),
        ("diagram --policy nobody", "--policy requires --path or --traffic"),
        ("diagram --seed 0", "--seed requires --path or --traffic"),
        ("diagram --traffic 5 --number 1", "--number requires --path"),
        ("diagram --traffic 5 --until 2", "--until requires --path"),
        ("simulate --from-json --engine machine", "--engine and --from-json cannot be used together"),
        ("simulate --from-json --policy random", "--policy and --from-json cannot be used together"),
        ("simulate --from-json --seed 1", "--seed and --from-json cannot be used together"),
        ("simulate --from-json --number 1", "--number and --from-json cannot be used together"),
        ("simulate --from-json --match --target 5", "--target and --from-json cannot be used together"),
        ("simulate --target 5", "--target requires --match"),
        ("replay --target 5", "--target requires --match"),
        ("play --target 5", "--target requires --match"),
        ("study --target 5", "--target requires --match"),
        ("compile -o FILE", "--output requires --target"),
        ("compile --show -o FILE", "--output requires --target"),
        ("compile --show --target wasm32 -o FILE", "--show and --target cannot be used together"),
        ("compile --target wasm32 --players 2", "--players and --target wasm32 cannot be used together"),
        ("compile --target aarch64", "--target aarch64 requires --players"),
        ("compile --why", "--why requires --show"),
        ("compile --show lanes --why", "--why and --show lanes cannot be used together"),
        ("compile --show --players 2", "--players and --show interface cannot be used together without --why"),
        ("check --games 0 --seed 1", "--seed and --games 0 cannot be used together"),
        ("check --games 0 --deck DQ --exhaustive", "--exhaustive and --deck cannot be used together"),
        ("check --match --exhaustive", "--exhaustive and --match cannot be used together"),
        ("check --match --deck DQ", "--deck and --match cannot be used together"),
        ("diagram --format scxml --traffic 5", "--traffic: format scxml shows no traffic; use one of dot,"),
        ("diagram --format phases --traffic 5", "--traffic: format phases shows no traffic"),
        ("diagram --format xstate --with nine-reverses --marked", "--marked: format xstate shows no marks"),
        ("diagram --format events --with nine-reverses --marked", "--marked: format events shows no marks"),
        ("diagram --format table --fold", "--fold: format table shows no folds; use one of dot, mermaid"),
        ("diagram --match --fold", "--fold and --match cannot be used together"),
        ("diagram --match --path FILE", "--path and --match cannot be used together"),
        ("diagram --match --traffic 5", "--traffic and --match cannot be used together"),
        ("train --searched 0 --worlds 3 -o FILE", "--worlds and --searched 0 cannot be used together"),
        ("study --players 2 --games 1 --chunk-timeout 5", "--chunk-timeout requires --cluster"),
        ("study --report DIR --threads 2", "--threads and --report cannot be used together"),
        ("study --report DIR --cluster local", "--cluster and --report cannot be used together"),
        ("study --verify DIR --chunk-timeout 5", "--chunk-timeout requires --cluster"),
        ("study --verify DIR --format json", "--format and --verify cannot be used together"),
        ("study --verify DIR -o FILE", "--output and --verify cannot be used together"),
    ],
)
def test_an_option_without_effect_is_refused(line: str, message: str) -> None:
    with pytest.raises(Explained) as refused:
        app(line.split(), standalone_mode=False)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("reading", "options"),
    [
        ("replay", ["--policy random", "--seed 1", "--policy house"]),
        ("replay --match", ["--policy random", "--seed 1", "--target 5"]),
        ("diagram --path", ["--policy random", "--seed 1"]),
    ],
)
def test_records_have_been_played_so_nothing_chooses_how(
    reading: str, options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    match = ["--match"] * ("--match" in reading)
    decks = maumau("deal", "--players", "2", *match).stdout
    Path("records").write_text(maumau("simulate", "--json", *match, data=decks).stdout)
    for option in options:
        done = maumau(*reading.split(), "records", "-o", "out.dot", *option.split())
        message = (
            f"{option.split()[0]} has no effect: records has records of games that have been played; leave it out\n"
        )
        assert (done.returncode, done.stdout, done.stderr) == (2, "", message)
    assert not Path("out.dot").exists()
    assert maumau(*reading.split(), "records", "-o", "out.dot").returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "reading",
    [
        "replay -o out",
        "replay --match -o out",
        "diagram -o out.dot --path",
        "simulate --from-json",
        "simulate --match --from-json",
    ],
)
def test_records_of_another_game_than_the_named_one_are_refused(
    reading: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = ["--match"] * ("--match" in reading)
    monkeypatch.chdir(tmp_path)
    decks = maumau("deal", "--players", "2", "--game", "uno", *match).stdout
    Path("records").write_text(maumau("simulate", "--json", "--game", "uno", *match, data=decks).stdout)
    line = [*reading.split(), "records"]
    for named in ("maumau",) if match else ("maumau", "uno-official", "maumau+five-each"):
        done = maumau(*line, "--game", named)
        expected = named.split("+")[0]
        assert (done.returncode, done.stdout) == (2, "")
        assert (
            done.stderr == f"records:1: game: 'uno' is not the game of --game, '{expected}'; use records of one game\n"
        )
    assert maumau(*line, "--game", "uno").returncode == 0
    assert maumau(*line).returncode == 0


@pytest.mark.parametrize("match", [[], ["--match"]])
@pytest.mark.parametrize("engine", ["machine", "compiled"])
def test_a_policy_is_known_also_where_there_is_no_game(match: list[str], engine: str) -> None:
    line = ["simulate", *match, "--engine", engine, "-"]
    done = maumau(*line, "--policy", "nosuch", data="0")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("--policy: unknown policy 'nosuch'; use one of house,")
    assert maumau(*line, "--policy", "house,random,house", data="0").returncode == 0


def test_a_format_refuses_from_python_what_it_does_not_show() -> None:
    for format in ("scxml", "xstate", "phases", "events"):
        for shown in (
            Overlay(traffic={}),
            Overlay(marks=MauMau.with_rules("nine-reverses").rule_marks),
            Overlay(is_folded=True),
        ):
            with pytest.raises(ValueError, match=f"format '{format}' shows no (traffic|marks|folds); use one of"):
                render(MauMau.declaration, format, shown)


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
            with pytest.raises(
                Explained, match=f"contains another study: {there} there, {option.split()[1]} requested"
            ):
                app(["study", command, folder, *option.split()], standalone_mode=False)
