"""Tasks: what they fix, what a player reaches against figures that stepped games give, and what is refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command import maumau
from random_nets import random_net

from maumau import MauMau, game_class
from maumau.study import tasks
from maumau.study.tasks import TASKS, Task


@pytest.mark.parametrize("name", TASKS)
def test_a_task_is_played_as_its_version_says(name: str) -> None:
    """If a game, a rule or the opponent changed on purpose: leave this task as it is, and add one of another version."""
    assert TASKS[name].name == name
    assert TASKS[name].changed() == []


def gained(task: Task, policy: str, decks: int) -> float:
    """What a player wins, or gains, in stepped games: in each seat of each game with the same decks."""
    found = []
    for game in task.games:
        for seat in range(task.players):
            seats = [task.others] * task.players
            seats[seat] = policy
            for number in range(decks):
                outcome = game_class(game).deal(task.players, task.seed, number, seats).run()
                returns = task.measure == "returns"
                found.append(outcome.returns[seat] if returns else seat + 1 in outcome.winners)
    return sum(found) / len(found)


@pytest.mark.parametrize("name", ["maumau-3-v1", pytest.param("mahjong-4-v1", marks=pytest.mark.slow)])
def test_what_a_player_reaches_is_what_it_gains_in_stepped_games(name: str) -> None:
    reached = TASKS[name].play("random", decks=5)
    assert reached.games == 5 * TASKS[name].players
    assert reached.value.value == pytest.approx(gained(TASKS[name], "random", 5))
    assert reached.value.low <= reached.value.value <= reached.value.high


@pytest.mark.slow
def test_a_task_with_house_rules_is_the_mean_over_its_games() -> None:
    task = TASKS["maumau-2-tested-v1"]
    assert task.play("random", decks=3).value.value == pytest.approx(gained(task, "random", 3))


def test_a_player_may_be_an_object(tmp_path: Path) -> None:
    net, task = random_net(MauMau.declaration, 2), TASKS["maumau-2-tested-v1"]
    net.save(tmp_path / "me.net")
    named, given = (task.play(player, decks=2) for player in (f"net:{tmp_path / 'me.net'}", net))
    assert given.value == named.value
    assert isinstance(given.policy, str)


def test_a_task_of_ones_own_can_be_played() -> None:
    task = replace(TASKS["maumau-2-v1"], name="own", decks=3)
    assert str(task) == f"own: {task.title}: share of wins against house, 3 decks"
    assert re.fullmatch(r"own: random wins .*% \[.*\] of 6 games", str(task.play("random")))


@pytest.mark.parametrize(
    ("decks", "error"),
    [(0, ValueError), (-1, ValueError), (10**9 + 1, ValueError), (1.5, TypeError), (True, TypeError)],
)
def test_a_wrong_number_of_decks_is_refused(decks: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=f"decks: {decks} "):
        TASKS["maumau-2-v1"].play("random", decks)


def test_the_docs_name_the_rules_of_the_tasks() -> None:
    page = (Path(__file__).parents[2] / "docs" / "howto" / "agents.md").read_text(encoding="utf-8")
    found = re.findall(r"^- `(maumau-2-\w+-v1)` has(.*?\.)$", page, re.MULTILINE | re.DOTALL)
    assert len(found) == 2
    for name, text in found:
        assert {f"maumau+{rule}" for rule in re.findall(r"`([\w-]+)`", text)} == {*TASKS[name].games}


def test_a_game_that_is_played_otherwise_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "played_hash", lambda game, others: "0" * 16)
    with pytest.raises(
        ValueError, match="task uno-2-v1: the rules of uno are different here; use the version of the task"
    ):
        TASKS["uno-2-v1"].play("random", decks=1)


def test_the_command_lists_the_tasks() -> None:
    listed = maumau("benchmark").stdout.splitlines()
    assert [line.split()[0] for line in listed] == list(TASKS)
    assert len({line.index(TASKS[line.split()[0]].title) for line in listed}) == 1
    assert [task["name"] for task in json.loads(maumau("benchmark", "--json").stdout)] == list(TASKS)


def test_the_command_says_what_a_player_reaches() -> None:
    given = ("benchmark", "maumau-2-v1", "--policy", "house", "--decks", 40)
    done = maumau(*given)
    assert done.stdout.startswith("maumau-2-v1: house wins ")
    assert done.stdout.endswith(" of 80 games; an estimate, as the task has 10,000 decks\n")
    record = json.loads(maumau(*given, "--json").stdout)
    assert (record["task"], record["policy"], record["decks"], record["games"]) == ("maumau-2-v1", "house", 40, 80)
    assert record["low"] <= record["value"] <= record["high"]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("nope", "--policy", "house"), "TASK: unknown task 'nope'; use one of maumau-2-v1, "),
        (("maumau-2-v1",), "--policy: missing; name the player that does the task\n"),
        (
            ("maumau-2-v1", "--policy", "house,random"),
            "--policy: house,random names 2 players; name one; the task provides the",
        ),
        (("maumau-2-v1", "--policy", "nobody"), "--policy: unknown policy 'nobody'; use one of house, "),
        (("mahjong-4-v1", "--policy", "net"), "--policy: policy 'net': no net for mahjong is part of this package"),
        (("--policy", "house"), "TASK: missing; `maumau benchmark` without options lists all tasks\n"),
        (("maumau-2-v1", "--policy", "house", "--decks", 0), "--decks: 0 is out of range; use 1 to 1,000,000,000"),
        (
            ("maumau-2-v1", "--policy", "house", "--decks", 10**17),
            "--decks: 100000000000000000 is out of range; use 1 to",
        ),
    ],
)
def test_what_cannot_be_done_is_refused(given: tuple[object, ...], why: str) -> None:
    done = maumau("benchmark", *given)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(why)
