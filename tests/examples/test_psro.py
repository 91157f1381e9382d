"""PSRO: the population of the example ends with a mixture that nobody found a way to beat."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from examples import psro


@pytest.mark.slow
def test_answers_gain_less_and_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first player folds to every bet; the answer to it bets always, and so on."""
    monkeypatch.setattr(psro, "TESTED", 2000)
    first, second, third = psro.psro(3)
    assert first.mixture == {"first-legal": 1}
    assert first.gain.value == 1
    assert second.gain.low > third.gain.high
    assert third.gain.low > 0
    assert second.mixture["answer-1"] > 0.99


@pytest.mark.thorough
def test_the_population_ends_with_a_mixture_that_is_not_beaten() -> None:
    rounds = list(psro.psro(12))
    assert len(rounds) < 12
    assert abs(rounds[-1].gain.value) < 0.03
    assert sum(share > 0.1 for share in rounds[-1].mixture.values()) > 1  # no single deterministic player is so good


def test_fictitious_play_finds_the_mixture_of_a_small_game() -> None:
    """Rock, paper, scissors in which rock wins twice as much: (1/4, 1/2, 1/4) by hand."""
    payoffs = np.array([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])
    assert np.allclose(psro.equilibrium(payoffs), [1 / 4, 1 / 2, 1 / 4], atol=0.02)


def test_the_example_can_be_read_at_once() -> None:
    assert len(Path(psro.__file__).read_text(encoding="utf-8").splitlines()) <= 150
