"""What in the graph of all positions must come about over time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from fsm.edge.numbers import Array, np
from maumau.kernels.compiled.backward import LOST, WON
from maumau.kernels.explorer.graph import PositionGraph

NOT_ASKED = WON | LOST
"""What a position is worth that stays as it is, and that neither side wins."""


class Successors(Sequence[Sequence[int]]):
    """The positions to which the events of each lead, except for those by which a game ends when a position returns.

    graph: with a negative number, -1 - n, for a return to position n. return_ends: whether the game ends then.
    """

    def __init__(self, graph: PositionGraph, *, return_ends: bool) -> None:
        self._graph, self._return_ends = graph, return_ends
        self.first, self.ends = graph.first, graph.ends

    @cached_property
    def _returned(self) -> tuple[Array, Array]:
        """From which positions events lead by which the game ends when a position returns, and where."""
        ways = np.flatnonzero(self.ends < 0) if self._return_ends else np.zeros(0, np.int64)
        sources = np.searchsorted(self.first, ways, "right") - 1
        last = np.append(np.diff(sources) > 0, True)[: len(ways)]
        return sources[last], -1 - self.ends[ways][last]

    @property
    def returns(self) -> dict[int, tuple[int, Any]]:
        """Where those lead that do not count, in a game that declares that it ends then."""
        return {source: (end, None) for source, end in zip(*map(np.ndarray.tolist, self._returned), strict=True)}

    def __len__(self) -> int:
        return len(self.first) - 1

    def __getitem__(self, place: int) -> list[int]:  # type: ignore[override]
        found = self.ends[self.first[place] : self.first[place + 1]]
        leading: list[int] = found[found >= 0].tolist()
        return leading

    def avoiding(self, begins: Array, goals: Array) -> tuple[list[int], set[int], set[int]]:
        """Which positions begin what may never come to a goal, those on its way then, and those through which loops of
        it may go.

        begins, goals: of each position, whether it is one of those.
        """
        sources, returned = self._returned
        once = sources[goals[returned]]
        worth = goals.view(np.uint8) * np.uint8(LOST)  # who avoids the goal has lost there
        worth[once] = LOST
        self._graph.sweep(worth, lowest=0)
        avoids = WON if len(once) else 0
        if len(once):
            worth[:] = np.where(worth == 0, np.uint8(WON), goals * np.uint8(NOT_ASKED))
            self._graph.sweep(worth, lowest=0)
        left = (worth == avoids).view(np.uint8)
        starts = np.flatnonzero((left != 0) & begins)
        if not len(starts):
            return [], set(), set()
        looping = left.copy()
        looping[once] = 0
        self._leave_in_loops(looping)
        return starts.tolist(), set(np.flatnonzero(left).tolist()), set(np.flatnonzero(looping).tolist())

    def _leave_in_loops(self, left: Array) -> None:
        """Leave out positions that cannot be in a loop, as nothing that is left leads to them, or nowhere."""
        sources = np.repeat(np.arange(len(self)), np.diff(self.first))
        sources, ends = sources[self.ends >= 0], self.ends[self.ends >= 0]
        count = -1
        while count != left.sum():
            count = int(left.sum())
            ways = (left[sources] & left[ends]) != 0
            reached, leading = np.zeros_like(left), np.zeros_like(left)
            reached[ends[ways]] = leading[sources[ways]] = 1
            left &= reached & leading
