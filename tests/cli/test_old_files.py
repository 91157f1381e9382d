"""Files that version 0.1.0 wrote are read as they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from outside import command

OLD = Path(__file__).parents[1] / "corpus" / "v0.1.0"
FILES = sorted(OLD.glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
@pytest.mark.usefixtures("pictures")
def test_a_record_is_read_and_written_again_as_it_was(file: Path) -> None:
    done = command("simulate", "--json", "--from-json", file)
    assert (done.status, done.out, done.err) == (0, file.read_text(encoding="utf-8"), "")
    assert command("replay", file, "-o", "-").status == 0


def test_there_is_a_record_of_every_game_and_of_rules() -> None:
    assert {file.stem for file in FILES} == {"mahjong", "maumau", "rules", "search", "uno", "uno-official"}


def test_a_record_of_a_match_is_read_and_written_again_as_it_was() -> None:
    """With two of the house rules whose hashes name fields of declarations."""
    file = OLD / "matches" / "maumau.json"
    done = command("simulate", "--match", "--json", "--from-json", file)
    assert (done.status, done.out, done.err) == (1, file.read_text(encoding="utf-8"), "")


def test_a_net_is_read() -> None:
    pytest.importorskip("llvmlite")
    from maumau.agents.nets.net import Net

    net = Net.load(OLD / "nets" / "maumau.net")
    assert net.digest == "af07f1fffb1fb7b0971cf72d0c50811a8ce0859287cd59b3975596497cd951d8"
    assert Net.of_bytes(net.to_bytes()).digest == net.digest


def test_a_net_that_has_learned_other_observations_is_refused() -> None:
    """The melds of mahjong were in no observation."""
    pytest.importorskip("llvmlite")
    file = OLD / "nets" / "mahjong.net"
    done = command("tournament", "--game", "mahjong", "--policy", f"net:{file},random", "--games", 2)
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        f"--policy: policy 'net:{file}': '{file}': it was trained with other observations of mahjong: train a net again\n"
    )
