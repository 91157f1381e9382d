"""Lane kernels for other machines: WebAssembly plays the same games under Node, and PTX on a graphics processor."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from command import maumau
from fake_cuda import INVALID_PTX, NO_DEVICE, FakeDriver

pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")

from benchmarks import cuda
from benchmarks.lanes import device_call
from benchmarks.measuring import CannotMeasureError
from fsm import Game, MauMau, Policy, Uno
from fsm.declaration.policy import RANDOM
from maumau.kernels import bulk
from maumau.kernels.bulk import Results
from maumau.kernels.compiler.blocks import LoadedBlock, block_of
from maumau.kernels.lanes import targets
from maumau.kernels.lanes.building import object_code

GAME = MauMau.declaration
PLAYERS = 3
SEED, FIRST = 2**40 + 1, 2**33
SCRIPT = Path(__file__).parents[1] / "support" / "play.mjs"
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


@node
@pytest.mark.parametrize("policy", [GAME.policies[0], RANDOM])
def test_webassembly_plays_the_same_games(policy: Policy, tmp_path: Path) -> None:
    file = tmp_path / "game.wasm"
    file.write_bytes(targets.wasm_of(GAME, PLAYERS, policy, dealing=False))
    assert played_by_node(file, tmp_path, 400) == expected(400, policy.name)


@node
@pytest.mark.thorough
@pytest.mark.parametrize("policy", [Uno.declaration.policies[0], RANDOM])
def test_webassembly_keeps_the_tables_of_uno_in_its_memory(policy: Policy, tmp_path: Path) -> None:
    file = tmp_path / "game.wasm"
    file.write_bytes(targets.wasm_of(Uno.declaration, PLAYERS, policy, dealing=False))
    assert played_by_node(file, tmp_path, 2000, Uno) == expected(2000, policy.name, Uno)


@node
@pytest.mark.thorough
def test_the_command_writes_a_module_that_plays_100_000_games_alike(tmp_path: Path) -> None:
    file = tmp_path / "game.wasm"
    done = maumau("compile", "--target", "wasm32", "--players", str(PLAYERS), "-o", str(file))
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    assert played_by_node(file, tmp_path, 100_000) == expected(100_000)


# ---------------------------------------------------------------- PTX


@cache
def ptx(policy: Policy = GAME.policies[0]) -> str:
    return targets.ptx_of(GAME, PLAYERS, policy)


@cache
def play_part(policy: Policy = GAME.policies[0]) -> LoadedBlock:
    """What a thread of a graphics processor plays, compiled for this processor."""
    text = targets.ptx_text(GAME, PLAYERS, policy)
    return LoadedBlock(block_of(object_code(text, 128), "play_part"), 10)


def played_on(device: cuda.Device, kernel: str, decks: Any) -> Results:
    with cuda.games_on_device(device, kernel, PLAYERS, decks) as games:
        games.play(SEED, FIRST)
        return games.results()


@pytest.fixture(name="graphics_processor")
def first_graphics_processor() -> Iterator[cuda.Device]:
    try:
        device = cuda.first_device()
    except CannotMeasureError as error:
        pytest.skip(str(error))
    with closing(device):
        yield device


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas is not installed")
def test_ptxas_accepts_the_kernel_of_a_graphics_processor(tmp_path: Path) -> None:
    file = tmp_path / "game.ptx"
    file.write_text(ptx())
    command = ["ptxas", f"-arch={targets.PTX_MODEL}", "-v", "-o", str(tmp_path / "game.cubin"), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Compiling entry function 'play_all'" in done.stderr
    assert "0 bytes spill stores, 0 bytes spill loads" in done.stderr


@pytest.mark.thorough
def test_a_graphics_processor_plays_100_000_games_alike(graphics_processor: cuda.Device, tmp_path: Path) -> None:
    file = tmp_path / "game.ptx"
    done = maumau("compile", "--target", "ptx", "--players", str(PLAYERS), "-o", str(file))
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    decks = bulk.deal(PLAYERS, 100_000, seed=7)
    for kernel, policy in ((file.read_text(), "house"), (ptx(RANDOM), "random")):
        played = played_on(graphics_processor, kernel, decks)
        assert played.games.tobytes() + played.scores.tobytes() == expected(100_000, policy)


no_x86 = not (sys.platform == "linux" and platform.machine() == "x86_64")
fake_device = pytest.mark.skipif(no_x86, reason="the threads are run as blocks, which need Linux on x86-64")


@fake_device
@pytest.mark.parametrize(
    ("policy", "games"), [(GAME.policies[0], 1), (GAME.policies[0], 127), (GAME.policies[0], 3001), (RANDOM, 400)]
)
def test_threads_of_a_driver_without_a_device_play_the_same_games(policy: Policy, games: int) -> None:
    """The calls of the driver, and what a thread plays, without a graphics processor."""
    driver = FakeDriver(play_part(policy).call)
    with closing(cuda.Device(driver)) as device:
        assert (device.name, device.capability) == ("a processor that plays a graphics processor", "9.0")
        played = played_on(device, ptx(policy), bulk.deal(PLAYERS, games, seed=7))
    assert played.games.tobytes() + played.scores.tobytes() == expected(games, policy.name)
    assert (driver.memory, driver.open) == ({}, [])


@fake_device
def test_a_deck_that_is_not_whole_is_refused_by_its_thread() -> None:
    decks = bulk.deal(PLAYERS, 300, seed=7)
    decks[200, 0] = decks[200, 1]
    driver = FakeDriver(play_part().call)
    with pytest.raises(cuda.DeviceError, match=r"^a deck is not the whole deck$"):
        played_on(cuda.Device(driver), ptx(), decks)
    assert driver.memory == {}


@fake_device
def test_the_rate_of_a_device_is_measured() -> None:
    driver = FakeDriver(play_part().call)
    with closing(cuda.Device(driver)) as device:
        assert device_call(device, MauMau, PLAYERS, 300, GAME.policies[0])() > 0
    assert (driver.memory, driver.open) == ({}, [])


def test_errors_of_a_driver_have_their_words() -> None:
    with pytest.raises(CannotMeasureError, match=r"^cuInit: error 100, no CUDA-capable device is detected$"):
        cuda.Device(FakeDriver(print, status=NO_DEVICE))
    with pytest.raises(CannotMeasureError, match=r"^the CUDA driver finds no device$"):
        cuda.Device(FakeDriver(print, devices=0))
    device = cuda.Device(FakeDriver(print))
    with (
        pytest.raises(cuda.DeviceError, match=rf"^cuModuleLoadDataEx: error {INVALID_PTX}, .*\nptxas fatal: no entry$"),
        device.kernel("no PTX", "play_all"),
    ):
        pass


def test_a_machine_without_a_driver_is_named() -> None:
    with pytest.raises(CannotMeasureError, match=r"^no CUDA driver: libcuda-none\.so cannot be loaded$"):
        cuda.first_device("libcuda-none.so")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--target", "ptx"], "--target: expected --players with it, the number for which the kernel is made"),
        (["--target", "ptx", "--players", "5"], "--players: 5, expected 2 to 4"),
        (
            ["--target", "ptx", "--players", "3", "--game", "uno-official"],
            "uno-official, 3 players: the deal depends on the order of the cards: a loop of expose goes on",
        ),
    ],
)
def test_a_kernel_that_cannot_be_made_is_bad_input(options: list[str], message: str) -> None:
    done = maumau("compile", *options)
    assert (done.stdout, done.stderr, done.returncode) == ("", f"{message}\n", 2)
