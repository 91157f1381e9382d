"""The fields of a table class in order, whether they belong to a position or not: how a whole table is kept.

Integers come first, then lists and byte arrays. This module has the projection of a table that needs no game:

    snapshot   a tuple of all values: undo, clones
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Container
from itertools import repeat
from operator import attrgetter, call
from typing import Any

from fsm.declaration.facts import default_values

Snapshot = tuple[Any, ...]


class TableFields:
    """The fields of the tables of one class, integers first."""

    def __init__(self, table: type) -> None:
        self._blank = table
        values = default_values(table)
        self._arrays = [name for name, value in values.items() if not isinstance(value, int)]
        self._copies = [tuple if isinstance(values[name], list) else bytes for name in self._arrays]
        self._scalars = [name for name in values if name not in self._arrays]
        self._get_scalars: Callable[[Any], Snapshot] = attrgetter(*self._scalars)
        self._get_arrays: Callable[[Any], Snapshot] = attrgetter(*self._arrays)

    # ---------------------------------------------------------------- snapshot

    def take(self, table: Any) -> Snapshot:
        """Return the values of the fields of a table, arrays copied into what garbage collection leaves out."""
        return *self._get_scalars(table), *map(call, self._copies, self._get_arrays(table))

    def restore(self, table: Any, snapshot: Snapshot) -> None:
        """Give all fields of a table the values of a snapshot."""
        deque(map(setattr, repeat(table), self._scalars, snapshot), maxlen=0)
        for name, row in zip(self._arrays, snapshot[len(self._scalars) :], strict=True):
            getattr(table, name)[:] = row

    def restored(self, snapshot: Snapshot) -> Any:
        """Return a new table with the values of a snapshot."""
        table = self._blank()
        self.restore(table, snapshot)
        return table

    def copy(self, table: Any) -> Any:
        """Return a table with the same values."""
        return self.restored(self.take(table))

    def places(self, *names: str) -> tuple[int, ...]:
        """Return where snapshots have some fields."""
        return tuple(map([*self._scalars, *self._arrays].index, names))

    def differing(self, names: Container[str]) -> Callable[[Any, Snapshot], bool]:
        """Return a function of a table and a snapshot: whether fields of some of these names differ."""
        scalars = [(name, place) for place, name in enumerate(self._scalars) if name in names]
        copies = zip(self._arrays, self._copies, strict=True)
        arrays = [(name, self.places(name)[0], copy) for name, copy in copies if name in names]

        def differ(table: Any, past: Snapshot) -> bool:
            for name, place, copy in arrays:
                if copy(getattr(table, name)) != past[place]:
                    return True
            return any(getattr(table, name) != past[place] for name, place in scalars)

        return differ

    def packed(self, snapshot: Snapshot) -> bytearray:
        """Return a snapshot as bytes: eight for each number, one for each item of a byte array."""
        first = len(self._scalars)
        rows = (row if isinstance(row, bytes) else array("q", row) for row in snapshot[first:])
        return bytearray().join((array("q", snapshot[:first]), *rows))

    def unpacked(self, saved: bytes) -> Snapshot:
        """Return the snapshot of such bytes."""
        at = 8 * len(self._scalars)
        found: list[Any] = [*array("q", saved[:at])]
        for copied, blank in zip(self._copies, self._get_arrays(self._blank()), strict=True):
            row = saved[at : at + len(blank) * (1 if copied is bytes else 8)]
            found.append(row if copied is bytes else tuple(array("q", row)))
            at += len(row)
        return tuple(found)
