"""The baseline: hand-written C++, compiled into a folder and measured in a separate process."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from benchmarks.measuring import CannotMeasureError

SOURCES = Path(__file__).parent / "yardstick"
FLAGS = ("-O3", "-march=native", "-std=c++20", "-pthread")
ROUNDS = 3
"""Rounds of which each run of the yardstick reports the median."""


class Yardstick:
    """The compiled yardstick. Raises CannotMeasureError where there is no g++ or it fails."""

    def __init__(self, folder: str) -> None:
        compiler = shutil.which("g++")
        if compiler is None:
            raise CannotMeasureError("there is no g++ here")
        self.program = Path(folder) / "yardstick"
        command = [compiler, *FLAGS, str(SOURCES / "yardstick.cpp"), "-o", str(self.program)]
        compiled = subprocess.run(command, capture_output=True, text=True, check=False)
        if compiled.returncode:
            lines = compiled.stderr.strip().splitlines()
            raise CannotMeasureError(f"g++ failed: {lines[-1] if lines else compiled.returncode}")
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
