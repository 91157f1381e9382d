"""The curve of a training: how much it lost and how strong its net was, by time and games; and as CSV."""

from __future__ import annotations

import time
from math import isnan
from typing import NamedTuple

from maumau.agents.strength import Strength, strength
from maumau.agents.training import TrainingProgress

MEASURED = 1000
"""Games by which the strength is estimated at each point, if nothing is said."""


class CurvePoint(NamedTuple):
    """A training at one time.

    seconds: since its start, and processor: of processor time. done: how much of the training, from 0 to 1. games: that
    the net has learned from, also in earlier trainings. part: "searches" or "games". loss: the mean since the last
    point, as of `TrainingProgress`. wins: of how many games played, with the share and its 95 % interval, low and high.
    """

    seconds: float
    processor: float
    done: float
    games: int
    part: str
    loss: float
    wins: int
    played: int
    share: float
    low: float
    high: float

    def __str__(self) -> str:
        loss = "" if isnan(self.loss) else f"loss {self.loss:.3f}, "
        wins = f"wins {self.share:.1%} ({self.low:.1%} to {self.high:.1%}) of {self.played:,} games"
        return f"{self.done:4.0%} {self.seconds:6,.0f} s {self.games:11,} games: {loss}{wins}"


class TrainingCurve:
    """The points of a training, measured while it goes on.

    points: those measured so far.
    """

    def __init__(self, seed: int = 0, others: str | None = None, games: int = MEASURED) -> None:
        """Begin a curve now.

        seed, others: as for `strength`. games: by which the strength is estimated at each point.
        """
        self.points: list[CurvePoint] = []
        self._how, self._played = (seed, others), games
        self._start, self._processor = time.monotonic(), time.process_time()
        self._losses: list[float] = []

    def note(self, progress: TrainingProgress) -> None:
        """Note the loss of a round."""
        if not isnan(progress.loss):
            self._losses.append(progress.loss)

    def measure(self, progress: TrainingProgress, done: float | None = None, games: int | None = None) -> CurvePoint:
        """Return the point of a training after a round, which is added to the points.

        done: as of the progress, unless another is given. games: by which the strength is estimated. Raises ValueError.
        """
        net = progress.net.rounded()
        return self.add(progress, strength(net, games or self._played, *self._how), done)

    def add(self, progress: TrainingProgress, found: Strength, done: float | None = None) -> CurvePoint:
        """Return the point of a training whose strength is known, which is added to the points."""
        loss = sum(self._losses) / len(self._losses) if self._losses else progress.loss
        self._losses.clear()
        seconds, processor = time.monotonic() - self._start, time.process_time() - self._processor
        learned = seconds, processor, progress.done if done is None else done, progress.net.games, progress.part, loss
        self.points.append(CurvePoint(*learned, found.wins, found.games, found.share, found.low, found.high))
        return self.points[-1]

    def csv(self) -> str:
        """Return the points as CSV: a line with the names of `CurvePoint`, and a line for each point.

        Numbers have four digits after the point; a loss that is not known is empty.
        """
        lines = [",".join(CurvePoint._fields), *(",".join(map(_cell, point)) for point in self.points)]
        return "\n".join(lines) + "\n"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "" if isnan(value) else f"{value:.4f}"
    return str(value)
