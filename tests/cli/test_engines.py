"""The engines of `simulate`: the same bytes by each, and which one plays if none is chosen."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from command import CORPUS, STATEMENT, maumau

from fsm import game_class
from maumau import MauMau
from maumau.cli import games as cli_games

ENGINES = ("machine", "compiled")
CASES = {game: (CORPUS / game / "cases.in").read_text() for game in ("maumau", "uno")}


def dealt(games: int, *options: object) -> str:
    return maumau("deal", "--games", games, "--seed", 7, *options).stdout


def mixed(games: int) -> str:
    """Decks of two, three and four players in turn."""
    decks = (MauMau.write(2 + number % 3, MauMau.deck_of(2, 7, number)) for number in range(games))
    return "\n".join([str(games), *decks, ""])


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_games, "FEW", 10)


@pytest.mark.usefixtures("few")
@pytest.mark.slow
@pytest.mark.parametrize("output", [[], ["--events"], ["--json"], ["--trace"]])
@pytest.mark.parametrize("policy", ["house", "random", pytest.param("first-legal", marks=pytest.mark.thorough)])
@pytest.mark.parametrize(("game", "data"), [("maumau", mixed(600)), *CASES.items()], ids=["mixed", *CASES])
def test_every_engine_prints_the_same_bytes(output: list[str], policy: str, game: str, data: str) -> None:
    stepped, compiled, auto = (
        maumau("simulate", "--game", game, "--engine", engine, "--policy", policy, *output, data=data)
        for engine in ("machine", "compiled", "auto")
    )
    assert stepped.stdout
    assert stepped.stdout == compiled.stdout == auto.stdout
    assert stepped.returncode == compiled.returncode == auto.returncode


@pytest.mark.usefixtures("few")
@pytest.mark.slow
@pytest.mark.parametrize("game", ["uno", "uno-official", "mahjong"])
def test_every_game_prints_the_same_results(game: str) -> None:
    players = game_class(game).declaration.codec.most
    data = dealt(200, "--game", game, "--players", players)
    stepped, auto = (
        maumau("simulate", "--game", game, "--engine", engine, data=data) for engine in ("machine", "auto")
    )
    assert (stepped.stdout, stepped.returncode) == (auto.stdout, auto.returncode)


@pytest.mark.usefixtures("few")
@pytest.mark.thorough
@pytest.mark.parametrize("rule", [rule.name for rule in MauMau.rulebook().listed()])
def test_every_house_rule_prints_the_same_results(rule: str) -> None:
    data = dealt(300, "--players", 3, "--with", rule)
    stepped, auto = (
        maumau("simulate", "--with", rule, "--engine", engine, data=data) for engine in ("machine", "auto")
    )
    assert (stepped.stdout, stepped.returncode) == (auto.stdout, auto.returncode)


@pytest.mark.usefixtures("few")
def test_results_come_in_order_from_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maumau.kernels.bulk.answers.BLOCK", 32)
    data = mixed(300)
    one, three, stepped = (
        maumau("simulate", *options, data=data).stdout
        for options in (["--threads", 1], ["--threads", 3], ["--engine", "machine"])
    )
    assert one == three == stepped


class TestWhichEnginePlays:
    def told(self, *options: object, data: str) -> str:
        (line, *_) = [
            line for line in maumau("simulate", "-v", *options, data=data).stderr.splitlines() if "engine" in line
        ]
        return line.removeprefix("maumau: engine: ")

    def test_few_games_are_stepped(self) -> None:
        assert self.told(data=STATEMENT) == "the stepped machine, for up to 1,000 games"

    @pytest.mark.usefixtures("few")
    def test_many_games_are_played_by_machine_code(self) -> None:
        assert re.fullmatch("machine code, 2 players: (lanes|the scalar kernel, as .*)", self.told(data=mixed(400)))

    @pytest.mark.usefixtures("few")
    @pytest.mark.parametrize("output", ["--trace", "--events"])
    def test_what_shows_steps_is_stepped(self, output: str) -> None:
        assert self.told(output, data=mixed(12)) == f"the stepped machine, for {output}"

    @pytest.mark.usefixtures("few")
    def test_players_that_search_are_asked_by_the_machine(self) -> None:
        told = self.told("--policy", "search:1", data=dealt(11, "--players", 2))
        assert told.startswith("the stepped machine, because --policy: ")

    @pytest.mark.usefixtures("few")
    def test_without_the_extra_it_is_said_what_to_install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cli_games, "why_no_compiler", lambda: "the compiled engine needs llvmlite: pip ...")
        assert self.told(data=mixed(12)) == "the stepped machine, because the compiled engine needs llvmlite: pip ..."


@pytest.mark.thorough
def test_the_memory_of_a_long_input_is_bounded(tmp_path: Path) -> None:
    """Twice the card codes, and for the blocks of two threads 20 MB, beyond what a short input needs."""
    peaks = []
    for games in (2_000, 200_000):
        file = tmp_path / f"{games}.txt"
        with file.open("w") as opened:
            subprocess.run(
                [sys.executable, "-m", "maumau", "deal", "--players", "3", "--games", str(games)],
                check=True,
                stdout=opened,
            )
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        job = [sys.executable, "-m", "maumau", "simulate", "--threads", "2", str(file)]
        subprocess.run(job, check=True, stdout=subprocess.DEVNULL)
        peaks.append(max(before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) * 1024)
    assert peaks[1] - peaks[0] < 2 * 32 * 200_000 + 20_000_000
