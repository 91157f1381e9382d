"""Lane kernels for another machine: WebAssembly plays the same games under Node, 64-bit Arm under an emulator."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from command import maumau

pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")

from fsm import Game, MauMau, Policy, Uno
from fsm.declaration.policy import RANDOM
from maumau.kernels import bulk
from maumau.kernels.lanes import building

GAME = MauMau.declaration
PLAYERS = 3
SEED, FIRST = 2**40 + 1, 2**33
SUPPORT = Path(__file__).parents[1] / "support"
SCRIPT, DRIVER = SUPPORT / "play.mjs", SUPPORT / "play.c"
ARM_COMPILER, ARM = "aarch64-linux-gnu-gcc", "qemu-aarch64"
emulator = pytest.mark.skipif(not (shutil.which(ARM_COMPILER) and shutil.which(ARM)), reason=f"{ARM} is not installed")
node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def played_by_node(module: Path, folder: Path, games: int, kind: type[Game] = MauMau) -> bytes:
    """The results and scores of games, as bytes, played by a WebAssembly module."""
    decks = bulk.deal(PLAYERS, games, seed=7, game=kind)
    decks.tofile(folder / "decks.bin")
    command = ["node", SCRIPT, module, folder / "decks.bin", games, kind.declaration.deck_size, PLAYERS, SEED, FIRST]
    return subprocess.run([str(each) for each in command], capture_output=True, check=True).stdout


def expected(games: int, policy: str = "house", kind: type[Game] = MauMau) -> bytes:
    decks = bulk.deal(PLAYERS, games, seed=7, game=kind)
    played = bulk.play(PLAYERS, decks, (policy,), seed=SEED, first=FIRST, game=kind)
    return played.games.tobytes() + played.scores.tobytes()


@pytest.mark.slow
@node
@pytest.mark.parametrize("policy", [GAME.policies[0], RANDOM])
def test_webassembly_plays_the_same_games(policy: Policy, tmp_path: Path) -> None:
    file = tmp_path / "game.wasm"
    file.write_bytes(building.kernel_file("wasm32", GAME, PLAYERS, policy, dealing=False))
    assert played_by_node(file, tmp_path, 400) == expected(400, policy.name)


@node
@pytest.mark.thorough
@pytest.mark.parametrize("policy", [Uno.declaration.policies[0], RANDOM])
def test_webassembly_keeps_the_tables_of_uno_in_its_memory(policy: Policy, tmp_path: Path) -> None:
    file = tmp_path / "game.wasm"
    file.write_bytes(building.kernel_file("wasm32", Uno.declaration, PLAYERS, policy, dealing=False))
    assert played_by_node(file, tmp_path, 2000, Uno) == expected(2000, policy.name, Uno)


@node
@pytest.mark.thorough
def test_the_command_writes_a_module_that_plays_100_000_games_alike(tmp_path: Path) -> None:
    file = tmp_path / "game.wasm"
    done = maumau("compile", "--target", "wasm32", "--players", str(PLAYERS), "-o", str(file))
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    assert played_by_node(file, tmp_path, 100_000) == expected(100_000)


@emulator
@pytest.mark.slow
@pytest.mark.parametrize("kind", [MauMau, Uno])
@pytest.mark.parametrize("policy", ["house", "first-legal", "random"])
def test_64_bit_arm_plays_the_same_games(kind: type[Game], policy: str, tmp_path: Path) -> None:
    games, game = 10_000, kind.declaration
    file, program, decks = tmp_path / "game.o", tmp_path / "play", bulk.deal(PLAYERS, games, seed=7, game=kind)
    file.write_bytes(building.kernel_file("aarch64", game, PLAYERS, game.policy(policy), dealing=False))
    decks.tofile(tmp_path / "decks.bin")
    subprocess.run([ARM_COMPILER, "-O1", "-static", DRIVER, file, "-o", program], check=True)
    command = [ARM, program, tmp_path / "decks.bin", games, game.deck_size, PLAYERS, SEED, FIRST]
    done = subprocess.run([str(each) for each in command], capture_output=True, check=True)
    assert done.stdout == expected(games, policy, kind)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--target", "wasm32"], "--target: expected --players with it, the number for which the kernel is made"),
        (["--target", "wasm32", "--players", "5"], "--players: 5, expected 2 to 4"),
        (
            ["--target", "wasm32", "--players", "3", "--game", "uno-official"],
            "uno-official, 3 players: the deal depends on the order of the cards: a loop of expose goes on",
        ),
    ],
)
def test_a_kernel_that_cannot_be_made_is_bad_input(options: list[str], message: str) -> None:
    done = maumau("compile", *options)
    assert (done.stdout, done.stderr, done.returncode) == ("", f"{message}\n", 2)
