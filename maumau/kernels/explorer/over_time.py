"""Properties over time of all positions of a game with a small deck, checked in machine code."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.check.temporal import Lasso, lasso
from fsm.declaration.declaration import Declaration
from fsm.edge.arrays import Array
from maumau.kernels.compiled.explore import AGAIN
from maumau.kernels.compiler.machine_code import machine_code
from maumau.kernels.explorer.source import BEGINS, ENDS, passes


class Graph(Sequence[Sequence[int]]):
    """The positions to which the events of each lead, but for those by which a game ends when a position returns.

    returns: where these lead, and the events, in a game that declares that it ends then.
    """

    def __init__(self, game: Declaration, found: Sequence[tuple[Array, ...]], positions: int) -> None:
        """Join what was found: from which positions, or deals, of which the numbers are negative, to which ones, and by
        which events. positions: how many there are.
        """
        import numpy as np

        sources, targets, moves = map(np.concatenate, zip(*found, strict=True))
        again = moves >> AGAIN & 1 == 1
        columns = (column[again & game.return_ends].tolist() for column in (sources, targets, moves))
        self.returns = {source: (end, move) for source, end, move in zip(*columns, strict=True)}
        kept = ~again & (sources >= 0)
        self._first = np.zeros(positions + 1, np.int64)
        np.cumsum(np.bincount(sources[kept], minlength=positions), out=self._first[1:])
        self._targets, self._moves = targets[kept], moves[kept]
        self._leave_out, self._take_in = map(machine_code, passes())
        self._deals = np.zeros(positions, bool)
        self._deals[targets[sources < 0]] = True

    def __len__(self) -> int:
        return len(self._first) - 1

    def __getitem__(self, place: int) -> list[int]:  # type: ignore[override]
        found: list[int] = self._targets[self._first[place] : self._first[place + 1]].tolist()
        return found

    def move(self, one: int, other: int) -> int:
        """An event that leads from a position to another one."""
        ways = zip(self[one], self._moves[self._first[one] :].tolist(), strict=False)
        found: int = next(move for end, move in (*ways, self.returns.get(one, (-1, -1))) if end == other)
        return found

    def failing(self, judged: Array, of_deals: bool) -> tuple[int, Lasso] | None:
        """How many positions begin what never ends, and a way from the first of them; None if none does.

        judged: of each position, whether the response begins and ends there. of_deals: whether it begins with deals.
        """
        import numpy as np

        goals = judged & ENDS != 0
        once = [place for place, (end, _) in self.returns.items() if goals[end]]
        allowed = (~goals).astype(np.int32)
        left = allowed.copy()
        left[once] = 0
        while self._leave_out(self._first, self._targets, left):
            pass
        while once and self._take_in(self._first, self._targets, allowed, left):
            pass
        starts = np.flatnonzero((left != 0) & (self._deals if of_deals else judged & BEGINS != 0))
        if not len(starts):
            return None
        looping = left.copy()
        looping[once] = 0
        self._leave_in_loops(looping)
        sets = (set(np.flatnonzero(each).tolist()) for each in (left, looping))
        return len(starts), lasso(self, int(starts[0]), *sets)

    def _leave_in_loops(self, left: Array) -> None:
        """Leave out positions that cannot be in a loop, as nothing that is left leads to them, or nowhere."""
        import numpy as np

        sources = np.repeat(np.arange(len(self)), np.diff(self._first))
        count = -1
        while count != left.sum():
            count = int(left.sum())
            ways = (left[sources] & left[self._targets]) != 0
            reached, leading = np.zeros_like(left), np.zeros_like(left)
            reached[self._targets[ways]] = leading[sources[ways]] = 1
            left &= reached & leading
