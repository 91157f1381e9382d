"""Nets: their gradients, files, and players; what they learn, and that they see no hidden card."""

from __future__ import annotations

import csv
import io
import json
import pickle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import click
import numpy as np
import pytest
from command import STATEMENT, maumau
from hypothesis import given, settings
from hypothesis import strategies as st
from random_nets import random_net
from worlds import redeal

from fsm import Game, MauMau, Uno, game_class
from fsm.declaration.policy import usual_players
from maumau import Batch, Net, Observed, action_space, layout
from maumau.agents import training
from maumau.agents.curve import TrainingCurve
from maumau.agents.nets import net as net_file
from maumau.agents.nets import targets
from maumau.agents.nets.layers import Network, chances
from maumau.agents.nets.net import NetFileError, decode, encode, shipped_nets
from maumau.agents.nets.policy import NetPolicy
from maumau.agents.nets.targets import fit_error, fit_slopes, gain_slopes, rewards_at_end
from maumau.agents.strength import TESTED, strength
from maumau.agents.training import LONG, SLOTS, STEPS, Trainer, TrainingSettings
from maumau.cli.main import app
from maumau.study.identity import identity

Array = np.ndarray


@pytest.fixture(scope="module")
def net() -> Net:
    return random_net(MauMau.declaration, players=3)


@pytest.fixture(scope="module")
def file(net: Net, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nets") / "random.net"
    path.write_bytes(net.to_bytes())
    return path


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trainings with few games side by side."""
    monkeypatch.setattr(training, "SLOTS", 128)
    monkeypatch.setattr(training, "STEPS", 16)


# ---------------------------------------------------------------- gradients


def slopes_of(loss: Callable[[], float], array: Array) -> Array:
    """The derivatives of a loss by the numbers of an array, by finite differences."""
    found = np.zeros_like(array)
    for place in np.ndindex(array.shape):
        before, ends = array[place], []
        for step in (1e-5, -1e-5):
            array[place] = before + step
            ends.append(loss())
        array[place] = before
        found[place] = (ends[0] - ends[1]) / 2e-5
    return found


def test_gradients_of_the_layers_are_those_of_finite_differences() -> None:
    dice = np.random.default_rng(2)
    shapes = (5, 4), (4,), (4, 4), (4,), (4, 4), (4,)
    network = Network(dice.random(5), tuple(dice.standard_normal(shape) for shape in shapes))
    observations = dice.integers(0, 4, (6, 5))
    by_actions, by_value = dice.standard_normal((6, 3)), dice.standard_normal(6)

    def loss() -> float:
        scores, value = network.scores(observations)
        return float((scores * by_actions).sum() + (value * by_value).sum())

    found = network.gradients(network.forward(observations)[1], by_actions, by_value)
    for layer, gradient in zip(network.layers, found, strict=True):
        assert gradient == pytest.approx(slopes_of(loss, layer), abs=1e-6)


MASKS = np.array([[1, 1, 0, 1], [0, 1, 1, 0], [1, 1, 1, 1]], np.uint8)


def test_games_that_nobody_can_win_are_broken_off() -> None:
    """With four cards two good players go on for ever in eight of 24 deals."""
    trainer = Trainer(
        MauMau.with_deck("DQ HQ DT HT", each=1), 2, seed=1, others="self", settings=TrainingSettings(0.0, hidden=8)
    )
    trainer.round(0.0)
    assert trainer.batch.limit <= LONG * STEPS * SLOTS // trainer.games + 1


def test_slopes_of_the_fit_are_those_of_the_squares() -> None:
    dice = np.random.default_rng(3)
    scores, value, shares = dice.standard_normal((3, 4)), dice.standard_normal(3), dice.random((3, 4))
    best = np.where(MASKS, scores, -9).argmax(axis=1)

    def loss() -> float:
        total = 0.0
        for row in range(3):
            legal = MASKS[row].nonzero()[0]
            wanted = targets.SCALE * (shares[row, legal] - shares[row, legal].mean())
            total += 0.1 * ((scores[row, legal] - scores[row, legal].mean() - wanted) ** 2).sum()
            total += 0.5 * (value[row] - (2 * shares[row, best[row]] - 1)) ** 2
        return float(total / 3)

    by_scores, by_value = fit_slopes(scores, value, MASKS, shares, lambda share: 2 * share - 1)
    assert by_scores == pytest.approx(slopes_of(loss, scores), abs=1e-6)
    assert by_value == pytest.approx(slopes_of(loss, value), abs=1e-6)


def test_the_error_of_the_fit_is_in_shares_of_wins() -> None:
    """Scores that say 0.1 too much of one of two moves, and as much too little of the other."""
    masks, shares = np.array([[1, 1, 0]], np.uint8), np.array([[0.5, 0.3, 0.0]])
    scores = targets.SCALE * np.array([[0.6, 0.2, 0.9]])
    slopes = fit_slopes(scores, np.zeros(1), masks, shares, np.asarray)[0]
    assert fit_error(slopes, masks) == pytest.approx(0.1)


def test_slopes_of_the_gain_are_those_of_the_clipped_loss() -> None:
    dice = np.random.default_rng(4)
    scores, gain = dice.standard_normal((3, 4)), np.array([1.0, -0.5, 2.0])
    actions = np.array([0, 2, 3])
    rows = np.arange(3)
    before = chances(scores, MASKS)[rows, actions] / np.array([1.1, 0.9, 1.5])  # the last one is clipped

    def loss() -> float:
        likely = chances(scores, MASKS)
        ratio = likely[rows, actions] / before
        clipped = np.clip(ratio, 1 - targets.CLIPPED, 1 + targets.CLIPPED)
        entropy = -(likely * np.log(np.where(likely > 0, likely, 1))).sum()
        return float((-np.minimum(ratio * gain, clipped * gain).sum() - targets.ENTROPY * entropy) / 3)

    assert gain_slopes(scores, MASKS, actions, before, gain) == pytest.approx(slopes_of(loss, scores), abs=1e-6)


def test_rewards_are_those_of_the_game_that_a_decision_belongs_to() -> None:
    """One slot: player 1 decides, then player 2, who wins; player 1 decides in the next game, which goes on."""
    rewards = np.array([[[0, 0]], [[-1, 1]], [[0, 0]]], np.float32)
    over = np.array([[False], [True], [False]])
    returns, known = rewards_at_end(rewards, over, acting=np.array([[0], [1], [0]]))
    assert known[:, 0].tolist() == [True, True, False]
    assert returns[:2, 0].tolist() == [-1, 1]


# ---------------------------------------------------------------- files


def test_a_net_is_the_same_after_it_was_written_and_read(net: Net, file: Path) -> None:
    read = Net.load(file)
    assert (read.game, read.players, read.command, read.digest) == (net.game, 3, "by hand", net.digest)
    assert read.to_bytes() == net.to_bytes() == file.read_bytes()
    for one, other in zip(read.network.layers, net.network.layers, strict=True):
        assert one.tolist() == other.tolist()


def test_a_file_has_the_format_of_safetensors(file: Path) -> None:
    """https://github.com/huggingface/safetensors#format"""
    data = file.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    texts = header.pop("__metadata__")
    assert (texts["format"], texts["game"], texts["players"]) == ("maumau net 2", "maumau", "3")
    assert header["weights 1"]["dtype"] == "F16"
    assert header["weights 1"]["shape"] == [layout(MauMau.declaration, 3).width, 16]
    assert max(entry["data_offsets"][1] for entry in header.values()) == len(data) - 8 - length


def changed(net: Net, **texts: str) -> bytes:
    """The file of a net with other texts."""
    arrays, before = decode(net.to_bytes())
    return encode(arrays, before | texts)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"format": "maumau net 9"}, "its format is 'maumau net 9'; use 'maumau net 2'"),
        ({"players": "77"}, "77 players cannot play; use 2 to"),
        ({"players": "many"}, "-1 players cannot play; use 2 to"),
        (
            {"game": "uno", "spaces": "0"},
            "it was trained for 'uno', whose actions or observations differ from those of maumau with 3 players; train a net for"
            " maumau",
        ),
    ],
)
def test_a_net_for_something_else_is_refused_in_one_sentence(net: Net, texts: dict[str, str], message: str) -> None:
    with pytest.raises(NetFileError) as refused:
        Net.of_bytes(changed(net, **texts), MauMau)
    assert message in str(refused.value)


def test_a_net_for_a_game_that_is_not_known_is_refused(net: Net) -> None:
    with pytest.raises(NetFileError, match="not registered; give its class also: unknown game 'whist'"):
        Net.of_bytes(changed(net, game="whist"))


def test_arrays_that_do_not_fit_are_refused(net: Net) -> None:
    arrays, texts = decode(net.to_bytes())
    with pytest.raises(NetFileError, match=r"'scale' has the shape \(3,\); use \(245,\)"):
        Net.of_bytes(encode(arrays | {"scale": np.ones(3)}, texts))
    with pytest.raises(NetFileError, match="its arrays are scale; use scale, weights 1"):
        Net.of_bytes(encode({"scale": arrays["scale"]}, texts))
    with pytest.raises(NetFileError, match="'scale' has numbers that are not finite"):
        Net.of_bytes(encode(arrays | {"scale": np.full(245, np.nan)}, texts))


@pytest.mark.parametrize("length", [0, 7, 8, 100, 2000, -1])
def test_a_file_that_is_cut_off_is_refused(net: Net, length: int) -> None:
    with pytest.raises(NetFileError):
        Net.of_bytes(net.to_bytes()[:length])


def test_a_file_with_more_in_it_is_refused(net: Net) -> None:
    with pytest.raises(NetFileError, match="bytes instead of"):
        Net.of_bytes(net.to_bytes() + b" ")


@pytest.mark.slow
@settings(max_examples=30)
@given(st.data())
def test_a_damaged_header_is_refused_or_says_the_same(net: Net, data: st.DataObject) -> None:
    content = bytearray(net.to_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, 700))] = data.draw(st.integers(0, 255))
    with suppress(NetFileError):
        assert Net.of_bytes(bytes(content)).players == 3


@given(st.binary(max_size=60), st.binary(max_size=20))
def test_any_bytes_are_refused(header: bytes, rest: bytes) -> None:
    for start in (b"", len(header).to_bytes(8, "little")):
        with pytest.raises(NetFileError):
            Net.of_bytes(start + header + rest)


def test_a_file_that_is_too_long_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net_file, "MAX_BYTES", 10)
    (tmp_path / "long.net").write_bytes(b"0" * 11)
    with pytest.raises(NetFileError, match=r"long.net': it has more than 10 bytes"):
        Net.load(tmp_path / "long.net")


def test_a_device_or_a_folder_is_not_opened(tmp_path: Path) -> None:
    for path in (Path("/dev/zero"), tmp_path):
        with pytest.raises(NetFileError, match="it is not a regular file; use a file that maumau train has written"):
            Net.load(path)


def test_a_net_is_saved_in_place_of_another(net: Net, tmp_path: Path) -> None:
    written = tmp_path / "me.net"
    for each in (random_net(MauMau.declaration, 2), net):
        each.save(written)
    assert Net.load(written).digest == net.digest
    assert [path.name for path in tmp_path.iterdir()] == ["me.net"]


def test_only_the_name_of_a_file_is_written_to(net: Net, tmp_path: Path) -> None:
    for name, why in (
        ("", "the name is empty"),
        (str(tmp_path), "is a folder"),
        (str(tmp_path / "a" / "b"), "No such"),
    ):
        with pytest.raises(OSError, match=rf"{why}.*: '{name}'$"):
            net.save(name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("wrong", [None, 3, b"me.net"], ids=repr)
def test_what_is_not_the_name_of_a_file_is_refused(net: Net, wrong: object) -> None:
    """A number would be an open file."""
    for method in (Net.load, net.save):
        with pytest.raises(TypeError, match=r"^file: .* is of type .*; give the name of a file$"):
            method(wrong)  # type: ignore[arg-type]


# ---------------------------------------------------------------- players


def test_a_stepped_game_and_a_batch_have_the_same_move(net: Net) -> None:
    batch = Batch(MauMau, players=3, slots=8, seed=4, others="house")
    for _ in range(6):
        actions = net.choose(batch)
        for slot in range(8):
            game = batch.game(slot)
            assert net.best(game) == batch.actions.move(int(actions[slot]), game.player, 3)
        batch.step(actions)


@pytest.mark.slow
def test_a_net_plays_no_other_game(net: Net) -> None:
    for kind, players in ((MauMau, 2), (Uno, 3)):
        expected = f"a game of {kind.declaration.name} with {players} players; use maumau with 3 players"
        with pytest.raises(ValueError, match=expected):
            net.choose(Batch(kind, players, slots=2))
        with pytest.raises(ValueError, match=expected):
            net.best(kind.deal(players, 7))


def test_the_weights_of_a_net_are_not_printed(net: Net) -> None:
    assert repr(net).endswith("players=3, command='by hand', rewards=<Reward.WIN: 'win'>, games=0)")


def test_a_net_is_given_rows_of_its_own_shape(net: Net) -> None:
    batch = Batch(MauMau, players=3, slots=4, seed=4)
    seen, masks = batch.observations, batch.masks
    expected = net.actions(seen, masks).tolist()
    for kind in (bool, np.int8, np.int64, ">i4"):
        assert net.actions(seen.astype(np.int64), masks.astype(kind)).tolist() == expected
    assert net.actions(np.asfortranarray(seen), np.repeat(masks, 2, axis=0)[::2]).tolist() == expected
    for array in (seen, masks):
        array.flags.writeable = False
    assert net.actions(seen, masks).tolist() == expected
    for wrong, message in (
        ((seen[:, :-1], masks), r"observations: the shape is \(4, 244\); use \(4, 245\)"),
        ((seen, masks[:3]), r"masks: the shape is \(3, 50\); use \(4, 50\)"),
        ((seen, masks[0]), r"masks: the shape is \(50,\); use \(4, 50\)"),
        ((seen.astype(np.int64) + 256, masks), "observations with numbers from 256 to .*; use 0 to 255"),
    ):
        with pytest.raises(ValueError, match=message):
            net.actions(*wrong)
    with pytest.raises(TypeError, match="observations: the numbers are of type float64; give whole numbers"):
        net.actions(seen.astype(float), masks)


@pytest.mark.parametrize("kind", [MauMau, Uno])
def test_hidden_cards_that_are_dealt_anew_change_no_move(kind: type[Game]) -> None:
    net = random_net(kind.declaration, players=3)
    random, changed = Random(5), 0
    for number in range(6):
        game = kind.deal(3, seed=5, number=number)
        while game.outcome is None:
            if len(action_space(kind.declaration).legal(game)) > 1:
                observed = Observed(game.clone())
                before = observed.game.position()
                redeal(observed, game.player - 1, random)
                changed += observed.game.position() != before
                assert net.best(observed.game) == net.best(game)
            game.step()
    assert changed > 20


def test_a_net_plays_by_the_name_of_its_file(net: Net, file: Path) -> None:
    game = MauMau.deal(3, seed=7, policies=f"net:{file}")
    moves = []
    while game.outcome is None:
        chooses = action_space(MauMau.declaration).chooses(game)
        best = net.best(game) if chooses else None
        step = game.step()
        moves += [(step.trigger, step.card) == (best.trigger, best.card)] if best else []
    assert len(moves) > 3
    assert all(moves)


def test_the_identity_of_a_study_has_the_content_of_the_file(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.net"
    other.write_bytes(random_net(MauMau.declaration, 3, seed=2).to_bytes())
    copy = tmp_path / "copy.net"
    copy.write_bytes(file.read_bytes())
    one, two, three = (
        identity("maumau", policies=(f"net:{path}",))[f"policy net:{path}"] for path in (file, other, copy)
    )
    assert one == three != two


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("simulate", "--policy", "net:{file}"), "it has learned to play with 3 players; use a net for 2"),
        (("simulate", "--policy", "net:nowhere.net"), "'nowhere.net': no such file or directory"),
        (("simulate", "--policy", "net:"), "policy 'net:': nothing after the colon; use net, net:FILE"),
        (
            ("tournament", "--game", "uno", "--policy", "net:{file},house"),
            "whose actions or observations differ from those of uno with 3 players; train a net for uno",
        ),
        (("simulate", "--with", "nine-reverses", "--policy", "net:{file}"), "train a net for maumau+nine-reverses"),
        (("simulate", "--policy", "net:{damaged}"), "it does not begin with the length of a header"),
        (("serve", "--others", "net:{damaged}"), "it does not begin with the length of a header"),
        (("play", "--others", "net:{damaged}"), "it does not begin with the length of a header"),
        (("tournament", "--policy", "house,net:{file}"), "it has learned to play with 3 players; use a net for 2"),
    ],
)
def test_what_is_wrong_with_a_net_is_reported(
    file: Path, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    damaged = tmp_path / "damaged.net"
    damaged.write_bytes(b"\0" * 100)
    done = maumau(*(each.format(file=file, damaged=damaged) for each in arguments), data=STATEMENT)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_study_and_a_tournament_play_with_a_net(file: Path) -> None:
    line = "--players", 3, "--games", 4, "--policy", f"net:{file},house,house"
    assert maumau("study", *line, "--format", "json").returncode == 0
    assert f"net:{file}" in maumau("tournament", "--players", 3, "--games", 2, "--policy", f"net:{file},house").stdout


# ---------------------------------------------------------------- the nets of the package

WINS = {
    ("maumau", 2): 0.54,
    ("maumau", 3): 0.40,
    ("maumau", 4): 0.27,
    ("uno", 2): 0.54,
    ("uno", 3): 0.37,
    ("uno", 4): 0.28,
    ("uno-official", 2): 0.54,
}
"""The least share of wins against house players, by the game and the number of players."""


@pytest.mark.parametrize(("game", "players"), WINS)
def test_a_net_of_the_package_plays_by_a_short_name(game: str, players: int) -> None:
    kind = game_class(game)
    policy = kind.declaration.policy("net")
    assert isinstance(policy, NetPolicy)
    assert (policy.nets[players].players, policy.nets[players].game) == (players, kind.declaration)
    named = "" if game == "maumau" else f"--game {game} "
    assert policy.nets[players].command.startswith(f"maumau train {named}--players {players} --games ")
    played = kind.deal(players, seed=7, policies="net")
    assert played.run().winner in range(1, players + 1)


@pytest.mark.thorough
@pytest.mark.parametrize(("game", "players"), WINS)
def test_a_net_of_the_package_beats_house_players(game: str, players: int) -> None:
    net = shipped_nets(game_class(game).declaration)[players]
    assert strength(net, 20_000, seed=11).low > WINS[game, players]


@pytest.mark.slow
def test_games_in_which_the_net_has_nothing_to_decide_count_for_its_strength(tmp_path: Path) -> None:
    file, games = tmp_path / "random.net", 60
    kind = MauMau.with_deck("DQ DS HS DE DJ", each=1)
    net = random_net(kind.declaration, players=2)
    net.save(file)
    won = undecided = 0
    for number in range(games):
        seat = number % 2
        policies = ["house"] * 2
        policies[seat] = f"net:{file}"
        game = kind.deal(2, 5 ^ TESTED, number, policies)
        won += game.run().winner == seat + 1
        undecided += all(step.player != seat + 1 for step in game.history)
    assert undecided
    found = strength(net, games, seed=5)
    assert (found.games, found.wins) == (games, won)


def test_a_game_without_a_net_says_so() -> None:
    kind = MauMau.with_rules("nine-reverses")
    with pytest.raises(ValueError, match=r"differ from those of maumau\+nine-reverses with 2 players; train a net for"):
        kind.declaration.policy("net")
    with pytest.raises(ValueError, match="no net for mahjong is part of this package; use net:FILE"):
        game_class("mahjong").declaration.policy("net")
    assert "net" in usual_players(MauMau.declaration)
    assert "net" not in usual_players(kind.declaration)


@pytest.mark.parametrize("rule", ["king-again", "five-each", "sevens-draw-3"])
def test_a_shipped_net_plays_other_rules_with_the_same_actions_and_observations(rule: str) -> None:
    kind = MauMau.with_rules(rule)
    assert "net" in usual_players(kind.declaration)
    plain, loaded = shipped_nets(MauMau.declaration)[3], shipped_nets(kind.declaration)[3]
    assert plain.digest == loaded.digest
    game = kind.deal(3, 7, policies="net")
    while game.outcome is None:
        if len(moves := game.events().legal) > 1:
            assert plain.best(game) == loaded.best(game)
            assert plain.best(game) in moves
        game.step()
    batch = Batch(kind, players=3, slots=8, seed=3)
    assert (plain.choose(batch) == loaded.choose(batch)).all()
    with pytest.raises(ValueError, match=r"a game of maumau\+nine-reverses with 3 players; use maumau with 3 players"):
        plain.best(MauMau.with_rules("nine-reverses").deal(3, 7))


# ---------------------------------------------------------------- training

SMALL = TrainingSettings(hidden=8)


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_the_same_training_gives_the_same_net_which_has_learned() -> None:
    """A random player wins 2 % of these games."""
    first, second = (
        training.train(MauMau, 3, games=1500, seed=3, settings=TrainingSettings(hidden=32)) for _ in range(2)
    )
    assert first.to_bytes() == second.to_bytes()
    assert strength(first, 1000).share > 0.15


@pytest.mark.usefixtures("small")
def test_another_seed_gives_another_net() -> None:
    nets = [training.train(MauMau, 3, games=100, seed=seed, settings=SMALL) for seed in (1, 2)]
    assert nets[0].digest != nets[1].digest


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_who_learns_from_games_alone_becomes_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first moves are random; a random player wins 2 % of these games."""
    monkeypatch.setattr(training, "GRADIENT_RATE", 3e-3)
    trainer = Trainer(MauMau, 3, settings=TrainingSettings(0.0, hidden=32))
    shares = [progress.share for progress in trainer.rounds(games=3000)]
    assert sum(shares[:3]) / 3 < 0.06
    assert sum(shares[-3:]) / 3 > 0.12


def test_what_cannot_be_trained_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown policy 'nobody'"):
        Trainer(MauMau, 3, others="nobody")
    with pytest.raises(ValueError, match=r"searched: 1\.5 is out of range; use 0 to 1"):
        TrainingSettings(searched=1.5)
    with pytest.raises(ValueError, match="worlds: 256 is out of range; use 1 to 255"):
        TrainingSettings(worlds=256)
    with pytest.raises(ValueError, match="hidden: 0 is out of range; use 1 to 1,024"):
        TrainingSettings(hidden=0)


@pytest.mark.usefixtures("small")
def test_a_net_learns_more_from_other_games() -> None:
    first = training.train(MauMau, 3, games=100, settings=SMALL)
    trainer = Trainer(MauMau, 3, start=first)
    before = first.to_bytes()
    for _ in trainer.rounds(games=200):
        pass
    second = trainer.net
    assert first.games >= 100
    assert second.games == first.games + trainer.games >= first.games + 200
    assert (second.hidden, first.to_bytes()) == (8, before)
    assert second.digest != first.digest
    assert trainer.batch.seed not in (0, TESTED)
    assert Net.of_bytes(second.to_bytes()).games == second.games
    assert pickle.loads(pickle.dumps(second)).games == second.games


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (TrainingSettings(hidden=9), "hidden: 9 with a net of width 16; leave the width out"),
        (TrainingSettings(rewards="score"), "rewards: score with a net that plays for win; leave the reward out"),
    ],
)
def test_settings_that_do_not_fit_a_net_that_learns_more_are_refused(
    net: Net, settings: TrainingSettings, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Trainer(MauMau, 3, settings=settings, start=net)
    with pytest.raises(ValueError, match="a net for maumau with 3 players cannot learn maumau with 2 players; use one"):
        Trainer(MauMau, 2, start=net)


@pytest.mark.usefixtures("small")
def test_a_curve_has_a_row_for_each_point() -> None:
    trainer = Trainer(MauMau, 2, seed=3, settings=SMALL)
    curve = TrainingCurve(seed=3, games=60)
    for progress in trainer.rounds(games=600):
        curve.note(progress)
        curve.measure(progress)
    rows = list(csv.DictReader(io.StringIO(curve.csv())))
    assert len(rows) == len(curve.points) > 2
    assert rows[0]["loss"] == ""  # nothing was learned yet
    assert [int(row["games"]) for row in rows] == sorted(int(row["games"]) for row in rows)
    for row in rows:
        assert row["part"] == "searches"
        assert float(row["low"]) <= int(row["wins"]) / int(row["played"]) <= float(row["high"])
    found = strength(trainer.net.rounded(), 60, 3)
    assert (int(rows[-1]["wins"]), int(rows[-1]["played"])) == (found.wins, found.games)
    assert 0 < float(rows[-1]["loss"]) < 1
    assert str(curve.points[-1]).endswith(f"({found.low:.1%} to {found.high:.1%}) of 60 games")


@pytest.mark.usefixtures("small")
def test_the_command_learns_more_from_a_file_and_writes_the_curve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("maumau.cli.train.TESTED", 300)
    first, second, curve = tmp_path / "first.net", tmp_path / "second.net", tmp_path / "curve.csv"
    assert maumau("train", "--players", 3, "--games", 100, "--hidden", 8, "-o", first).returncode == 0
    done = maumau("train", "--from", first, "--games", 100, "--curve", curve, "-o", second)
    net = Net.load(second)
    assert (done.returncode, net.players, net.hidden) == (0, 3, 8)
    assert net.command.endswith(f"--from {first}")
    assert f"learned from {net.games:,} games" in done.stdout
    (row,) = csv.DictReader(io.StringIO(curve.read_text()))
    assert (row["played"], row["games"], row["done"]) == ("300", str(net.games), "1.0000")
    assert net.games >= 100 + Net.load(first).games


@pytest.mark.usefixtures("small")
def test_the_command_trains_a_net_and_says_how_good_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maumau.cli.train.TESTED", 300)
    written = tmp_path / "me.net"
    done = maumau("train", "--players", 3, "--games", 300, "--seed", 5, "--hidden", 8, "-o", written)
    assert done.returncode == 0
    assert "3 players, against house: wins " in done.stdout
    net = Net.load(written)
    assert net.command == "maumau train --players 3 --games 300 --seed 5 --searched 1 --worlds 16 --hidden 8"
    assert net.digest == training.train(MauMau, 3, games=300, seed=5, settings=SMALL).digest


@pytest.mark.usefixtures("small")
def test_an_interrupted_training_leaves_the_net_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maumau.cli.train.WRITTEN_EVERY", 1e9)
    rounds, play = [], Trainer.round

    def interrupted(trainer: Trainer, done: float) -> training.TrainingProgress:
        if len(rounds) == 3:
            raise KeyboardInterrupt
        rounds.append(done)
        return play(trainer, done)

    monkeypatch.setattr(Trainer, "round", interrupted)
    written = tmp_path / "me.net"
    with pytest.raises(click.Abort):  # which the command reports as interrupted, with status 130
        app.main(["train", "--players", "3", "--hidden", "8", "-o", str(written)], standalone_mode=False)
    net = Net.load(written)
    assert net.players == 3
    assert net.games > 0
    assert [path.name for path in tmp_path.iterdir()] == ["me.net"]


def test_a_net_of_another_game_cannot_learn_more(file: Path) -> None:
    for options, message in (
        (("--game", "uno"), "--from: '{}': it was trained for 'maumau', whose actions or observations differ from"),
        (("--players", 2), "--from: a net for maumau with 3 players cannot learn maumau with 2 players; use one"),
    ):
        done = maumau("train", *options, "--from", file, "-o", "me.net")
        assert (done.returncode, done.stdout) == (2, "")
        assert message.format(file) in done.stderr
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("--minutes", "nan", "-o", "me.net"), 2, "--minutes: nan is not above 0; use a number above 0"),
        (("--minutes", "inf", "-o", "me.net"), 2, "--minutes: inf is out of range; use a number up to 1,000,000"),
        (("--minutes", "1", "--games", "5", "-o", "me.net"), 2, "--games and --minutes cannot be used together"),
        (("--searched", "2", "-o", "me.net"), 2, "--searched: 2.0 is out of range; use 0 to 1"),
        (("--players", "1", "-o", "me.net"), 2, "--players: 1 player cannot play; use 2 to"),
        (("--others", "nobody", "-o", "me.net"), 2, "--others: unknown policy 'nobody'"),
        (("--others", "none.py:one", "-o", "me.net"), 2, "--others: none.py: no such file"),
        (("--others", "house,net", "-o", "me.net"), 2, "--others: house,net names 2 players; use one"),
        (("--from", "no.net", "-o", "me.net"), 2, "--from: 'no.net': no such file or directory; use a file that"),
        (("--from", "no.net", "--hidden", "9", "-o", "me.net"), 2, "--hidden and --from cannot be used together"),
        (("--curve", "me.net", "-o", "me.net"), 2, "--curve and --output: both name me.net; use two files"),
        (("--curve", "no/c.csv", "-o", "me.net"), 74, "no/c.csv: no such folder; name a file that can be written"),
        (("-o", "nowhere/me.net"), 74, "nowhere/me.net: no such folder; name a file that can be written"),
        (("-o", "."), 74, ".: is a directory; name a file that can be written"),
        (("-o", ""), 2, "'': the name is empty; name a file to write"),
        (("-o", "x" * 5000), 74, "xxx: file name too long; name a file that can be written"),
        ((), 2, "Missing option '-o'"),
    ],
)
def test_what_is_wrong_with_the_options_is_reported(arguments: tuple[str, ...], status: int, message: str) -> None:
    done = maumau("train", *arguments)
    assert (done.returncode, done.stdout) == (status, "")
    assert message in done.stderr
