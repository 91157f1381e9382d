"""The graph of all positions, and what in it must come about over time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from fsm.check.temporal import Lasso, lasso
from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import Array, np
from maumau.kernels.compiled.over_time import ELSEWHERE, TO_ONE_LEFT, change
from maumau.kernels.compiler.machine_code import machine_code
from maumau.kernels.compiler.program import numbers, of_any_game
from maumau.kernels.explorer.known import FIRST_ROOM, enlarge

CHANGE = of_any_game(change, lambda: (numbers(1), np.zeros(0, np.int32), *np.zeros((2, 0), np.uint8), 0, 0))
"""Works on the graph of any game."""


class Graph(Sequence[Sequence[int]]):
    """The positions to which the events of each lead, but for those by which a game ends when a position returns.

    first, ends: where the ways of each begin, and where they lead (`maumau.kernels.compiled.over_time`).
    """

    def __init__(self, game: Declaration) -> None:
        self._return_ends = game.return_ends
        room = FIRST_ROOM if game.responses else 0
        self.first, self.ends = np.empty(room + min(room, 1), np.int64), np.empty(room, np.int32)

    def make_room(self, positions: int, ways: int) -> None:
        """Enlarge what has no room for so many positions and ways."""
        enlarge(self.first, positions + 1)
        enlarge(self.ends, ways)

    def close(self, positions: int, ways: int, filled: int) -> None:
        """End it. positions, ways: how many there are. filled: positions whose ways are there; others have none."""
        self.first[filled : positions + 1] = ways
        self.first, self.ends = self.first[: positions + 1], self.ends[:ways]
        self._change = machine_code(CHANGE)

    @cached_property
    def _returned(self) -> tuple[Array, Array]:
        """From which positions events lead by which the game ends when a position returns, and where."""
        ways = np.flatnonzero(self.ends < 0) if self._return_ends else np.zeros(0, np.int64)
        sources = np.searchsorted(self.first, ways, "right") - 1
        last = np.append(np.diff(sources) > 0, True)[: len(ways)]
        return sources[last], -1 - self.ends[ways][last]

    @property
    def returns(self) -> dict[int, tuple[int, None]]:
        """Where those lead that do not count, in a game that declares that it ends then."""
        return {source: (end, None) for source, end in zip(*map(np.ndarray.tolist, self._returned), strict=True)}

    def __len__(self) -> int:
        return len(self.first) - 1

    def __getitem__(self, place: int) -> list[int]:  # type: ignore[override]
        found = self.ends[self.first[place] : self.first[place + 1]]
        leading: list[int] = found[found >= 0].tolist()
        return leading

    def failing(self, begins: Array, goals: Array) -> tuple[int, Lasso] | None:
        """How many positions begin what never comes to a goal, and a way from the first of them; None if none does.

        begins, goals: of each position, whether it is one of those.
        """
        sources, returned = self._returned
        once = sources[goals[returned]]
        allowed = (~goals).view(np.uint8)
        left = allowed.copy()
        left[once] = 0
        while self._change(self.first, self.ends, allowed, left, ELSEWHERE, 0):
            pass
        while len(once) and self._change(self.first, self.ends, allowed, left, TO_ONE_LEFT, 1):
            pass
        starts = np.flatnonzero((left != 0) & begins)
        if not len(starts):
            return None
        looping = left.copy()
        looping[once] = 0
        self._leave_in_loops(looping)
        sets = (set(np.flatnonzero(each).tolist()) for each in (left, looping))
        return len(starts), lasso(self, int(starts[0]), *sets)

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
