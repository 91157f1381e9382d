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

pytest.importorskip("numba", reason="the compiled engine needs numba")

from benchmarks import cuda
from benchmarks.measuring import CannotMeasureError
from fsm import MauMau, bulk
from fsm.bulk import Results
from fsm.compiler.blocks import LoadedBlock, block_of
from fsm.lanes import targets
from fsm.lanes.building import object_code

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


# ---------------------------------------------------------------- PTX


@cache
def ptx() -> str:
    return targets.ptx_of(GAME, PLAYERS, GAME.policies[0])


@cache
def play_part() -> LoadedBlock:
    """What a thread of a graphics processor plays, compiled for this processor."""
    text = targets.ptx_text(GAME, PLAYERS, GAME.policies[0])
    return LoadedBlock(block_of(object_code(text, 128), "play_part"), 10)


def played_on(device: cuda.Device, decks: Any) -> Results:
    with cuda.games_on_device(device, ptx(), PLAYERS, decks) as games:
        games.play()
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
    with cuda.games_on_device(graphics_processor, file.read_text(), PLAYERS, decks) as games:
        games.play()
        played = games.results()
    assert played.games.tobytes() + played.scores.tobytes() == expected(100_000)


no_x86 = not (sys.platform == "linux" and platform.machine() == "x86_64")
fake_device = pytest.mark.skipif(no_x86, reason="the threads are run as blocks, which need Linux on x86-64")


@fake_device
@pytest.mark.parametrize("games", [1, 127, 3001])
def test_threads_of_a_driver_without_a_device_play_the_same_games(games: int) -> None:
    """The calls of the driver, and what a thread plays, without a graphics processor."""
    driver = FakeDriver(play_part().call)
    with closing(cuda.Device(driver)) as device:
        assert (device.name, device.capability) == ("a processor that plays a graphics processor", "9.0")
        played = played_on(device, bulk.deal(PLAYERS, games, seed=7))
    assert played.games.tobytes() + played.scores.tobytes() == expected(games)
    assert (driver.memory, driver.open) == ({}, [])


@fake_device
def test_a_deck_that_is_not_whole_is_refused_by_its_thread() -> None:
    decks = bulk.deal(PLAYERS, 300, seed=7)
    decks[200, 0] = decks[200, 1]
    driver = FakeDriver(play_part().call)
    with pytest.raises(cuda.DeviceError, match=r"^a deck is not the whole deck$"):
        played_on(cuda.Device(driver), decks)
    assert driver.memory == {}


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
        (["--target", "ptx"], "--target and --players: expected both or neither"),
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
