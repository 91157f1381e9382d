"""What commands say before and after they run: pages of help, numbers that are refused, files that are written."""

from __future__ import annotations

import os
import pty
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command import command_group, maumau
from outside import command

from fsm import MauMau
from fsm.declaration.policy import forms
from maumau.cli.exploring import exploration_size
from maumau.cli.options import LARGEST, POLICIES
from rules.errors import Explained

ROOT = Path(__file__).parents[2]
HEARTS = f"{ROOT}/examples/hearts.py:Hearts"
TARGETS = ("wasm32", "aarch64 --players 2")
DECKS = maumau("deal", "--players", 2, "--games", 3).stdout


@pytest.mark.parametrize("name", ["", *command_group().commands])
def test_a_page_of_help_fits_60_columns_and_names_no_limit_of_the_machine(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    page = maumau(*name.split(), "--help").stdout
    assert [line for line in page.splitlines() if len(line) > 60] == []
    assert "<=" not in page
    assert str(LARGEST) not in page


@pytest.mark.parametrize("name", ["", "check", "help"])
def test_help_prints_the_page_of_a_command(name: str) -> None:
    done = maumau("help", *name.split())
    assert (done.returncode, done.stdout) == (0, maumau(*name.split(), "--help").stdout)


def test_help_of_an_unknown_command_is_refused_as_the_command_is() -> None:
    assert (maumau("help", "chekc").returncode, maumau("chekc").returncode) == (2, 2)
    assert maumau("help", "chekc").stderr == maumau("chekc").stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("deal --players x", "--players: 'x' is not a whole number\n"),
        ("deal --seed -1", "--seed: -1 is out of range; use 0 or more\n"),
        (f"deal --number {2**63}", f"--number: {2**63} is out of range; use 0 to {LARGEST:,}\n"),
        ("deal --players 0", "--players: 0 players cannot play; use 2 to 4\n"),
        (
            f"deal --players 3 --match --number {2**53}",
            f"--games: 1 match from {2**53} on goes beyond the last number; use numbers up to {2**53 - 1}\n",
        ),
        ("serve --port 70000", "--port: 70000 is out of range; use 0 to 65,535\n"),
        ("train --searched nan -o me.net", "--searched: nan is out of range; use 0 to 1\n"),
        ("diagram --path - --until last", "--until: 'last' is not a whole number\n"),
        ("deal --seed 1.5", "--seed: '1.5' is not a whole number\n"),
    ],
)
def test_a_wrong_number_is_refused_in_words(line: str, message: str) -> None:
    done = maumau(*line.split())
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)


def test_the_help_names_the_players_that_the_refusal_names() -> None:
    refused = maumau("simulate", "--policy", "nobody", data=DECKS).stderr
    known = refused.strip().partition("use one of ")[2].split(", ")
    assert set(known) == set(POLICIES.split(", "))
    assert {*", ".join(map(str, forms())).split(", ")} <= set(known)


WRITING = {
    "replay decks -o page.html": "page.html",
    "diagram -o diagram.dot": "diagram.dot",
    "diagram --path decks --format mermaid -o path.mmd": "path.mmd",
    "new own_game.py --kind fishing": "own_game.py",
    "stubs maumau -o stub.pyi": "stub.pyi",
    "stubs own.py:GoFish": "own.pyi",
}
COMPILED = {
    "compile --target wasm32 -o game.wasm": "game.wasm",
    "train --games 200 -o me.net": "me.net",
    "solve --deck 'DQ HQ DT' -o small.solved": "small.solved",
    "study --players 2 --games 20 -o report.json": "report.json",
    "study --players 2 --games 20 --out kept": "kept",
}


@pytest.mark.parametrize("line", [*WRITING, *(pytest.param(line, marks=pytest.mark.slow) for line in COMPILED)])
def test_a_command_that_writes_a_file_says_so(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "decks").write_text(DECKS)
    (tmp_path / "own.py").write_text((ROOT / "examples" / "go_fish.py").read_text())
    done = maumau(*shlex.split(line))
    assert done.returncode == 0, done.stderr
    file = (WRITING | COMPILED)[line]
    assert (tmp_path / file).exists()
    assert [text for text in done.stderr.splitlines() if "wrote" in text] == [f"maumau: wrote {file}"]


@pytest.mark.parametrize("line", ["replay - -o -", "diagram", "stubs maumau"])
def test_what_goes_to_standard_output_is_not_reported(line: str) -> None:
    done = maumau(*line.split(), data=DECKS)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize(
    "line",
    [
        "diagram --format png",
        *(pytest.param(f"compile --target {target}", marks=pytest.mark.slow) for target in TARGETS),
    ],
)
def test_a_terminal_is_not_sent_bytes_that_are_not_text(line: str) -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(ours), os.fdopen(theirs, "wb") as terminal:
        arguments = [sys.executable, "-m", "maumau", *line.split()]
        done = subprocess.run(arguments, stdout=terminal, stderr=subprocess.PIPE, text=True, check=False, cwd=ROOT)
    message = "--output: a terminal cannot show this file; name a file with -o FILE, or redirect the output\n"
    assert (done.returncode, done.stderr) == (2, message)


def test_players_may_be_left_out_where_only_one_number_can_play() -> None:
    assert maumau("deal", "--game", HEARTS).stdout == maumau("deal", "--game", HEARTS, "--players", 4).stdout != ""
    for line in ("deal", "study --games 20"):
        refused = maumau(*line.split())
        assert refused.stderr == "--players: missing; name the number of players, 2 to 4\n"


@pytest.mark.slow
def test_the_traffic_of_a_game_has_the_only_number_of_players() -> None:
    traffic = ("diagram", "--game", HEARTS, "--traffic", 2)
    assert maumau(*traffic).stdout == maumau(*traffic, "--players", 4).stdout != ""


def test_a_large_exploration_is_refused_before_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    def begun(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("maumau.cli.exploring.why_no_compiler", lambda: "llvmlite is not installed")
    monkeypatch.setattr("maumau.cli.exploring.explore_stepped", begun)
    done = command("check", "--exhaustive")
    message = "--exhaustive: decks with millions of positions require machine code: llvmlite is not installed\n"
    assert (done.status, done.out, done.err) == (2, "", message)
    large = [small for small in MauMau.declaration.small_decks if small.large]
    with pytest.raises(Explained, match=r"^decks with millions of positions require machine code: llvmlite"):
        exploration_size(MauMau, large, 10**6)


def test_an_exploration_and_a_check_of_sets_say_first_what_they_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maumau.cli.check.explorations", lambda *_: iter(()))
    done = command("check", "--exhaustive", "--games", 0, "--positions", 50_000_000)
    size = "at most 50,000,000 positions of each, which take 3,000 MB of memory and about 1 minute"
    assert done.err == f"maumau: exploring 3 small decks, {size}; see --positions\n"
    monkeypatch.setattr("fsm.check.sets.check_sets", lambda *_, **more: iter(()))
    done = command("check", "--sets", "--game", "uno-official")
    subject = "the game without rules and 157 sets of up to three house rules"
    size = "at most 2,000 positions of each of 3 small decks: about 4 minutes"
    assert done.err == f"maumau: checking {subject}, {size}\n"


def test_the_source_of_a_kernel_may_be_that_for_one_number_of_players() -> None:
    why = maumau("compile", "--show", "--why", "--players", 3).stdout
    assert "\n3 players, policy house: " in why
    assert "2 players" not in why
    assert "4 players" not in why
    assert (
        maumau("compile", "--show", "lanes", "--players", 9).stderr == "--players: 9 players cannot play; use 2 to 4\n"
    )
