"""Programs of others that learn or solve play the games unpatched; each test is skipped where one is not installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from spiel import load_own

from examples.kuhn_poker import KuhnPoker
from fsm import MauMau
from maumau import respond_to, solve_hidden

pytestmark = pytest.mark.slow
SMALL = MauMau.with_deck("DQ HQ DS HS DK", 1)
"""Mau-Mau with five cards, one for each of two players."""


# ---------------------------------------------------------------- Gymnasium and PettingZoo


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


# ---------------------------------------------------------------- OpenSpiel


@pytest.fixture
def small() -> Any:
    """Mau-Mau with five cards; it ends after ten events at the latest."""
    return load_own(SMALL, 2, limit=10)


@pytest.fixture
def kuhn() -> Any:
    return load_own(KuhnPoker, 2, limit=100)


def test_exact_algorithms_agree_with_solve(small: Any, kuhn: Any) -> None:
    """OpenSpiel's best responses to the first legal action, and to chance in Kuhn poker, are those of `maumau solve`."""
    from open_spiel.python.algorithms.best_response import BestResponsePolicy
    from open_spiel.python.algorithms.exploitability import nash_conv
    from open_spiel.python.policy import TabularPolicy, UniformRandomPolicy

    for game, kind in ((small, SMALL), (kuhn, KuhnPoker)):
        judged, policy, start = respond_to(kind, "first-legal").judged, TabularPolicy(game), game.new_initial_state()
        for row, mask in zip(policy.action_probability_array, policy.legal_actions_mask, strict=True):
            row[:] = 0
            row[np.flatnonzero(mask)[0]] = 1
        found = [BestResponsePolicy(game, player, policy).value(start) for player in range(2)]
        assert found == pytest.approx([judged.second_worst, -judged.first_worst], abs=1e-12)
        assert nash_conv(game, policy) == pytest.approx(2 * judged.exploitability, abs=1e-12)
    random = solve_hidden(KuhnPoker, ["random"]).judge(0)
    assert nash_conv(kuhn, UniformRandomPolicy(kuhn)) == pytest.approx(2 * random.exploitability, abs=1e-12)


def test_cfr_comes_to_the_value_of_solve(kuhn: Any) -> None:
    from open_spiel.python.algorithms.cfr import CFRSolver
    from open_spiel.python.algorithms.expected_game_score import policy_value
    from open_spiel.python.algorithms.exploitability import nash_conv

    solver = CFRSolver(kuhn)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert nash_conv(kuhn, average) < 0.04
    value = policy_value(kuhn.new_initial_state(), [average, average])[0]
    assert value == pytest.approx(solve_hidden(KuhnPoker).equilibrium.value, abs=0.02)


def test_mccfr_learns(kuhn: Any) -> None:
    from open_spiel.python.algorithms.exploitability import nash_conv
    from open_spiel.python.algorithms.external_sampling_mccfr import ExternalSamplingSolver
    from open_spiel.python.algorithms.outcome_sampling_mccfr import OutcomeSamplingSolver
    from open_spiel.python.policy import UniformRandomPolicy

    np.random.seed(7)
    for solver in (ExternalSamplingSolver(kuhn), OutcomeSamplingSolver(kuhn)):
        for _ in range(600):
            solver.iteration()
        assert nash_conv(kuhn, solver.average_policy()) < nash_conv(kuhn, UniformRandomPolicy(kuhn)) / 2


def test_a_playthrough_is_generated(small: Any) -> None:
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    text = playthrough(small.get_type().short_name, None, seed=7)
    assert "InformationStateTensor" in text
    assert "IsTerminal() = True" in text


def play_by(agents: Any, env: Any, episodes: int) -> None:
    """Let agents of OpenSpiel learn by playing."""
    for _ in range(episodes):
        step = env.reset()
        while not step.last():
            player = step.observations["current_player"]
            step = env.step([agents[player].step(step).action])
        for agent in agents:
            agent.step(step)


@pytest.mark.parametrize("agent", ["dqn", "nfsp"])
def test_deep_agents_of_open_spiel_learn(small: Any, agent: str) -> None:
    pytest.importorskip("torch", reason="needs torch")
    from open_spiel.python import rl_environment
    from open_spiel.python.pytorch import dqn, nfsp

    env = rl_environment.Environment(small)
    state, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    assert state == small.information_state_tensor_shape()[0]
    made = {
        "dqn": lambda player: dqn.DQN(player, state, actions, hidden_layers_sizes=[16], batch_size=8),
        "nfsp": lambda player: nfsp.NFSP(player, state, actions, [16], 100, 0.1, batch_size=8),
    }[agent]
    play_by([made(player) for player in range(2)], env, episodes=40)


def test_deep_cfr_of_open_spiel_learns(small: Any) -> None:
    pytest.importorskip("torch", reason="needs torch")
    from open_spiel.python.pytorch.deep_cfr import DeepCFRSolver

    solver = DeepCFRSolver(
        small, policy_network_layers=(16,), advantage_network_layers=(16,), num_iterations=2, num_traversals=4,
        policy_network_train_steps=4, advantage_network_train_steps=4, batch_size_advantage=8, batch_size_strategy=8,
    )  # fmt: skip
    solver.solve()
