"""How much can be won from a player: by nets that learn to answer it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from test_opponents import SMALLEST

from examples.kuhn_poker import KuhnPoker
from fsm import MauMau
from maumau import Net, TrainingSettings, best_response, strength, train
from maumau.agents.intervals import mean_of
from maumau.agents.opponents import Opponents
from maumau.agents.strength import gains_of, response_of
from maumau.cli.main import app


def test_the_answer_to_a_player_who_always_folds_or_checks_gains_its_stakes() -> None:
    """In Kuhn poker the first legal move is to check or to fold: a bet gains the stake of 1 in every game."""
    found = best_response(
        KuhnPoker, 2, "first-legal", games=60_000, tested=2000, seed=2, settings=TrainingSettings(0.0, hidden=16)
    )
    assert (found.against, found.games) == ("first-legal", 2000)
    assert found.gain.value > 0.9
    assert found.gain.low <= found.gain.value <= found.gain.high
    again = response_of(found.net, {"first-legal": 0.5, "random": 0.5}, games=2000)
    assert again.against == "first-legal (0.5) or random (0.5)"


def test_gains_are_those_of_stepped_games() -> None:
    """Game by game, with the seats in turn and the players that were drawn."""
    rivals = Opponents(MauMau.declaration, 3, {"house": 0.5, "net": 0.5})
    gains = gains_of(MauMau, lambda batch: batch.masks.argmax(axis=1), rivals, 60, seed=4)
    seed = 4 ^ 1 << 62
    for number, gain in enumerate(gains):
        policies: list[Any] = rivals.policies(seed, number)
        policies[number % 3] = SMALLEST
        won = MauMau.deal(3, seed, number, policies).run().winner == number % 3 + 1
        assert gain == (1 if won else -0.5)


def test_the_interval_of_a_mean_holds_it_as_often_as_it_says() -> None:
    random = np.random.default_rng(1)
    held = 0
    for _ in range(1000):
        found = mean_of(random.normal(3, 2, 50))
        held += found.low <= 3 <= found.high
    assert 920 < held < 975


@pytest.mark.slow
def test_nets_learn_against_nets_searches_and_mixtures() -> None:
    first = train("maumau", 2, games=1100, settings=TrainingSettings(0.0, hidden=8))
    for others in (first, {first: 0.5, "house": 0.5}, [{"random": 0.5, "first-legal": 0.5}, first]):
        net = train("maumau", 2, games=1100, settings=TrainingSettings(hidden=8), others=others)
        assert 0 <= strength(net, 200, others=others).share <= 1
    with pytest.raises(ValueError, match=r"unknown policy 'nobody'.*a Net or a Search"):
        train("maumau", 2, games=1100, others="nobody")
    assert strength(first, 20, others={"search:2": 1.0}).others == "search:2"


@pytest.mark.slow
def test_a_net_is_trained_against_a_player_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.py").write_text(
        "from maumau import ObservingPolicy\n\n\nclass Small(ObservingPolicy):\n"
        "    def choose_actions(self, players, observations, masks):\n        return masks.argmax(axis=1)\n\n\n"
        'small = Small("small")\n'
    )
    train("maumau", 2, games=1100, settings=TrainingSettings(0.0, hidden=8)).save("one.net")
    for others in ("net:one.net", "small.py:small"):
        options = ["--games", "1100", "--searched", "0", "--hidden", "8", "-o", "two.net", "--others", others]
        done = CliRunner().invoke(app, ["train", *options])
        assert done.exit_code == 0, done.output
        assert f"2 players, against {others}: wins " in done.output
        assert f"--others {others}" in Net.load("two.net").command
