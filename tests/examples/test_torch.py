"""The examples with PyTorch learn; each test is skipped where it is not installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite")
torch = pytest.importorskip("torch", reason="needs torch")

from examples.pytorch import labels, league, ppo  # noqa: E402
from fsm import MauMau  # noqa: E402


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play few games, in one thread, with weights that are the same each time."""
    torch.set_num_threads(1)
    torch.manual_seed(1)
    for module in (labels, ppo):
        monkeypatch.setattr(module, "SLOTS", 128)
    monkeypatch.setattr(labels.measured, "__defaults__", ("house", 1000))


@pytest.mark.slow
def test_a_network_learns_from_searches() -> None:
    network = labels.Network()
    before = labels.measured(labels.Player("before", network))
    assert len([*labels.rounds(network, 60)]) == 60
    after = labels.measured(labels.Player("after", network))
    assert before.high < 0.3 < after.low


@pytest.mark.slow
def test_a_network_learns_from_games() -> None:
    network = labels.Network()
    before = labels.measured(labels.Player("before", network))
    worth = [*ppo.rounds(network, 12)]
    after = labels.measured(labels.Player("after", network))
    assert before.high < after.low
    assert worth[-1] > worth[0]


@pytest.mark.slow
def test_a_league_learns_against_its_former_selves() -> None:
    first, second = league.league(labels.Network(), seasons=2, length=4)
    assert second.house.value > first.house.value - 0.1
    assert first.before.low > 0.5  # against a network that has learned nothing


def test_a_game_that_is_broken_off_counts_what_is_expected() -> None:
    """No game ends after three choices: a network that always expects the same gains nothing."""
    network, batch = labels.Network(), ppo.Batch("maumau", 2, 8, seed=1, others="house", limit=3)
    torch.nn.init.zeros_(network.value.weight)
    torch.nn.init.constant_(network.value.bias, 0.5)
    rows = ppo.played(network, batch)
    assert len(rows.actions) == 8 * ppo.STEPS
    assert rows.gains.abs().max() < 1e-6
    assert rows.worth.tolist() == pytest.approx([0.5] * len(rows.worth))


def test_a_network_plays_as_any_player() -> None:
    player = labels.Player("torch", labels.Network())
    assert MauMau.deal(2, seed=7, policies=[player, "house"]).run().winner in (1, 2)


@pytest.mark.parametrize("module", [labels, ppo, league])
def test_the_examples_can_be_read_at_once(module: Any) -> None:
    assert len(Path(module.__file__).read_text(encoding="utf-8").splitlines()) <= 150
