"""Lane kernels for another machine: 64-bit Arm plays the same games under an emulator."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from command import maumau

pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")

from fsm import Game, MauMau, Uno
from maumau.kernels import bulk
from maumau.kernels.lanes.module import arm_file

GAME = MauMau.declaration
PLAYERS = 3
SEED, FIRST = 2**40 + 1, 2**33
DRIVER = Path(__file__).parents[1] / "support" / "play.c"
ARM_COMPILER, ARM = "aarch64-linux-gnu-gcc", "qemu-aarch64"
emulator = pytest.mark.skipif(not (shutil.which(ARM_COMPILER) and shutil.which(ARM)), reason=f"{ARM} is not installed")


def expected(games: int, policy: str = "house", kind: type[Game] = MauMau) -> bytes:
    decks = bulk.deal(PLAYERS, games, seed=7, game=kind)
    played = bulk.play(PLAYERS, decks, (policy,), seed=SEED, first=FIRST, game=kind)
    return played.games.tobytes() + played.scores.tobytes()


@emulator
@pytest.mark.slow
@pytest.mark.parametrize("kind", [MauMau, Uno])
@pytest.mark.parametrize("policy", ["house", "first-legal", "random"])
def test_64_bit_arm_plays_the_same_games(kind: type[Game], policy: str, tmp_path: Path) -> None:
    games, game = 10_000, kind.declaration
    file, program, decks = tmp_path / "game.o", tmp_path / "play", bulk.deal(PLAYERS, games, seed=7, game=kind)
    file.write_bytes(arm_file(game, PLAYERS, game.policy(policy), dealing=False))
    decks.tofile(tmp_path / "decks.bin")
    subprocess.run([ARM_COMPILER, "-O1", "-static", DRIVER, file, "-o", program], check=True)
    command = [ARM, program, tmp_path / "decks.bin", games, game.deck_size, PLAYERS, SEED, FIRST]
    done = subprocess.run([str(each) for each in command], capture_output=True, check=True)
    assert done.stdout == expected(games, policy, kind)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--target", "aarch64"],
            "--target aarch64 requires --players",
        ),
        (["--target", "aarch64", "--players", "5"], "--players: 5 players cannot play; use 2 to 4"),
        (
            ["--target", "aarch64", "--players", "3", "--game", "uno-official"],
            "uno-official, 3 players: the deal depends on the order of the cards: a loop of expose goes on",
        ),
    ],
)
def test_a_kernel_that_cannot_be_made_is_bad_input(options: list[str], message: str) -> None:
    done = maumau("compile", *options)
    assert (done.stdout, done.stderr, done.returncode) == ("", f"{message}\n", 2)
