"""The fields of a table class in order, whether they belong to a position or not: how a whole table is kept.

Integers come first, then lists and byte arrays. A table has these projections, which all have that order:

    snapshot   a tuple of all values: undo, clones
    record     a record of NumPy, as machine code writes it
    state      the bytes of such a record: saved tables
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Container, Iterable
from functools import cached_property
from typing import Any

from fsm.declaration.facts import default_values
from fsm.edge.numbers import np

Snapshot = tuple[Any, ...]


COPY: dict[int, Callable[[Any], Any]] = {8: tuple, 1: bytes}
"""What copies a list, with items of eight bytes, and a byte array."""


def of_table(values: Iterable[str]) -> Callable[[Any], Any]:
    """Return a function of a table that returns a tuple of values, which are expressions of the name `table`.

    Written code takes half the time of `attrgetter`.
    """
    return eval(f"lambda table: ({''.join(f'{value}, ' for value in values)})")  # type: ignore[no-any-return]


class TableFields:
    """The fields of the tables of one class.

    values: those of a new table, not to change. numbers: the names of the integers. rows: those of the lists and byte
    arrays, each with the bytes of an item and the number of items.
    """

    def __init__(self, table: type) -> None:
        self._blank = table
        self.values = values = default_values(table)
        self.numbers = tuple(name for name, value in values.items() if isinstance(value, int))
        self.rows = {
            name: (8 if isinstance(value, list) else 1, len(value))
            for name, value in values.items()
            if name not in self.numbers
        }
        self._first, self._copies = len(self.numbers), {name: COPY[item] for name, (item, _) in self.rows.items()}
        copied = [f"{copy.__name__}(table.{name})" for name, copy in self._copies.items()]
        self.take: Callable[[Any], Snapshot] = of_table([*(f"table.{name}" for name in self.numbers), *copied])
        """Return the values of the fields of a table, arrays copied into what garbage collection leaves out."""
        given = ", ".join([*(f"table.{name}" for name in self.numbers), *(f"table.{name}[:]" for name in self.rows)])
        written: dict[str, Any] = {}
        exec(f"def restore(table, snapshot): {given}, = snapshot", written)
        self.restore: Callable[[Any, Snapshot], None] = written["restore"]
        """Give all fields of a table the values of a snapshot."""

    # ---------------------------------------------------------------- snapshot

    def restored(self, snapshot: Snapshot) -> Any:
        """Return a new table with the values of a snapshot."""
        table = self._blank()
        self.restore(table, snapshot)
        return table

    def copy(self, table: Any) -> Any:
        """Return a table with the same values."""
        return self.restored(self.take(table))

    def give(self, table: Any, other: Any, names: Iterable[str]) -> None:
        """Give some fields of a table the values of those of another one."""
        for name in names:
            value = getattr(other, name)
            setattr(table, name, value if isinstance(value, int) else value[:])

    def places(self, *names: str) -> tuple[int, ...]:
        """Return where snapshots have some fields."""
        return tuple(map([*self.numbers, *self.rows].index, names))

    def differing(self, names: Container[str]) -> Callable[[Any, Snapshot], bool]:
        """Return a function of a table and a snapshot: whether fields of some of these names differ."""
        scalars = [(name, place) for place, name in enumerate(self.numbers) if name in names]
        arrays = [(name, self.places(name)[0], copy) for name, copy in self._copies.items() if name in names]

        def differ(table: Any, past: Snapshot) -> bool:
            for name, place, copy in arrays:
                if copy(getattr(table, name)) != past[place]:
                    return True
            return any(getattr(table, name) != past[place] for name, place in scalars)

        return differ

    # ---------------------------------------------------------------- record

    @cached_property
    def record(self) -> np.dtype[Any]:
        """The type of the records that machine code writes."""
        rows = [(name, np.int64 if item == 8 else np.uint8, length) for name, (item, length) in self.rows.items()]
        fields: list[Any] = [*((name, np.int64) for name in self.numbers), *rows]
        return np.dtype(fields)

    # ---------------------------------------------------------------- state

    @property
    def size(self) -> int:
        """The bytes of a saved table."""
        return 8 * self._first + sum(item * length for item, length in self.rows.values())

    def packed(self, snapshot: Snapshot) -> bytearray:
        """Return the bytes of a snapshot."""
        rows = (row if isinstance(row, bytes) else array("q", row) for row in snapshot[self._first :])
        return bytearray().join((array("q", snapshot[: self._first]), *rows))

    def unpacked(self, saved: bytes) -> Snapshot:
        """Return the snapshot of such bytes."""
        at = 8 * self._first
        found: list[Any] = [*array("q", saved[:at])]
        for item, length in self.rows.values():
            row = saved[at : at + item * length]
            found.append(row if item == 1 else tuple(array("q", row)))
            at += len(row)
        return tuple(found)
