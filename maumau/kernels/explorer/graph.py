"""The graph of all positions of a game, which explorer and solver share: positions by number, and the ways between."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import Array, np
from maumau.kernels.compiled.backward import FRESH, LOST, WON, Sweep, sweep
from maumau.kernels.compiler.machine_code import machine_code
from maumau.kernels.compiler.program import of_any_game
from maumau.kernels.compiler.rows import bits_in_use
from maumau.kernels.explorer.known import FIRST_ROOM, KnownPositions, enlarge
from maumau.kernels.explorer.source import most_events

ALL_WAYS = -(1 << 62)
"""The lowest number of a way where negative ones are ends of the game."""


SWEEP = of_any_game(sweep)
"""Works on the graph of any game."""

LISTED = 4
"""Without lengths, undecided positions are listed if they are less than this part: a list takes 4 bytes for each."""

Turns = tuple[Any, Sequence[int], Sequence[int], Any]
"""Who chooses in the positions of a graph, and for whom: the seat that chooses in each position; for each seat 1 or -1,
what its win is to the first side, and FREE, or the row with its moves among those that are chosen; these.
"""


class PositionGraph(KnownPositions):
    """Positions, and the ways between them.

    first, ends: where the ways of each begin, and where they lead (`maumau.kernels.compiled.backward`).
    """

    FREE = -1
    """In place of the number of a policy: the seat makes any move."""

    def __init__(self, used: Array, notes: int, *, has_ways: bool = True) -> None:
        """used: the bits in use of each word of a row. notes: how many are noted of each position. has_ways: whether
        ways are kept.
        """
        super().__init__(used, notes)
        self._has_ways, room = has_ways, FIRST_ROOM if has_ways else 0
        self.first, self.ends = np.empty(room + has_ways, np.int64), np.empty(room, np.int32)
        self.first[:1] = 0

    @classmethod
    def for_choices(cls, game: Declaration, players: int) -> PositionGraph:
        """Return an empty graph of the positions in which a player chooses; of each one number is noted."""
        return cls(np.array(bits_in_use(game, players), np.int64), 1)

    def make_room(self, more: int, ways: int = 0) -> None:
        """Enlarge what has no room for so many more positions, and for `ways` in all."""
        super().make_room(more)
        if self._has_ways:
            enlarge(self.first, len(self.keys) + 1)
            enlarge(self.ends, ways)

    def close(self, ways: int, filled: int) -> None:
        """End it. ways: how many there are. filled: positions whose ways are there; others have none."""
        self.first[filled : self.count + 1] = ways
        self.first, self.ends = self.first[: self.count + 1], self.ends[:ways]

    @staticmethod
    def room_for_moves(game: Declaration) -> Array:
        """Return an array with room for the legal moves of any position."""
        return np.zeros(most_events(game), np.int64)

    def swept(self, turns: Turns, length: Array, *, lengths: bool) -> Array:
        """Return what each position is worth to the first side: 1 won, -1 lost, 0 if nobody can force a win.

        turns, length, lengths: as for `sweep`.
        """
        worth = np.zeros(self.count, np.uint8)
        self.sweep(worth, turns, length, lengths=lengths)
        return np.array([0, 1, -1], np.int8)[worth]  # by WON and LOST

    def sweep(
        self, worth: Array, turns: Turns | None = None, length: Array | None = None, *,
        lowest: int = ALL_WAYS, lengths: bool = False,
    ) -> None:  # fmt: skip
        """Settle positions backwards until no more can be settled (`maumau.kernels.compiled.backward.sweep`).

        worth: of each position, 0 for those that may be settled. turns: who chooses; one side alone, if nothing is
        said. lowest: ways to lower numbers do not count. lengths: whether `length` is the least number of moves, which
        takes longer.
        """
        movers, sides, follows, chosen = turns or (np.zeros(0, np.int32), (1,), (self.FREE,), None)
        length = np.zeros(0, np.int32) if length is None else length
        chosen = np.zeros((1, 0), np.uint8) if chosen is None else chosen
        turned = movers, np.where(np.array(sides) > 0, WON, LOST), np.array(follows, np.int64), chosen
        code, step, before = machine_code(SWEEP), 0, -1
        left = np.arange(len(length) - 1, -1, -1, dtype=np.int32)
        undecided, listed = self.count, len(left)
        while undecided not in (0, before):
            step, before = step + 1, undecided
            if not listed and LISTED * undecided < self.count:
                left = np.empty(undecided, np.int32)
            work = Sweep(self.first, self.ends, *turned, worth, length, left, lowest)
            undecided = code(work, listed, step, FRESH * lengths)
            listed = undecided if len(left) else 0


# ---------------------------------------------------------------- what must come about over time


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
