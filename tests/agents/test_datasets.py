"""Data sets: what is written replays, in every format, with a card that says what it is."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from command import maumau
from hypothesis import given, settings
from hypothesis import strategies as st

from fsm import MauMau, game_class
from fsm.edge.extras import MissingExtra
from maumau import Observed, action_space, layout
from maumau.agents import columns, datasets
from maumau.agents.actions import LIMIT
from maumau.agents.datasets import CARD, MEANINGS, write_dataset
from maumau.agents.nets.net import spaces_hash
from maumau.agents.observed import returns

GAMES = ("maumau", "uno", "uno-official", "mahjong", "maumau+nine-reverses")


def written(path: Path) -> dict[str, np.ndarray]:
    """The columns of a file."""
    if path.suffix == ".npz":
        with np.load(path) as archive:
            return {name: archive[name] for name in archive.files}
    table = pytest.importorskip("pyarrow.parquet").read_table(path)
    return {name: np.stack(table[name].to_numpy()) for name in table.column_names}


def check_replays(path: Path) -> int:
    """Play the games of a file again by its actions alone, and compare all it says. Returns how many rows it has."""
    card, rows = json.loads(Path(f"{path}{CARD}").read_text()), written(path)
    kind, count = game_class(card["game"]), len(rows["action"])
    row = 0
    for number in range(card["first"], card["first"] + card["games"]):
        observed = Observed(kind.deal(card["players"], card["seed"], number))
        first, seats = row, []
        observed.advance()
        while row < count and rows["game"][row] == number and not observed.over:
            assert (rows["seat"][row], rows["step"][row], rows["seed"][row]) == (
                observed.seat,
                row - first,
                card["seed"],
            )
            assert bytes(rows["observation"][row]) == observed.observation(observed.seat)
            assert bytes(rows["mask"][row]) == observed.mask()
            seats.append(observed.seat)
            observed.act(int(rows["action"][row]))
            observed.advance()
            row += 1
        gains = returns(observed.game)
        assert rows["truncated"][first:row].all() == rows["truncated"][first:row].any() == (not observed.over)
        assert observed.over or row - first == LIMIT
        assert rows["returns"][first:row].tolist() == np.float32([gains[seat] for seat in seats]).tolist()
        lasts = [seat not in seats[place + 1 :] for place, seat in enumerate(seats)]
        assert rows["last"][first:row].tolist() == lasts
    assert row == count == card["rows"]
    return row


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    game=st.sampled_from(GAMES),
    players=st.integers(2, 4),
    seed=st.integers(0, 2**63 - 1),
    first=st.integers(0, 2**40),
    policies=st.lists(st.sampled_from(["house", "random", "first-legal"]), min_size=1, max_size=1),
    suffix=st.sampled_from([".npz", ".parquet"]),
)
def test_what_is_written_replays(
    game: str, players: int, seed: int, first: int, policies: list[str], suffix: str
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, f"data{suffix}")
        write_dataset(path, game, players, 2, policies=policies, seed=seed, first=first)
        assert check_replays(path) > 0
        assert sorted(each.name for each in Path(folder).iterdir()) == [path.name, f"{path.name}{CARD}"]


@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
def test_rows_that_are_written_in_chunks_are_all_there(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "CHUNK", 10)
    path = tmp_path / f"data{suffix}"
    card = write_dataset(path, MauMau, 3, 5, policies=("house", "random", "house"), seed=7)
    assert check_replays(path) == card.rows > 30
    assert list(written(path)) == list(MEANINGS)


def test_a_card_says_what_a_data_set_is(tmp_path: Path) -> None:
    path = tmp_path / "data.npz"
    made = write_dataset(path, MauMau, 3, 2, policies=("house",), seed=7)
    card, rows = json.loads(Path(f"{path}{CARD}").read_text()), written(path)
    assert (card["game"], card["players"], card["policies"]) == ("maumau", 3, ["house"] * 3)
    assert card["spaces"] == spaces_hash(MauMau.declaration, 3)
    assert card["actions"][48] == "draw"
    shape = layout(MauMau.declaration, 3)
    assert [field["start"] for field in card["fields"]] == [field.start for field in shape.fields]
    for name, column in card["columns"].items():
        assert (str(rows[name].dtype), rows[name].shape) == (column["type"], (made.rows, *column["shape"][1:]))
    assert rows["mask"].shape[1] == len(action_space(MauMau.declaration))


def test_games_that_are_broken_off_have_no_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets, "LIMIT", 3)
    card = write_dataset(tmp_path / "data.npz", MauMau, 2, 4)
    rows = written(card.path)
    assert (card.truncated, card.rows) == (4, 12)
    assert rows["truncated"].all()
    assert not rows["returns"].any()


def test_an_error_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"data.csv': unknown ending '.csv'; use .npz, .parquet or .minari"):
        write_dataset(tmp_path / "data.csv", MauMau, 2, 1)
    with pytest.raises(ValueError, match="unknown policy 'nobody'"):
        write_dataset(tmp_path / "data.npz", MauMau, 2, 1, policies="nobody")
    with pytest.raises(FileNotFoundError) as missing:
        write_dataset(tmp_path / "no" / "data.npz", MauMau, 2, 1)
    assert str(missing.value.filename).startswith(str(tmp_path / "no"))
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_a_data_set(tmp_path: Path) -> None:
    path = tmp_path / "data.npz"
    done = maumau("dataset", "--players", 3, "--games", 4, "--policy", "house,random,house", "--number", 5, "-o", path)
    assert (done.returncode, done.stdout.startswith(f"{path}: ")) == (0, True)
    assert done.stdout.endswith(" decisions of 4 games\n")
    assert json.loads(Path(f"{path}{CARD}").read_text())["policies"] == ["house", "random", "house"]
    assert check_replays(path) == len(written(path)["action"])


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("-o", "data.csv"), 2, "--output: 'data.csv': unknown ending '.csv'; use .npz, .parquet or .minari"),
        (("--policy", "nobody", "-o", "data.npz"), 2, "--policy: unknown policy 'nobody'"),
        (("-o", "nowhere/data.npz"), 74, "nowhere/data.npz: no such folder; name a file that can be written"),
        (("--number", 2**63 - 1, "-o", "data.npz"), 2, "maumau dataset: the last game: "),
    ],
)
def test_what_is_wrong_with_the_options_is_reported(
    arguments: tuple[object, ...], status: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = maumau("dataset", *arguments)
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.startswith(message)
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------- Minari


@pytest.mark.slow
def test_minari_reads_what_is_written(tmp_path: Path) -> None:
    minari = pytest.importorskip("minari", reason="needs minari")
    path, other = tmp_path / "house.minari", tmp_path / "house.npz"
    card = write_dataset(path, MauMau, 3, 6, policies=("house", "random", "house"), seed=7)
    write_dataset(other, MauMau, 3, 6, policies=("house", "random", "house"), seed=7)
    rows, data = written(other), minari.MinariDataset(path)
    assert (data.total_steps, data.storage.metadata["description"]) == (
        card.rows,
        json.dumps(card.content, ensure_ascii=False),
    )
    assert data.action_space.n == len(action_space(MauMau.declaration))
    found = 0
    for episode in data.iterate_episodes():
        seat, game = (int(episode.infos[name][0]) for name in ("seat", "game"))
        own = (rows["seat"] == seat) & (rows["game"] == game)
        decisions = int(own.sum())
        assert episode.actions.tolist() == rows["action"][own].tolist()
        assert episode.observations["observation"][:-1].tolist() == rows["observation"][own].tolist()
        assert episode.observations["action_mask"][:-1].tolist() == rows["mask"][own].tolist()
        assert not episode.observations["action_mask"][-1].any()
        observed = Observed(MauMau.deal(3, 7, game, ("house", "random", "house")))
        while not observed.over:
            observed.step()
        assert episode.observations["observation"][-1].tobytes() == observed.observation(seat)
        assert episode.rewards.tolist() == [0.0] * (decisions - 1) + [returns(observed.game)[seat]]
        assert (episode.terminations.tolist(), episode.truncations.any()) == ([False] * (decisions - 1) + [True], False)
        assert data.observation_space.contains({name: each[0] for name, each in episode.observations.items()})
        found += decisions
    assert found == card.rows
    with pytest.raises(FileExistsError, match="exists already"):
        write_dataset(path, MauMau, 3, 1)
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        *("house.minari", "house.minari.card.json", "house.npz", "house.npz.card.json")
    ]


def test_minari_writes_into_the_folder_of_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    minari = pytest.importorskip("minari", reason="needs minari")
    monkeypatch.chdir(tmp_path)
    card = write_dataset("house.minari", MauMau, 2, 2)
    assert minari.MinariDataset("house.minari").total_steps == card.rows
    assert sorted(each.name for each in tmp_path.iterdir()) == ["house.minari", "house.minari.card.json"]


@pytest.mark.parametrize("is_folder", [True, False])
def test_what_has_the_name_of_a_folder_of_minari_is_not_replaced(
    is_folder: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("house.minari")
    path.mkdir() if is_folder else path.touch()
    done = maumau("dataset", "--games", 1, "-o", "house.minari/" if is_folder else "house.minari")
    assert (done.returncode, done.stdout) == (74, "")
    assert done.stderr == "house.minari: exists already; name a folder that does not exist\n"
    assert list(tmp_path.rglob("*")) == [tmp_path / path]


def test_minari_is_named_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fsm.edge.extras.find_spec", lambda name: None if name == "minari" else name)
    with pytest.raises(MissingExtra, match="Minari requires minari; run "):
        write_dataset(tmp_path / "house.minari", MauMau, 2, 1)
    assert list(tmp_path.iterdir()) == []
