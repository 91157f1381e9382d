"""What one command writes another one reads: every pair of commands, with every kind of player, game and engine.

See `closed_loops`: the commands, the games and the players say themselves what there is.
"""

from __future__ import annotations

from copy import copy
from functools import cache
from pathlib import Path

import click
import pytest

for package in ("llvmlite", "scipy", "pyarrow"):
    pytest.importorskip(package)

import closed_loops  # noqa: E402
from closed_loops import Cell, Played, Trial, calls, cells, covering, loops, parts, plays  # noqa: E402
from command import command_group  # noqa: E402

PAIRS, TRIPLES = 2, 3
GAMES = closed_loops.games()


@cache
def rows(strength: int) -> list[Cell]:
    """The combinations that are run."""
    return covering(cells(GAMES), strength)


def check(game: Played, player: str | None, strength: int, folder: Path) -> None:
    """Run the combinations of a game, of one player or of all."""
    trial = Trial(game, folder)
    for cell in rows(strength):
        if cell.game == game and player in (None, cell.player):
            trial.run(cell)
    assert not trial.faults, "\n\n".join([f"{len(trial.faults)} faults", *trial.faults])


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_pair_of_values(game: Played, tmp_path: Path) -> None:
    check(game, None, PAIRS, tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("player", closed_loops.players(GAMES), ids=lambda name: Path(name).name)
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_three_values(game: Played, player: str, tmp_path: Path) -> None:
    check(game, player, TRIPLES, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("strength", [PAIRS, pytest.param(TRIPLES, marks=pytest.mark.thorough)])
def test_every_combination_that_can_be_is_in_a_row(strength: int) -> None:
    played = [cell for cell in cells(GAMES) if plays(cell)]
    run = [cell for cell in rows(strength) if plays(cell)]
    assert {part for cell in run for part in parts(cell, strength)} == {
        part for cell in played for part in parts(cell, strength)
    }
    assert {part for cell in rows(strength) for part in parts(cell, strength)} == {
        part for cell in cells(GAMES) for part in parts(cell, strength)
    }


def test_a_command_is_in_the_matrix_because_it_says_what_it_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    simulate = command_group().commands["simulate"]
    copied = copy(simulate)
    copied.name = "again"
    before = set(loops())
    monkeypatch.setattr(command_group(), "commands", {**command_group().commands, "again": copied})
    new = set(loops()) - before
    records = {(loop.writer.command, loop.reader.command) for loop in new if loop.reader and "--json" in str(loop)}
    assert {("simulate", "again"), ("again", "simulate"), ("again", "again"), ("again", "replay")} <= records
    assert all("again" in (call.command for call in loop.chain) for loop in new)


def test_a_command_that_reads_a_record_wrongly_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The matrix fails if a command writes something else than the others do."""

    def wrong(context: click.Context) -> None:
        click.echo("Score: 0 0 0")

    simulate = command_group().commands["simulate"]
    use = next(use for use in simulate.uses if use.reads == "records" and use.writes == "results")
    copied = copy(simulate)
    copied.name, copied.uses, copied.invoke = "again", (use,), wrong
    monkeypatch.setattr(command_group(), "commands", {**command_group().commands, "again": copied})
    trial, game = Trial(GAMES[0], tmp_path), GAMES[0]
    usual = game.kind.declaration.policies[0].name, closed_loops.engines()[0]
    for cell in cells([game]):
        *_, last = cell.loop.chain
        if (cell.player, cell.engine) == usual and (last.reads, last.writes) == (use.reads, use.writes):
            trial.run(cell)
    assert {fault.splitlines()[0] for fault in trial.faults} == {"results differ"}
    assert all("maumau again" in fault for fault in trial.faults)


def test_a_game_and_its_players_are_in_the_matrix() -> None:
    from bulk_fixtures import Countdown

    countdown = Played("countdown", (), Countdown)
    every = cells([*GAMES, countdown])
    assert {cell.player for cell in every if cell.game == countdown and plays(cell)} >= {
        policy.name for policy in Countdown.declaration.policies
    }
    assert {game.name for game in GAMES} >= set(closed_loops.registered())


@pytest.mark.parametrize("call", calls(), ids=str)
def test_a_command_has_the_options_that_it_says_are_needed(call: closed_loops.Call) -> None:
    options = command_group().commands[call.command].params
    known = {option for parameter in options for option in (*parameter.opts, *parameter.secondary_opts)}
    assert {word for word in call.arguments.split() if word.startswith("-")} <= known
    assert {call.names("IN"), call.reads is not None} == {call.reads is not None}
