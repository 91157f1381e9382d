"""Properties over time of all positions of a game with a small deck, checked in machine code."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.check.temporal import Lasso, lasso
from fsm.declaration.declaration import Declaration
from fsm.edge.extras import Array, np
from maumau.kernels.compiled.explore import AGAIN
from maumau.kernels.compiler.machine_code import machine_code
from maumau.kernels.explorer.source import passes


class Graph(Sequence[Sequence[int]]):
    """The positions to which the events of each lead, but for those by which a game ends when a position returns.

    returns: where these lead, and the events, in a game that declares that it ends then.
    """

    def __init__(self, game: Declaration) -> None:
        self._return_ends = game.return_ends
        self.returns: dict[int, tuple[int, int]] = {}
        self._after: list[Array] = []  # 1 + the position, for each event
        self._ends: list[Array] = []
        self._events: list[Array] = []

    def add(self, parents: Array, moves: Array, numbers: Array) -> None:
        """Add what events lead to, in the order of the positions from which they do.

        parents: these, or negative numbers of deals. moves: the events. numbers: of what they lead to.
        """
        again = moves >> AGAIN & 1 == 1
        kept = ~again & (parents >= 0)
        for column, found in (
            (self._after, parents[kept] + 1),
            (self._ends, numbers[kept]),
            (self._events, moves[kept]),
        ):
            column.append(found)
        if self._return_ends:
            ended = zip(*(column[again].tolist() for column in (parents, numbers, moves)), strict=True)
            self.returns |= {source: (end, move) for source, end, move in ended}

    def close(self, positions: int) -> None:
        """Join what was added. positions: how many there are."""
        self._first = np.bincount(_joined(self._after), minlength=positions + 1)
        np.cumsum(self._first, out=self._first)
        self._targets, self._moves = _joined(self._ends), _joined(self._events)
        self._leave_out, self._take_in = map(machine_code, passes())

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

    def failing(self, begins: Array, goals: Array) -> tuple[int, Lasso] | None:
        """How many positions begin what never comes to a goal, and a way from the first of them; None if none does.

        begins, goals: of each position, whether it is one of those.
        """
        once = [place for place, (end, _) in self.returns.items() if goals[end]]
        allowed = (~goals).astype(np.uint8)
        left = allowed.copy()
        left[once] = 0
        while self._leave_out(self._first, self._targets, left):
            pass
        while once and self._take_in(self._first, self._targets, allowed, left):
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
        sources = np.repeat(np.arange(len(self)), np.diff(self._first))
        count = -1
        while count != left.sum():
            count = int(left.sum())
            ways = (left[sources] & left[self._targets]) != 0
            reached, leading = np.zeros_like(left), np.zeros_like(left)
            reached[self._targets[ways]] = leading[sources[ways]] = 1
            left &= reached & leading


def _joined(parts: list[Array]) -> Array:
    """The parts as one; they are given up."""
    whole = np.concatenate(parts)
    parts.clear()
    return whole
