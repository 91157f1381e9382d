"""What lies on a table of any class: what a move names, snapshots for undo, and positions that return."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Container, Hashable, Iterable
from itertools import repeat
from operator import attrgetter, call
from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import default_values
from fsm.edge.kept import kept
from rules.table import card_taken, copy_taken

NONE = -1
"""In place of the code of a card or value: none."""
Code = tuple[str, int, int]
"""A move in codes: trigger, card, and the value that is named, of the kind that belongs to the trigger."""
Snapshot = tuple[Any, ...]


class Snapshots:
    """Takes and restores the values of all fields of the tables of one class, or of those that a move names.

    kinds: those of values besides suits that are named in the game.
    """

    def __init__(self, table: type, kinds: Iterable[str] = ()) -> None:
        self._blank = table
        values = default_values(table)
        self._arrays = [name for name, value in values.items() if not isinstance(value, int)]
        self._copies = [tuple if isinstance(values[name], list) else bytes for name in self._arrays]
        self._scalars = [name for name in values if name not in self._arrays]
        self._get_scalars: Callable[[Any], Snapshot] = attrgetter(*self._scalars)
        self._get_arrays: Callable[[Any], Snapshot] = attrgetter(*self._arrays)
        self._named = "card", "suit", *map(str, kinds)
        self.named: Callable[[Any], Snapshot] = attrgetter(*self._named)
        """The codes of the card and the values that lie on a table, named or left from before."""

    def places(self, *names: str) -> tuple[int, ...]:
        """Where snapshots have the values of some fields that are no lists."""
        return tuple(map(self._scalars.index, names))

    def rows(self, *names: str) -> tuple[int, ...]:
        """Where they have some lists."""
        return tuple(len(self._scalars) + self._arrays.index(name) for name in names)

    def differing(self, names: Container[str]) -> Callable[[Any, Snapshot], bool]:
        """Return a function of a table and a snapshot: whether fields of some of these names differ."""
        scalars = [(name, place) for place, name in enumerate(self._scalars) if name in names]
        copies = zip(self._arrays, self._copies, strict=True)
        arrays = [(name, self.rows(name)[0], copy) for name, copy in copies if name in names]

        def differ(table: Any, past: Snapshot) -> bool:
            for name, row, copy in arrays:
                if copy(getattr(table, name)) != past[row]:
                    return True
            return any(getattr(table, name) != past[place] for name, place in scalars)

        return differ

    def copy(self, table: Any) -> Any:
        """A table with the same values."""
        return self.restored(self.take(table))

    def restored(self, snapshot: Snapshot) -> Any:
        """A new table with the values of `snapshot`."""
        table = self._blank()
        self.restore(table, snapshot)
        return table

    def take(self, table: Any) -> Snapshot:
        """The values of the fields of `table`, arrays copied into what garbage collection leaves out."""
        return *self._get_scalars(table), *map(call, self._copies, self._get_arrays(table))

    def packed(self, snapshot: Snapshot) -> bytearray:
        """A snapshot as bytes: eight for each number, one for each item of a byte array."""
        first = len(self._scalars)
        rows = (row if isinstance(row, bytes) else array("q", row) for row in snapshot[first:])
        return bytearray().join((array("q", snapshot[:first]), *rows))

    def unpacked(self, saved: bytes) -> Snapshot:
        """The snapshot of such bytes."""
        at = 8 * len(self._scalars)
        found: list[Any] = [*array("q", saved[:at])]
        for copied, blank in zip(self._copies, self._get_arrays(self._blank()), strict=True):
            row = saved[at : at + len(blank) * (1 if copied is bytes else 8)]
            found.append(row if copied is bytes else tuple(array("q", row)))
            at += len(row)
        return tuple(found)

    def restore(self, table: Any, snapshot: Snapshot) -> None:
        """Give all fields of `table` the values of `snapshot`."""
        deque(map(setattr, repeat(table), self._scalars, snapshot), maxlen=0)
        for name, row in zip(self._arrays, snapshot[len(self._scalars) :], strict=True):
            getattr(table, name)[:] = row

    def put_back(self, table: Any, named: Snapshot) -> None:
        """Put on the table again what `named` found there."""
        for name, code in zip(self._named, named, strict=True):
            setattr(table, name, code)


@kept
def snapshots_of(game: Declaration) -> Snapshots:
    """The snapshots of the tables of a game."""
    return Snapshots(game.table, game.own_kinds)


def put_on_table(game: Declaration, table: Any, code: Code) -> None:
    """Put the card and the value of a move on the table, if anything is named with it."""
    trigger, card, value = code
    if card != NONE:
        table.card = card
    if card != NONE or value != NONE:
        setattr(table, game.value_fields[trigger], value)


class Repetitions:
    """Remembers the positions at the start of turns, by the number of events before them.

    Unless the rules end a game at once where a position returns, a repeated position proves that the game is endless
    only if all that has happened since it was there last will happen again. Then the number of dice rolled is part of
    the compared position.
    """

    def __init__(self) -> None:
        self._last: dict[Hashable, int] = {}
        self._noted: list[tuple[int, Hashable, int | None]] = []

    def clone(self) -> Repetitions:
        """An independent copy."""
        other = Repetitions()
        other._last, other._noted = self._last.copy(), self._noted[:]
        return other

    def note(self, position: Hashable, at: int) -> None:
        """Remember the position after `at` events, once."""
        if not self._noted or self._noted[-1][0] < at:
            self._noted.append((at, position, self._last.get(position)))
            self._last[position] = at

    @property
    def before(self) -> int | None:
        """The number of events after which the position that was noted last was there before; None if it was not."""
        return self._noted[-1][-1] if self._noted else None

    def undo(self, at: int) -> None:
        """Forget what came after the first `at` events."""
        while self._noted and self._noted[-1][0] > at:
            _, position, before = self._noted.pop()
            if before is None:
                del self._last[position]
            else:
                self._last[position] = before


def taken_by(copies: tuple[str, ...], snapshots: Snapshots) -> Callable[[Any, int, int, Snapshot], int]:
    """What finds the card that a seat has taken off the draw pile (table, seat, head, past): NO_CARD for none.

    copies: the fields of hands in which a card may be several times. head: the top of the pile before the event, of
    which the snapshot `past` is.
    """
    rows = tuple(zip(copies, snapshots.rows(*copies), strict=True))

    def taken_copy(table: Any, seat: int, head: int, past: Snapshot) -> int:
        gained = 0
        for name, row in rows:
            gained |= getattr(table, name)[seat] & ~past[row][seat]
        return copy_taken(table, gained, head)

    return taken_copy if rows else lambda table, seat, head, past: card_taken(table, seat, head)
