"""Games played side by side: players that choose by observations have the results of stepped games."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from itertools import permutations
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from python_says import BY_ZERO

pytest.importorskip("llvmlite")

import numpy as np
from random_nets import random_net

import maumau.agents.batched
import maumau.kernels.bulk.stepped
from fsm import Game, IllegalMove, MauMau, Uno, game_class
from fsm.declaration.declaration import Declaration
from fsm.declaration.policy import admit_policy
from fsm.edge.errors import Stopped
from fsm.outside import OutsideError, admit_player, read_source
from maumau import Net, action_space, layout
from maumau.agents.batched import BatchedGames
from maumau.agents.nets.policy import NetPolicy
from maumau.agents.observed import ObservingPolicy
from maumau.kernels.bulk.stepped import SteppedRunner
from maumau.kernels.compiler.program import Results
from maumau.study.playing import count, play
from maumau.study.spec import StudySpec

GAME = MauMau.declaration


def net_player(game: Declaration, players: int, seed: int) -> NetPolicy:
    return NetPolicy(f"net {seed}", nets={players: random_net(game, players, seed)})


ONE, OTHER = (net_player(MauMau.declaration, players=4, seed=seed) for seed in (1, 2))


def stepped(monkeypatch: pytest.MonkeyPatch, runner: SteppedRunner, first: int, games: int) -> Results:
    """The results of games that are stepped one by one."""
    with monkeypatch.context() as patch:
        patch.setattr(BatchedGames, "plays", lambda self, games: False)
        return runner.play(None, first, games)


def side_by_side(monkeypatch: pytest.MonkeyPatch, runner: SteppedRunner, first: int, games: int) -> Results:
    with monkeypatch.context() as patch:
        patch.setattr(maumau.agents.batched, "MIN_GAMES", 1)
        return runner.play(None, first, games)


def check_equal(runner: SteppedRunner, first: int, games: int) -> None:
    """Check that every row and every count is the same in both ways."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        one, other = (way(monkeypatch, runner, first, games) for way in (stepped, side_by_side))
    assert other.games.tolist() == one.games.tolist()
    assert other.scores.tolist() == one.scores.tolist()
    assert (other.counted, other.used) == (one.counted, one.used)


@pytest.mark.slow
@settings(max_examples=6)
@given(
    st.permutations((ONE, OTHER, "house", "random")),
    st.sampled_from((ONE, OTHER)),
    st.integers(0, 2**62),
    st.integers(0, 10**6),
)
def test_rows_and_counts_are_those_of_stepped_games_in_every_seating(
    seats: list[NetPolicy | str], second: NetPolicy, seed: int, first: int
) -> None:
    """Nets in two seats, of one net or of two, beside a house player and one who rolls dice."""
    players = [second if seat is OTHER else seat for seat in seats]
    check_equal(SteppedRunner(GAME, 4, players, seed), first, games=12)


def test_what_is_played_side_by_side_is_not_stepped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SteppedRunner, "_counters", lambda *arguments: pytest.fail("a game was stepped"))
    runner = SteppedRunner(GAME, 4, [ONE, "house", "random", OTHER], seed=3)
    assert len(side_by_side(monkeypatch, runner, 0, 40)) == 40


@pytest.mark.slow
def test_games_of_many_choices_are_stepped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maumau.agents.batched, "MAX_CHOSEN", 40)
    check_equal(SteppedRunner(GAME, 4, [ONE, "house", "random", OTHER], seed=3), 0, 40)


@pytest.mark.slow
def test_games_of_too_many_events_are_endless_in_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (maumau.agents.batched, maumau.kernels.bulk.stepped):
        monkeypatch.setattr(module, "MAX_EVENTS", 60)
    runner = SteppedRunner(GAME, 4, [ONE, "house", "random", OTHER], seed=3)
    endings = {row["ending"] for row in side_by_side(monkeypatch, runner, 0, 40).games}
    assert len(endings) > 1
    check_equal(runner, 0, 40)


@pytest.mark.parametrize("games", [1, 5, 700])
def test_results_depend_on_nothing_but_the_number_of_the_game(games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    runner = SteppedRunner(GAME, 4, ["random", ONE, "house", OTHER], seed=5)
    whole = side_by_side(monkeypatch, runner, 0, 700)
    part = side_by_side(monkeypatch, runner, 700 - games, games)
    assert part.games.tolist() == whole.games[-games:].tolist()


# ---------------------------------------------------------------- studies


@pytest.mark.slow
def test_a_study_counts_the_same_in_both_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place, policy in enumerate((ONE, OTHER)):
        policy.nets[4].save(tmp_path / f"{place}.net")
    names = tuple(f"net:{tmp_path / f'{place}.net'}" for place in (0, 1))
    spec = StudySpec.of("maumau", 4, 20, seed=9, policies=(*names, "house", "random"))
    chunk = spec.cut(0)
    with monkeypatch.context() as patch:
        patch.setattr(BatchedGames, "plays", lambda self, games: False)
        one = count(spec, chunk, play(spec, chunk))
    monkeypatch.setattr(maumau.agents.batched, "MIN_GAMES", 1)
    assert count(spec, chunk, play(spec, chunk)) == one


def test_chunks_of_games_side_by_side_are_large() -> None:
    many = StudySpec.of("maumau", 2, 10**6, seed=1, policies=("net", "house"))
    few = StudySpec.of("maumau", 2, 10**6, seed=1, policies=("net", "search:10"))
    assert many.chunk > few.chunk


# ---------------------------------------------------------------- what is refused


@dataclass(frozen=True, eq=False)
class Constant(ObservingPolicy):
    """A player who always chooses one action."""

    action: int = field(kw_only=True)

    def choose_actions(self, players: int, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return np.full(len(masks), self.action)


@pytest.mark.parametrize("action", [-1, 0, 1000])
def test_an_illegal_action_is_refused(action: int, monkeypatch: pytest.MonkeyPatch) -> None:
    runner = SteppedRunner(GAME, 4, [Constant("constant", action=action), "house", "house", "random"], seed=1)
    with pytest.raises(IllegalMove, match=rf"policy constant: action {action} is illegal; use one of \d"):
        side_by_side(monkeypatch, runner, 0, 40)


@pytest.fixture(scope="module")
def own_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with players who choose by observations."""
    path = tmp_path_factory.mktemp("own") / "own.py"
    path.write_text(
        """\
from dataclasses import dataclass, field

import numpy as np

from maumau import ObservingPolicy


class Weighted(ObservingPolicy):
    def __init__(self, weights):
        super().__init__("weighted")
        self.weights = weights

    def choose_actions(self, players, observations, masks):
        return (masks * (1 + np.arange(masks.shape[1]) * self.weights % 97)).argmax(axis=1)


class Failing(ObservingPolicy):
    def choose_actions(self, players, observations, masks):
        return 1 // 0


class Halves(ObservingPolicy):
    def choose_actions(self, players, observations, masks):
        return masks.argmax(axis=1) / 2


class Listed(ObservingPolicy):
    def choose_actions(self, players, observations, masks):
        return masks.argmax(axis=1).tolist()


class Cheating(ObservingPolicy):
    def choose_actions(self, players, observations, masks):
        masks[:] = 1
        return masks.argmin(axis=1)


class Nameless(Listed):
    def __init__(self):
        pass

    def choose_actions(self, players, observations, masks):
        return masks.argmax(axis=1)


@dataclass(frozen=True)
class Valued(Nameless):
    weight: int = 3


@dataclass(frozen=True)
class Unhashable(Nameless):
    weights: list = field(default_factory=list)


weighted, failing, halves, listed, cheating = Weighted(31), Failing("f"), Halves("h"), Listed("l"), Cheating("c")
nameless, valued, unhashable = Nameless(), Valued("v"), Unhashable("u")
""",
        encoding="utf-8",
    )
    return path


@pytest.mark.slow
def test_a_player_of_a_file_has_the_results_of_stepped_games(own_file: Path) -> None:
    name = admit_player(read_source(f"{own_file}:weighted"))
    runner = SteppedRunner(GAME, 4, [name, "house", "random", name], seed=5)
    check_equal(runner, first=3, games=40)
    assert GAME.policy(name).code_hash == sha256(own_file.read_bytes()).hexdigest()


@pytest.mark.parametrize("player", ["nameless", "valued"])
def test_a_player_of_any_class_is_admitted(player: str, own_file: Path) -> None:
    name = admit_player(read_source(f"{own_file}:{player}"))
    assert MauMau.deal(2, seed=1, policies=(name, "house")).run().winner


def test_a_player_without_a_hash_is_refused(own_file: Path) -> None:
    with pytest.raises(OutsideError, match=r"own\.py:unhashable: .* declare the class with @dataclass\(eq=False\)"):
        admit_player(read_source(f"{own_file}:unhashable"))


def test_the_identity_of_a_player_has_its_file_and_its_digest() -> None:
    """A class of a file that derives from one with a digest of its own, such as that of a net."""
    found = {
        admit_policy(name, ONE, content).code_hash for name, content in (("here", "1"), ("there", "2"), ("no", ""))
    }
    assert len(found) == 3
    assert ONE.code_hash in found


def test_a_player_of_a_module_has_the_identity_of_its_file(
    own_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "installed_players.py").write_bytes(own_file.read_bytes())
    monkeypatch.syspath_prepend(tmp_path)
    name = admit_player(read_source("installed_players:weighted"))
    assert GAME.policy(name).code_hash == sha256(own_file.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("player", "message"),
    [
        ("failing", rf"own\.py:19: ZeroDivisionError: {BY_ZERO}"),
        ("halves", r"own\.py:halves: actions float64, shape \(\d+,\); return an array of integers, shape \(\d+,\)"),
        ("listed", r"own\.py: policy .*own\.py:listed: actions \[.*; return an array of integers, shape \(\d+,\)"),
        ("cheating", r"own\.py: policy .*own\.py:cheating: action 0 is illegal; use one of \d"),
    ],
)
@pytest.mark.parametrize("way", [stepped, side_by_side])
def test_what_is_wrong_with_a_player_of_a_file_is_said(
    player: str, message: str, way: Any, own_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = admit_player(read_source(f"{own_file}:{player}"))
    runner = SteppedRunner(GAME, 4, [name, "house", "random", "house"], seed=5)
    with pytest.raises(ValueError, match=message):
        way(monkeypatch, runner, 0, 40)


def test_players_that_choose_one_by_one_are_stepped() -> None:
    function = SteppedRunner(GAME, 4, [ONE, GAME.policy(lambda view: view.moves[0]), "house", "house"], seed=1)
    assert function._side_by_side(10**6) is None


def test_few_games_are_stepped_unless_the_program_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    runner = SteppedRunner(GAME, 4, [ONE, "house", "random", OTHER], seed=3)
    monkeypatch.setattr(maumau.kernels.engine, "ready_code", lambda program: None)
    assert runner._side_by_side(maumau.agents.batched.MIN_GAMES - 1) is None
    assert runner._side_by_side(maumau.agents.batched.MIN_GAMES)
    monkeypatch.setattr(maumau.kernels.engine, "ready_code", lambda program: print)
    assert runner._side_by_side(1)


def test_games_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maumau.agents.batched, "MIN_GAMES", 1)
    stop = Event()
    stop.set()
    with pytest.raises(Stopped):
        SteppedRunner(GAME, 4, [ONE, "house", "random", OTHER], seed=3).play(None, 0, 40, stop=stop)


# ---------------------------------------------------------------- choices


def twins(net: Net) -> Net:
    """The net with two equal halves of actions, in which each best action has an equal but for some last digits."""
    weights, offsets = net.network.layers[-2:]
    half = (weights.shape[1] - 1) // 2
    weights[:, half : 2 * half], offsets[half : 2 * half] = weights[:, :half] * (1 + 1e-7), offsets[:half]
    return net


def test_stepped_games_and_games_side_by_side_have_one_choice_where_scores_are_close() -> None:
    net, dice = twins(random_net(MauMau.declaration, 4, seed=5)), np.random.default_rng(6)
    observations = dice.integers(0, 2, (300, layout(MauMau.declaration, 4).width)).astype(np.uint8)
    masks = np.ones((300, len(action_space(MauMau.declaration))), np.uint8)
    legal = list(range(masks.shape[1]))
    one_by_one = [net._best_of(observation[None], legal) for observation in observations]
    assert net.actions(observations, masks).tolist() == one_by_one


def test_the_highest_legal_score_is_chosen() -> None:
    net, dice = random_net(MauMau.declaration, 4, seed=7), np.random.default_rng(8)
    observations = dice.integers(0, 3, (200, layout(MauMau.declaration, 4).width)).astype(np.uint8)
    masks = dice.integers(0, 2, (200, len(action_space(MauMau.declaration)))).astype(np.uint8)
    masks[:, 0] = 1
    scores = np.where(masks, net.network.precise().scores(observations).actions, -np.inf)
    assert net.actions(observations, masks).tolist() == scores.argmax(axis=1).tolist()


# ---------------------------------------------------------------- other games


EIGHTS = "examples/crazy_eights.py:CrazyEights"
TABLES = [(MauMau, 2), (MauMau, 3), (Uno, 2), (Uno, 4), ("uno-official", 3), ("mahjong", 4)]


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "players"), TABLES)
def test_other_games_have_the_rows_of_stepped_games(kind: str | type[Game], players: int) -> None:
    game = game_class(kind).declaration
    one = net_player(game, players, seed=1)
    for seats in dict.fromkeys(permutations([one] + [game.policies[0]] * (players - 1))):
        check_equal(SteppedRunner(game, players, seats, seed=2), 0, 60)
