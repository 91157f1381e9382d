"""Lane kernels for other machines: WebAssembly plays the same games under Node, and ptxas accepts the PTX."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from command import maumau

pytest.importorskip("numba", reason="the compiled engine needs numba")

from fsm import MauMau, bulk
from fsm.lanes import targets

GAME = MauMau.declaration
PLAYERS = 3
SCRIPT = Path(__file__).parents[1] / "support" / "play.mjs"
node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def played_by_node(module: Path, folder: Path, games: int) -> bytes:
    """The results and scores of games, as bytes, played by a WebAssembly module."""
    decks = bulk.deal(PLAYERS, games, seed=7)
    decks.tofile(folder / "decks.bin")
    command = ["node", SCRIPT, module, folder / "decks.bin", games, GAME.deck_size, PLAYERS]
    return subprocess.run([str(each) for each in command], capture_output=True, check=True).stdout


def expected(games: int) -> bytes:
    played = bulk.play(PLAYERS, bulk.deal(PLAYERS, games, seed=7))
    return played.games.tobytes() + played.scores.tobytes()


@node
def test_webassembly_plays_the_same_games(tmp_path: Path) -> None:
    file = tmp_path / "game.wasm"
    file.write_bytes(targets.wasm_of(GAME, PLAYERS, GAME.policies[0], dealing=False))
    assert played_by_node(file, tmp_path, 500) == expected(500)


@node
@pytest.mark.thorough
def test_the_command_writes_a_module_that_plays_100_000_games_alike(tmp_path: Path) -> None:
    file = tmp_path / "game.wasm"
    done = maumau("compile", "--target", "wasm32", "--players", str(PLAYERS), "-o", str(file))
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    assert played_by_node(file, tmp_path, 100_000) == expected(100_000)


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas is not installed")
def test_ptxas_accepts_the_kernel_of_a_graphics_processor(tmp_path: Path) -> None:
    file = tmp_path / "game.ptx"
    file.write_text(targets.ptx_of(GAME, PLAYERS, GAME.policies[0]))
    assert ".entry play_all(" in file.read_text()
    command = ["ptxas", f"-arch={targets.PTX_MODEL}", "-O1", "-o", str(tmp_path / "game.cubin"), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--target", "ptx"], "--target and --players: expected both or neither"),
        (["--target", "ptx", "--players", "5"], "--players: 5, expected 2 to 4"),
        (["--target", "ptx", "--players", "3", "--policy", "random"], "maumau, 3 players: policy random rolls dice"),
    ],
)
def test_a_kernel_that_cannot_be_made_is_bad_input(options: list[str], message: str) -> None:
    done = maumau("compile", *options)
    assert (done.stdout, done.stderr, done.returncode) == ("", f"{message}\n", 2)
