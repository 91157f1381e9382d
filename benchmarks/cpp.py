"""The baseline: hand-written C++, compiled into a folder and measured in a separate process."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from benchmarks.measuring import CannotMeasureError

SOURCES = Path(__file__).parent / "yardstick"
FLAGS = ("-O3", "-march=native", "-std=c++20", "-pthread")
LIBRARY_FLAGS = (*FLAGS, "-shared", "-fPIC")
RESULT_BYTES = 12
"""Bytes of the result of a game that is played in lock step."""
ROUNDS = 3
"""Rounds of which each run of the yardstick reports the median."""


class Yardstick:
    """The compiled yardstick. Raises CannotMeasureError where there is no g++ or it fails."""

    def __init__(self, folder: str, processor: str = "native") -> None:
        """processor: what it is compiled for, by g++'s names."""
        flags = *FLAGS, f"-march={processor}"
        self.program = compiled("yardstick.cpp", flags, Path(folder) / f"yardstick-{processor}")
        self.figures: dict[str, float] = {}

    def run(self, players: int, games: int) -> None:
        """Measure once; `seconds` and `turns` have the result."""
        command = [str(self.program), "bench", str(games), str(ROUNDS), str(players)]
        line = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        self.figures = {name: float(value) for name, value in re.findall(r"(\S+)=([\d.]+)", line)}

    def seconds(self, what: str) -> float:
        """Seconds a game: what is `batch`, `rng+game` or `rng+game_2thr`."""
        return 1e-6 / self.figures[what]

    @property
    def turns(self) -> float:
        """Turns a game."""
        return self.figures["turns/game"]


class LockStep:
    """Hand-written lock step: a library. Raises CannotMeasureError where there is no g++ or it fails."""

    def __init__(self, folder: str) -> None:
        library = ctypes.CDLL(str(compiled("lockstep.cpp", LIBRARY_FLAGS, Path(folder) / "lockstep.so")))
        self._run = library.run
        self._run.argtypes = ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p
        self._run.restype = None

    def play(self, players: int, decks: Any, results: Any) -> None:
        """Play decks, an array of bytes of shape (games, 32), into records of RESULT_BYTES bytes."""
        self._run(players, decks.ctypes.data, len(decks), results.ctypes.data)


def compiled(source: str, flags: tuple[str, ...], target: Path) -> Path:
    """The file that g++ makes of a source. Raises CannotMeasureError where there is no g++ or it fails."""
    compiler = shutil.which("g++")
    if compiler is None:
        raise CannotMeasureError("there is no g++ here")
    command = [compiler, *flags, str(SOURCES / source), "-o", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise CannotMeasureError(f"g++ failed: {lines[-1] if lines else done.returncode}")
    return target
