"""The examples with PyTorch learn; each test is skipped where it is not installed."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from fsm import MauMau

FOLDER = Path(__file__).parents[2] / "examples" / "pytorch"
NAMES = "labels", "league", "ppo"


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The modules; they play few games, in one thread, with weights that are the same each time."""
    torch = pytest.importorskip("torch", reason="needs torch")
    torch.set_num_threads(1)
    torch.manual_seed(1)
    found = SimpleNamespace(torch=torch, **{name: import_module(f"examples.pytorch.{name}") for name in NAMES})
    for module in (found.labels, found.ppo):
        monkeypatch.setattr(module, "SLOTS", 128)
    monkeypatch.setattr(found.labels.measured, "__defaults__", ("house", 1000))
    return found


@pytest.mark.slow
def test_a_network_learns_from_searches(examples: SimpleNamespace) -> None:
    network = examples.labels.Network()
    before = examples.labels.measured(examples.labels.Player("before", network))
    assert len([*examples.labels.rounds(network, 60)]) == 60
    after = examples.labels.measured(examples.labels.Player("after", network))
    assert before.high < 0.3 < after.low


@pytest.mark.slow
def test_a_network_learns_from_games(examples: SimpleNamespace) -> None:
    network = examples.labels.Network()
    before = examples.labels.measured(examples.labels.Player("before", network))
    worth = [*examples.ppo.rounds(network, 12)]
    after = examples.labels.measured(examples.labels.Player("after", network))
    assert before.high < after.low
    assert worth[-1] > worth[0]


@pytest.mark.slow
def test_a_league_learns_against_its_former_selves(examples: SimpleNamespace) -> None:
    first, second = examples.league.league(examples.labels.Network(), seasons=2, length=4)
    assert second.house.value > first.house.value - 0.1
    assert first.before.low > 0.5  # against a network that has learned nothing


def test_a_game_that_is_broken_off_counts_what_is_expected(examples: SimpleNamespace) -> None:
    """No game ends after three choices: a network that always expects the same gains nothing."""
    network, batch = examples.labels.Network(), examples.ppo.Batch("maumau", 2, 8, seed=1, others="house", limit=3)
    examples.torch.nn.init.zeros_(network.value.weight)
    examples.torch.nn.init.constant_(network.value.bias, 0.5)
    rows = examples.ppo.played(network, batch)
    assert len(rows.actions) == 8 * examples.ppo.STEPS
    assert rows.gains.abs().max() < 1e-6
    assert rows.worth.tolist() == pytest.approx([0.5] * len(rows.worth))


def test_a_network_plays_as_any_player(examples: SimpleNamespace) -> None:
    player = examples.labels.Player("torch", examples.labels.Network())
    assert MauMau.deal(2, seed=7, policies=[player, "house"]).run().winner in (1, 2)


def test_the_examples_can_be_read_at_once() -> None:
    files = sorted(FOLDER.glob("*.py"))
    assert [file.stem for file in files] == [*NAMES]
    assert all(len(file.read_text(encoding="utf-8").splitlines()) <= 150 for file in files)
