"""Adapters: the tests that PettingZoo, Gymnasium and OpenSpiel provide for environments, and what they add."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from all_games import GAMES
from rolling import ROLLING
from spiel import deal_own, load_own
from test_opponents import SMALLEST

from examples.crazy_eights import CrazyEights
from examples.kuhn_poker import KuhnPoker
from fsm import Game, IllegalMove, MauMau, Uno, UnoOfficial, game_of
from fsm.declaration.policy import FIRST_LEGAL, RANDOM
from fsm.declaration.rewards import Reward
from maumau import Observed

KINDS = [MauMau, Uno, CrazyEights]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.filterwarnings("ignore:Observation")  # is no array, but a dict, as in the games of PettingZoo
def test_pettingzoo_finds_no_fault(zoo: Any, kind: Any) -> None:
    from pettingzoo.test import api_test, seed_test

    api_test(zoo.CardGameAEC(kind, players=3), num_cycles=60)
    seed_test(lambda: zoo.CardGameAEC(kind, players=3), num_cycles=30)


def test_a_game_of_pettingzoo_pays_the_winner(zoo: Any) -> None:
    env, random = zoo.CardGameAEC("maumau", players=3), np.random.default_rng(1)
    env.reset(seed=7)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, ended, truncated, _ = env.last()
        total[agent] += reward
        env.step(None if ended or truncated else int(random.choice(np.flatnonzero(seen["action_mask"]))))
    assert sorted(total.values()) == [-0.5, -0.5, 1.0]
    assert total[f"player_{env.observed.game.outcome.winner}"] == 1.0


def test_an_illegal_action_of_pettingzoo_says_why(zoo: Any) -> None:
    env = zoo.CardGameAEC("maumau", players=3)
    env.reset(seed=7)
    with pytest.raises(IllegalMove, match="does not hold it"):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmin()))


@pytest.mark.parametrize("kind", KINDS)
def test_gymnasium_finds_no_fault(gym: Any, kind: Any) -> None:
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the ranges of the spaces
        check_env(gym.OneSeat(kind, players=3), skip_render_check=True)


def test_games_are_made_by_their_names(gym: Any) -> None:
    """In a process that imports nothing but Gymnasium."""
    code = """
import gymnasium
env = gymnasium.make("maumau.agents.adapters.gym:maumau/UnoOfficial-v0", players=4)
seen, info = env.reset(seed=1)
print(type(env.unwrapped).__name__, env.unwrapped.kind.declaration.name, (seen["action_mask"] == info["action_mask"]).all())
print(env.get_wrapper_attr("action_masks")().tolist() == seen["action_mask"].astype(bool).tolist())
envs = gymnasium.make_vec("maumau/MauMau-v0", num_envs=4, players=2)
print(type(envs.unwrapped).__name__, envs.num_envs)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "OneSeat uno-official True\nTrue\nManyGames 4\n"


def test_an_environment_of_pettingzoo_is_named_after_its_game(zoo: Any) -> None:
    assert str(zoo.CardGameAEC("maumau+five-each", players=3)) == "maumau+five-each_v0"


def test_who_takes_an_illegal_action_loses(gym: Any) -> None:
    env = gym.OneSeat("maumau", players=3)
    seen, _ = env.reset(seed=7)
    _, reward, ended, truncated, info = env.step(int(seen["action_mask"].argmin()))
    assert (reward, ended, truncated) == (-1.0, True, False)
    assert "does not hold it" in info["illegal"]


def test_a_game_of_gymnasium_begins_with_a_decision_of_the_player(gym: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who sits second decides within one event only where the first is skipped; who sits third never does."""
    env = gym.OneSeat("maumau", players=3, player=2, limit=1)
    for seed in range(10):
        assert env.reset(seed=seed)[0]["action_mask"].any()
    monkeypatch.setattr(gym, "PATIENCE", 20)
    with pytest.raises(ValueError, match="maumau: player 3 decided nothing in 20 games"):
        gym.OneSeat("maumau", players=3, player=3, limit=1).reset(seed=7)


def test_observations_are_the_callers_own(gym: Any, zoo: Any) -> None:
    """Wrappers may write into them, and PyTorch takes no array that cannot be written without a warning."""
    one, all_seats = gym.OneSeat("maumau", players=3), zoo.CardGameAEC("maumau", players=3)
    all_seats.reset(seed=7)
    for seen in (one.reset(seed=7)[0], all_seats.observe("player_1"), gym.ManyGames("maumau", num_envs=2).reset()[0]):
        assert all(array.flags.writeable for array in seen.values())


def test_how_an_environment_cannot_be_rendered_is_refused(gym: Any, zoo: Any) -> None:
    for environment in (gym.OneSeat, zoo.CardGameAEC):
        with pytest.raises(ValueError, match="unknown render_mode 'human'; use one of ansi"):
            environment("maumau", players=3, render_mode="human")
        assert environment("maumau", players=3, render_mode="ansi").render_mode == "ansi"


def test_the_other_seats_of_gymnasium_follow_their_policy(gym: Any) -> None:
    env, random = gym.OneSeat("maumau", players=3, player=2), np.random.default_rng(1)
    seen, _ = env.reset(seed=7)
    ended = truncated = False
    while not (ended or truncated):
        assert env.observed.seat == 1
        seen, reward, ended, truncated, _ = env.step(int(random.choice(np.flatnonzero(seen["action_mask"]))))
    assert {step.rule for step in env.observed.game.history if step.player == 2 and step.trigger == "play"} == {None}
    assert reward in (1.0, -0.5)


@pytest.mark.slow
def test_many_games_are_a_vector_environment(gym: Any) -> None:
    envs = gym.ManyGames("maumau", players=3, num_envs=8, seed=5)
    seen, _ = envs.reset()
    ends = 0
    for _ in range(60):
        assert seen["observation"].shape == envs.observation_space["observation"].shape
        seen, rewards, ended, _, _ = envs.step(seen["action_mask"].argmax(axis=1))
        assert ((rewards != 0) <= ended).all()
        ends += int(ended.sum())
    envs.close()
    assert ends > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "players"),
    [
        (MauMau, 2),
        (CrazyEights, 2),
        *(pytest.param(kind, players, marks=pytest.mark.thorough) for kind in GAMES for players in (2, 3)
          if kind.declaration.codec.fewest <= players <= kind.declaration.codec.most),
    ],
)  # fmt: skip
def test_open_spiel_finds_no_fault(kind: Any, players: int) -> None:
    """Random games, of which states are cloned, and written and read again."""
    import pyspiel

    game = load_own(kind, players)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_a_game_that_rolls_dice_after_the_deal_is_refused_by_open_spiel(spiel: Any) -> None:
    with pytest.raises(ValueError, match="Mau-Mau: dice are rolled after the deal by "):
        spiel.register_game(ROLLING, 2)


def test_the_others_follow_the_first_policy_of_the_game(gym: Any) -> None:
    kind = game_of(replace(MauMau.declaration, name="maumau-without-house", policies=(FIRST_LEGAL, RANDOM)))
    assert gym.OneSeat(kind, players=2).observed.game.policies == [FIRST_LEGAL] * 2
    assert_same_seen(
        *(gym.ManyGames(kind, players=2, num_envs=4, seed=7, **others) for others in ({}, {"others": "first-legal"}))
    )


def test_a_game_is_there_before_the_first_is_asked_for(gym: Any) -> None:
    """Also where players who search are stepped."""
    one, other = (
        gym.OneSeat("maumau", players=2, others=others, render_mode="ansi") for others in ("house", "search:2")
    )
    assert one.render() == other.render() != ""
    assert other.observed.game.policies[1].name == "search:2"


def assert_same_seen(envs: Any, others: Any) -> None:
    for _ in range(20):
        actions = envs.batch.masks.argmax(axis=1)
        seen, other = envs.step(actions)[0], others.step(actions)[0]
        assert np.array_equal(seen["observation"], other["observation"])


def test_a_state_of_open_spiel_is_cloned_with_its_game() -> None:
    state = deal_own(MauMau, 2)
    state.apply_action(state.legal_actions()[0])
    again = state.clone()
    assert (str(again), again.legal_actions()) == (str(state), state.legal_actions())
    again.apply_action(again.legal_actions()[-1])
    assert str(again) != str(state)


@pytest.mark.parametrize("copied", [Observed.clone, copy, deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_a_copy_of_an_observed_game_is_independent_and_goes_on_alike(copied: Callable[[Observed], Observed]) -> None:
    observed = Observed(MauMau.deal(3, seed=7, policies="random"))
    for _ in range(30):
        observed.step()
    seen = [observed.observation(seat) for seat in range(3)]
    other = copied(observed)
    assert ([other.observation(seat) for seat in range(3)], other.legal()) == (seen, observed.legal())
    while not other.over:
        other.step()
    assert [observed.observation(seat) for seat in range(3)] == seen
    while not observed.over:
        observed.step()
    assert observed.chosen == other.chosen
    assert [observed.observation(seat) for seat in range(3)] == [other.observation(seat) for seat in range(3)]


@pytest.mark.slow
def test_many_games_of_another_seed_are_its_games(gym: Any) -> None:
    envs, fresh = (
        gym.ManyGames(MauMau, players=2, num_envs=4, seed=7),
        gym.ManyGames(MauMau, players=2, num_envs=4, seed=8),
    )
    old, _ = envs.reset()
    old = {name: array.copy() for name, array in old.items()}
    seen, _ = envs.reset(seed=8)
    expected, _ = fresh.reset()
    assert (seen["observation"] == expected["observation"]).all()
    assert (seen["observation"] != old["observation"]).any()
    for slot in range(4):
        observed = Observed(envs.batch.game(slot))
        assert observed.observation(0) == seen["observation"][slot].tobytes()


def test_the_end_of_a_game_is_seen_and_arrays_are_kept(gym: Any) -> None:
    envs = gym.ManyGames("maumau", players=3, num_envs=8, seed=5, limit=12)
    seen, _ = envs.reset()
    first, kept, ends = seen, seen["observation"].copy(), 0
    for _ in range(30):
        seen, _, ended, truncated, infos = envs.step(seen["action_mask"].argmax(axis=1))
        done = ended | truncated
        if done.any():
            assert (infos["_final_obs"] == done).all()
            for slot in range(8):
                final = infos["final_obs"][slot]
                assert envs.single_observation_space.contains(final) if done[slot] else final is None
            ends += int(done.sum())
    assert ends > 8
    assert (first["observation"] == kept).all()
    again, _ = envs.reset(seed=5)
    assert (again["observation"] == kept).all()
    assert (envs.reset()[0]["observation"] != kept).any()


@pytest.mark.slow
def test_the_last_observation_is_what_the_learner_saw_at_the_end(gym: Any) -> None:
    """Of games that end and of those that are truncated: that of the same game, stepped by its events."""
    limit = 30
    envs = gym.ManyGames("maumau", players=3, num_envs=8, seed=5, limit=limit)
    seen, _ = envs.reset()
    ends = Counter[bool]()
    for _ in range(80):
        actions = seen["action_mask"].argmax(axis=1)
        games = [Observed(envs.batch.game(slot)) for slot in range(8)]
        seen, _, ended, truncated, infos = envs.step(actions)
        for slot in np.flatnonzero(ended | truncated):
            observed = games[slot]
            observed.act(int(actions[slot]))
            while not observed.over and observed.chosen < limit:
                if observed.seat == 0 and observed.actions.chooses(observed.game):
                    break
                observed.step()
            observed.advance()  # what is forced
            final = infos["final_obs"][slot]
            assert final["observation"].tobytes() == observed.observation(0)
            assert not final["action_mask"].any()
            assert truncated[slot] == (not observed.over)
            ends[bool(truncated[slot])] += 1
    assert min(ends[False], ends[True]) > 0


def test_a_small_deck_is_another_game_of_open_spiel() -> None:
    small = MauMau.with_deck("SS SN HA HQ CS DA SA CJ", 2)
    whole, few = (load_own(kind, 2) for kind in (MauMau, small))
    assert [len(game.new_initial_state().legal_actions()) for game in (whole, few)] == [32, 8]


@pytest.mark.slow
def test_a_state_of_a_small_deck_is_pickled_for_another_process(tmp_path: Path) -> None:
    small = MauMau.with_deck("SS SN HA HQ CS DA SA CJ", 2)
    state = deal_own(small, 2)
    state.apply_action(state.legal_actions()[0])
    data = pickle.dumps(state)
    again = pickle.loads(data)
    assert (str(again), again.legal_actions(), again.history()) == (str(state), state.legal_actions(), state.history())
    (tmp_path / "state").write_bytes(data)
    code = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')))"
    command = [sys.executable, "-c", code, str(tmp_path / "state")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"{state}\n"


@pytest.mark.slow
def test_what_openspiel_found_is_pickled_for_another_process(tmp_path: Path) -> None:
    from open_spiel.python.algorithms.cfr import CFRSolver

    solver = CFRSolver(load_own(KuhnPoker, 2, rewards="win"))
    solver.evaluate_and_update_policy()
    found = solver.average_policy()
    (tmp_path / "policy").write_bytes(pickle.dumps(found))
    code = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).action_probability_array.tolist())"
    command = [sys.executable, "-c", code, str(tmp_path / "policy")]
    expected = f"{found.action_probability_array.tolist()}\n"
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == expected


def test_a_limit_makes_the_tree_of_open_spiel_finite(spiel: Any) -> None:
    """Two players who hold nothing that fits draw and pass for ever, where nobody counts their events."""
    from open_spiel.python.algorithms.expected_game_score import policy_value
    from open_spiel.python.policy import UniformRandomPolicy

    small = MauMau.with_deck("DQ HQ DS HS DK", 1)
    state = deal_own(small, 2, limit=6)
    game = state.get_game()
    again = pickle.loads(pickle.dumps(state))
    values = [policy_value(each, [UniformRandomPolicy(game)] * 2).tolist() for each in (state, again)]
    assert values[0] == values[1]
    assert game.max_game_length() == 6

    def ends(state: Any) -> set[bool]:
        """Whether there are ends with a winner, and without."""
        if state.is_terminal():
            return {any(state.returns())}
        return set().union(*(ends(state.child(action)) for action in state.legal_actions()))

    assert ends(state) == {True, False}
    assert spiel.register_game(small, 2) != spiel.register_game(small, 2, limit=6)


def test_a_state_is_pickled_whichever_deals_of_the_deck_are_valid() -> None:
    """Game 0 of seed 0 must not be dealt: the only other card lies in a hand."""
    small = UnoOfficial.with_deck("Y1 WF WF WF", 1)
    with pytest.raises(ValueError, match="the deck cannot be dealt"):
        small.deal(2, seed=0)
    state = load_own(small, 2).new_initial_state()
    state.apply_action(max(small.full_deck()))
    assert pickle.loads(pickle.dumps(state)).history() == state.history()


def test_another_game_of_a_name_of_open_spiel_is_refused(spiel: Any) -> None:
    declared = MauMau.declaration
    name = spiel.register_game(MauMau, 2)

    class Other(Game, declaration=replace(declared, title="Other")):
        pass

    with pytest.raises(ValueError, match=f"another game is registered as {name}; register one game of each name"):
        spiel.register_game(Other, 2)
    assert spiel.register_game(MauMau, 2) == name


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("game=nope", "unknown game 'nope'; use one of maumau"),
        ("players=9", "9 players cannot play; use 2 to 4"),
        ("limit=0", "limit: 0 is out of range; use 1 to"),
        ("rewards=nope", "unknown rewards 'nope'; use one of"),
        ("deck=DQ HQ", "deck requires each; give"),
        ("each=3", "each requires deck; give"),
    ],
)
def test_parameters_of_open_spiel_that_cannot_be_are_refused(spiel: Any, parameters: str, message: str) -> None:
    import pyspiel

    with pytest.raises(pyspiel.SpielError, match=message):
        pyspiel.load_game(f"maumau({parameters})")


def test_a_limit_that_no_environment_can_have_is_refused(gym: Any, zoo: Any, spiel: Any) -> None:
    for limit in (0, 2**31):
        for make in (gym.OneSeat, gym.ManyGames, zoo.CardGameAEC, spiel.register_game):
            with pytest.raises(ValueError, match=f"limit: {limit} is out of range; use 1 to 2,147,483,647"):
                make("maumau", 2, limit=limit)


def test_open_spiel_has_no_tensor_of_an_information_state() -> None:
    import pyspiel

    game = load_own(MauMau, 2)
    assert not game.get_type().provides_information_state_tensor
    with pytest.raises(pyspiel.SpielError, match="use information_state_string"):
        game.new_initial_state().information_state_tensor(0)


def test_open_spiel_is_given_the_observations_that_it_asks_for() -> None:
    import pyspiel

    state = deal_own(MauMau, 2)
    game = state.get_game()
    remembering = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    assert remembering.tensor is None
    assert remembering.string_from(state, 0) == state.information_state_string(0)
    with pytest.raises(ValueError, match="use what is public, what one player sees, or"):
        game.make_py_observer(
            pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
        )


def test_an_agent_that_pettingzoo_does_not_have_is_refused(zoo: Any) -> None:
    env = zoo.CardGameAEC("maumau", 2)
    env.reset(seed=3)
    for method in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(ValueError, match=r"^unknown agent 'nope'; use one of player_1, player_2$"):
            method("nope")
        with pytest.raises(TypeError, match=r"^agent: 1 is of type int; give the name of an agent$"):
            method(1)


def test_an_environment_of_pettingzoo_is_reset_first(zoo: Any) -> None:
    env = zoo.CardGameAEC("maumau", 2)
    for early in (lambda: env.step(0), env.last, lambda: env.observe("player_1"), lambda: [*env.agent_iter()]):
        with pytest.raises(AttributeError, match=r"^CardGameAEC\.agent\w+: no game is dealt yet; call reset first$"):
            early()
    assert not hasattr(env, "agents")
    with pytest.raises(AttributeError, match="'CardGameAEC' object has no attribute 'nope'"):
        env.nope  # noqa: B018
    deepcopy(env).reset(seed=3)
    env.reset(seed=3)
    assert env.last()[1:4] == (0, False, False)


WRONG = [True, np.True_, 1.9, np.float64(1), "3", 1 + 0j]


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_what_is_no_whole_number_is_no_action_and_no_seed(gym: Any, zoo: Any, wrong: Any) -> None:
    many, one, turns = gym.ManyGames("maumau", 2, 4), gym.OneSeat("maumau", 2), zoo.CardGameAEC("maumau", 2)
    for env in (many, one, turns):
        env.reset(seed=3)
        with pytest.raises(TypeError, match=r"seed: .*; give a whole number"):
            env.reset(seed=wrong)
    for env in (one, turns):
        before = env.render()
        with pytest.raises(TypeError, match=r"action: .*; give a whole number"):
            env.step(wrong)
        assert env.render() == before
    for kind in (gym.OneSeat, gym.ManyGames):
        with pytest.raises(TypeError, match=r"player: .*; give a whole number"):
            kind("maumau", 2, player=wrong)


def test_a_vector_environment_that_could_not_be_made_can_be_closed(gym: Any) -> None:
    """Versions of Gymnasium close an environment when it is deleted, also one whose constructor has raised."""
    env = object.__new__(gym.ManyGames)
    with pytest.raises(ValueError, match="players"):
        env.__init__("maumau", 99, 4)
    env.close()


@pytest.mark.parametrize("seed", [-1, -(2**70)])
def test_a_seed_below_zero_is_refused(gym: Any, zoo: Any, seed: int) -> None:
    for env in (gym.ManyGames("maumau", 2, 4), gym.OneSeat("maumau", 2), zoo.CardGameAEC("maumau", 2)):
        env.reset(seed=3)
        with pytest.raises(ValueError, match=rf"seed:? {seed}"):
            env.reset(seed=seed)


@pytest.mark.parametrize("action", [-1, 50, 10**6, 2**70])
def test_an_action_that_is_not_there_is_illegal(gym: Any, zoo: Any, action: int) -> None:
    env = gym.OneSeat("maumau", 2)
    env.reset(seed=3)
    _, reward, over, _, info = env.step(action)
    assert (reward, over, info["illegal"]) == (-1.0, True, f"action {action} is out of range; use 0 to 49")
    turns = zoo.CardGameAEC("maumau", 2)
    turns.reset(seed=3)
    with pytest.raises(IllegalMove, match=f"action {action} is out of range; use 0 to 49"):
        turns.step(action)


def test_actions_and_seeds_may_be_numbers_of_numpy(gym: Any, zoo: Any) -> None:
    for integer in (np.int8, np.uint8, np.int64, np.uint64):
        for made in (lambda: gym.OneSeat("maumau", 2), lambda: zoo.CardGameAEC("maumau", 2)):
            env, plain = made(), made()
            env.reset(seed=integer(3))
            plain.reset(seed=3)
            assert env.render() == plain.render()
            action = plain.observed.legal()[0]
            env.step(integer(action))
            plain.step(action)
            assert env.render() == plain.render()


def test_open_spiel_has_a_game_for_whole_numbers_of_players_only(spiel: Any) -> None:
    name = spiel.register_game("maumau", 3)
    assert spiel.register_game("maumau", np.uint8(3)) == name
    for wrong in (3.0, np.float64(3), "3"):
        with pytest.raises(TypeError, match=r"players: .*; give a whole number"):
            spiel.register_game("maumau", wrong)


def test_observed_games_of_adapters_are_those_of_the_seed(zoo: Any) -> None:
    env = zoo.CardGameAEC("maumau", players=3)
    env.reset(seed=7)
    expected = Observed(MauMau.deal(3, seed=7))
    expected.advance()
    assert env.observed.game.position() == expected.game.position()


def test_hands_are_sets_whatever_the_order_in_which_they_were_dealt() -> None:
    """Of five cards each seat can tell ten hands of two, with each of three others open: 30 information sets."""
    small = MauMau.with_deck("DQ HQ DT HT DK", each=2)
    states, seen = [load_own(small, 2).new_initial_state()], (set[str](), set[str]())
    while states:
        state = states.pop()
        if state.is_chance_node():
            states += [state.child(code) for code, _ in state.chance_outcomes()]
        else:
            for seat, texts in enumerate(seen):
                texts.add(state.information_state_string(seat))
    assert [len(texts) for texts in seen] == [30, 30]


# ---------------------------------------------------------------- worlds


@pytest.mark.slow
def test_the_ismcts_of_open_spiel_plays() -> None:
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

    game = load_own(MauMau, 2, limit=12)
    dice = np.random.RandomState(3)
    bot = ISMCTSBot(game, RandomRolloutEvaluator(1, dice), uct_c=1.4, max_simulations=5, random_state=dice)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            action = int(dice.choice(actions, p=chances))
        else:
            action = int(bot.step(state))
            assert action in state.legal_actions()
        state.apply_action(action)


def test_only_the_player_who_acts_has_worlds() -> None:
    import pyspiel

    state = load_own(MauMau, 2).new_initial_state()
    with pytest.raises(pyspiel.SpielError, match="only the player who acts"):
        state.resample_from_infostate(0, lambda: 0.5)
    for action in MauMau.deck_of(2, seed=7):
        state.apply_action(action)
    player = state.current_player()
    with pytest.raises(pyspiel.SpielError, match="only the player who acts"):
        state.resample_from_infostate(1 - player, lambda: 0.5)
    decks = set()
    for number in range(5):
        other = state.resample_from_infostate(player, partial(float, number / 5))
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.legal_actions() == state.legal_actions()
        decks.add(tuple(other.history()))
    assert len(decks) == 5


# ---------------------------------------------------------------- one game, in a batch and stepped


@pytest.mark.parametrize(
    ("kind", "others", "learner", "limit"),
    [(MauMau, None, None, 1000), (MauMau, "house", 1, 1000), (MauMau, None, None, 15), (MauMau, "random", 0, 15)],
)
def test_a_batch_of_one_slot_is_the_stepped_game(
    kind: type[Game], others: str | None, learner: int | None, limit: int
) -> None:
    from maumau.agents.adapters.single import BatchedOne, SteppedOne
    from maumau.agents.opponents import Opponents

    opponents = others and Opponents(kind.declaration, 3, others)
    batched = BatchedOne(kind, 3, opponents, learner, limit, Reward.WIN)
    stepped, random, ends = SteppedOne(kind, 3, opponents, learner, limit), np.random.default_rng(1), 0
    batched.start(7)
    while ends < 4:
        stepped.start(7, batched.number)
        while True:
            assert (batched.over, batched.truncated) == (stepped.over, stepped.truncated)
            if batched.over or batched.truncated:
                break
            assert batched.seat == stepped.seat
            assert batched.mask().tolist() == stepped.mask().tolist()
            for seat in range(3):
                assert batched.observation(seat).tolist() == stepped.observation(seat).tolist()
            action = int(random.choice(np.flatnonzero(batched.mask())))
            batched.act(action)
            stepped.act(action)
        for seat in [learner] if learner is not None else range(3):
            assert batched.observation(seat).tolist() == stepped.observation(seat).tolist()
        assert batched.observed.game.position() == stepped.observed.game.position()
        if batched.over:
            assert batched.returns(Reward.WIN) == stepped.returns(Reward.WIN)
        ends += 1
        batched.following()


def test_players_that_are_not_compiled_are_stepped(gym: Any) -> None:
    env = gym.OneSeat("maumau", players=2, others=SMALLEST)
    seen, _ = env.reset(seed=7)
    over = False
    while not over:
        seen, _, over, _, _ = env.step(int(seen["action_mask"].argmax()))
    assert env.observed.game.policies[1].name == "smallest"


def test_names_of_the_loop_that_registers_games_do_not_stay(gym: Any) -> None:
    assert not {"name", "kind", "where"} & vars(gym).keys()


@pytest.mark.parametrize("others", ["net", {"net": 0.5, "house": 0.5}, ["house", {"random": 0.5, "net": 0.5}, "net"]])
def test_one_game_against_nets_is_the_stepped_game(gym: Any, others: Any) -> None:
    pytest.importorskip("llvmlite")
    from maumau.agents.adapters.single import BatchedOne, SteppedOne, one_game
    from maumau.agents.opponents import Opponents

    batched = one_game(MauMau, 3, others, 1, 1000, Reward.WIN)
    assert isinstance(batched, BatchedOne)
    stepped = SteppedOne(MauMau, 3, Opponents(MauMau.declaration, 3, others), 1, 1000)
    for seed in range(6):
        batched.start(seed)
        stepped.start(seed, batched.number)
        while not batched.over:
            assert batched.observation(1).tolist() == stepped.observation(1).tolist()
            assert batched.observed.game.position() == stepped.observed.game.position()
            action = int(batched.mask().argmax())
            batched.act(action)
            stepped.act(action)
        assert batched.returns(Reward.WIN) == stepped.returns(Reward.WIN)


def test_the_other_seats_of_gymnasium_may_search(gym: Any) -> None:
    env = gym.OneSeat("maumau", players=2, others={"search:2": 0.5, "house": 0.5})
    for seed in range(4):
        seen, _ = env.reset(seed=seed)
        over = False
        while not over:
            seen, _, over, _, _ = env.step(int(seen["action_mask"].argmax()))
    envs = gym.ManyGames("maumau", players=2, num_envs=4, others={"net": 0.5, "house": 0.5})
    seen, _ = envs.reset()
    envs.step(seen["action_mask"].argmax(axis=1))


def test_an_unknown_player_of_gymnasium_is_refused_where_it_is_named(gym: Any) -> None:
    for kind in (gym.OneSeat, gym.ManyGames):
        with pytest.raises(ValueError, match=r"unknown policy 'nobody'.*a Net or a Search"):
            kind("maumau", players=2, others="nobody")


# ---------------------------------------------------------------- masks, names, arrays


def test_flat_observations_are_arrays_and_masks_are_in_the_info(gym: Any, zoo: Any) -> None:
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(gym.OneSeat("maumau", players=3, flat=True), skip_render_check=True)
    one, many = (kind("maumau", players=3, flat=True) for kind in (gym.OneSeat, gym.ManyGames))
    plain = gym.OneSeat("maumau", players=3)
    (seen, info), (both, _) = one.reset(seed=7), plain.reset(seed=7)
    assert one.observation_space.contains(seen)
    assert (seen.tolist(), info["action_mask"].tolist()) == (both["observation"].tolist(), both["action_mask"].tolist())
    seen, infos = many.reset(seed=7)
    assert many.observation_space.contains(seen)
    assert np.array_equal(infos["action_mask"].astype(bool), many.action_masks())
    seen, _, _, _, infos = many.step(infos["action_mask"].argmax(axis=1))
    assert infos["_action_mask"].all()
    turns = zoo.CardGameAEC("maumau", players=3, flat=True)
    turns.reset(seed=7)
    for _ in range(5):
        seen, _, _, _, info = turns.last()
        assert turns.observation_space(turns.agent_selection).contains(seen)
        assert [agent for agent in turns.agents if turns.infos[agent]] == [turns.agent_selection]
        turns.step(int(info["action_mask"].argmax()))


@pytest.mark.filterwarnings("ignore:Observation")
def test_pettingzoo_finds_no_fault_with_flat_observations(zoo: Any) -> None:
    from pettingzoo.test import api_test

    api_test(zoo.CardGameAEC("maumau", players=3, flat=True), num_cycles=60)


def test_environments_are_named_by_game_rules_and_version(gym: Any, zoo: Any) -> None:
    name = "maumau+five-each"
    for env in (gym.OneSeat(name, players=2), gym.ManyGames(name, 2, 2), zoo.CardGameAEC(name, players=2)):
        assert env.metadata["name"] == f"{name}_v0"
    assert gym.OneSeat("maumau", players=2).metadata["name"] == "maumau_v0"


# ---------------------------------------------------------------- OpenSpiel: names, observers, tensors


def test_any_game_of_open_spiel_is_loaded_by_name_in_a_fresh_process(spiel: Any) -> None:
    import pyspiel

    names = ("maumau(game=uno,players=3,limit=40)", "maumau(deck=DQ HQ DS HS DK,each=1,limit=6)", "maumau")
    code = f"""
import maumau.agents.adapters.spiel, pyspiel
for name in {names}:
    game = pyspiel.load_game(name)
    print(str(game), game.num_players(), game.max_game_length(), game.get_type().provides_information_state_tensor)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    games = [pyspiel.load_game(name) for name in names]
    expected = [
        f"{game} {game.num_players()} {game.max_game_length()} {game.get_type().provides_information_state_tensor}"
        for game in games
    ]
    assert done.stdout.splitlines() == expected
    assert [str(pyspiel.load_game(str(game))) for game in games] == [str(game) for game in games]
    assert [game.max_game_length() for game in games] == [40, 6, 1000]
    small = load_own(MauMau.with_deck("DQ HQ DS HS DK", 1), 2, limit=6)
    assert small.new_initial_state().chance_outcomes() == games[1].new_initial_state().chance_outcomes()
    for wrong in ("maumau(game=nothing)", "maumau(players=99)", "maumau(deck=XX,each=1)"):
        with pytest.raises(pyspiel.SpielError):
            pyspiel.load_game(wrong)


def walk(state: Any, depth: int, random: np.random.Generator) -> list[Any]:
    """The states of a tree after the deal, as deep as asked; chance deals one card at random."""
    if state.is_terminal() or depth == 0:
        return [state]
    if state.is_chance_node():
        actions, _ = zip(*state.chance_outcomes(), strict=True)
        return walk(state.child(int(random.choice(actions))), depth, random)
    return [state, *(each for action in state.legal_actions() for each in walk(state.child(action), depth - 1, random))]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deck", "players"), [("DQ HQ DS HS DK", 2), ("DS HS SS DK HK SK DQ", 3), ("DE HE DJ HK", 2), ("DE HE DJ HK DA", 3)]
)
def test_the_tensor_of_an_information_state_distinguishes_what_a_player_can_tell(deck: str, players: int) -> None:
    """Equal texts have equal tensors. Equal tensors have texts that differ only in the order of cards drawn at once."""
    small = MauMau.with_deck(deck, each=1)
    game = load_own(small, players, limit=8)
    assert game.get_type().provides_information_state_tensor
    (size,) = game.information_state_tensor_shape()
    random, by_text, by_tensor = np.random.default_rng(2), dict[str, bytes](), dict[bytes, set[str]]()
    for _ in range(12):
        for state in walk(game.new_initial_state(), 6, random):
            for player in range(players):
                text = state.information_state_string(player)
                tensor = np.array(state.information_state_tensor(player), np.float32).tobytes()
                assert len(tensor) == 4 * size
                assert by_text.setdefault(text, tensor) == tensor
                by_tensor.setdefault(tensor, set()).add("\n".join(sorted(text.splitlines())))
    assert len(by_text) > 100
    assert all(len(texts) == 1 for texts in by_tensor.values())


def test_public_observers_of_open_spiel_show_nothing_private() -> None:
    """In states that differ in hidden cards alone they write the same; and what is public differs between others."""
    import pyspiel

    state = deal_own(MauMau, 2)
    game = state.get_game()
    none = {"public_info": True, "private_info": pyspiel.PrivateInfoType.NONE}
    private = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=False, public_info=False))
    whole = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=False))
    types = [pyspiel.IIGObservationType(perfect_recall=recall, **none) for recall in (False, True)]
    plain, remembering = (game.make_py_observer(each) for each in types)
    assert remembering.tensor is None
    seen = set()
    for _ in range(6):
        plain.set_from(state, 0)
        before = plain.tensor.copy()
        texts = plain.string_from(state, 0), remembering.string_from(state, 1)
        seen.add(texts)
        for seat in range(2):
            private.set_from(state, seat), whole.set_from(state, seat)
            if seat == 0:
                assert (private.tensor + plain.tensor).tolist() == whole.tensor.tolist()
            assert private.tensor.sum() >= len(state.observed.game.hands[seat])
            assert ",".join(state.observed.game.hands[seat]) in private.string_from(state, seat)
        assert before.any()
        player = state.current_player()
        other = state.resample_from_infostate(player, partial(float, 0.3))
        assert other.information_state_string(1 - player) != state.information_state_string(1 - player)
        for seat in range(2):
            plain.set_from(other, seat)
            assert plain.tensor.tolist() == before.tolist()
            assert (plain.string_from(other, seat), remembering.string_from(other, seat)) == texts
        assert "hands=?" in texts[0]
        state.apply_action(state.legal_actions()[0])
    assert len(seen) == 6


def test_texts_without_recall_do_not_go_through_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a game takes time by the square of its length."""
    import pyspiel

    state = deal_own(MauMau, 2)
    state.apply_action(state.legal_actions()[0])
    assert state.observed is not None

    def again(game: Game) -> Game:
        raise AssertionError(f"{game} is read from its start")

    monkeypatch.setattr(Game, "restarted", again)
    one, none = pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE
    for public, private in ((True, none), (True, one), (False, one)):
        wanted = pyspiel.IIGObservationType(perfect_recall=False, public_info=public, private_info=private)
        assert "hands=" in state.get_game().make_py_observer(wanted).string_from(state, 0)


def test_a_game_that_may_be_long_has_no_tensor_of_information_states() -> None:
    for limit, given in ((100, True), (101, False)):
        game = load_own(MauMau, 2, limit=limit)
        assert game.get_type().provides_information_state_tensor == given
