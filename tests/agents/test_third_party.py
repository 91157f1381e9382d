"""Programs of others that learn or solve play the games unpatched; each test is skipped where one is not installed."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

from fsm import MauMau  # noqa: E402

SMALL = MauMau.with_deck("DQ HQ DS HS DK", 1)
"""Mau-Mau with five cards, one for each of two players."""


# ---------------------------------------------------------------- Gymnasium and PettingZoo


@pytest.mark.slow
@pytest.mark.parametrize("flat", [False, True])
def test_maskable_ppo_learns(flat: bool) -> None:
    ppo = pytest.importorskip("sb3_contrib", reason="needs sb3-contrib").MaskablePPO
    from maumau.agents.adapters.gym import OneSeat

    env = OneSeat("maumau", players=2, others="house", flat=flat)
    model = ppo("MlpPolicy" if flat else "MultiInputPolicy", env, n_steps=64, batch_size=32, seed=1)
    model.learn(128)
    seen, _ = env.reset(seed=7)
    over, decisions = False, 0
    while not over:
        action, _ = model.predict(seen, action_masks=env.action_masks())
        seen, _, over, truncated, info = env.step(int(action))
        assert "illegal" not in info
        over, decisions = over or truncated, decisions + 1
    assert decisions > 0


@pytest.mark.slow
def test_wrappers_of_supersuit_take_flat_observations() -> None:
    supersuit = pytest.importorskip("supersuit", reason="needs SuperSuit")
    from maumau.agents.adapters.zoo import CardGameAEC

    plain = CardGameAEC("maumau", players=3, flat=True)
    env = supersuit.normalize_obs_v0(supersuit.dtype_v0(supersuit.flatten_v0(plain), "float32"))
    env.reset(seed=7)
    for agent in env.agent_iter():
        seen, _, ended, truncated, info = env.last()
        assert (seen.dtype, seen.shape) == (np.float32, env.observation_space(agent).shape)
        assert 0 <= seen.min() <= seen.max() <= 1
        env.step(None if ended or truncated else int(info["action_mask"].argmax()))
