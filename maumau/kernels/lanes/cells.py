"""Tables of many games whose fields are values of a graph: what rule functions are traced on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from maumau.kernels.lanes.graph import LaneGraph, LaneRow
from maumau.kernels.lanes.nodes import Operation, Value


class Cells:
    """A list or a bytearray of values that rule functions change."""

    def __init__(self, values: Iterable[Value]) -> None:
        self.values = list(values)

    def copy(self) -> Cells:
        """The cells as they are now."""
        return Cells(self.values)

    def take(self, other: Cells) -> None:
        """Become as the others are."""
        self.values = list(other.values)

    def merge(self, graph: LaneGraph, condition: Value, one: Cells) -> None:
        """Become as `one` where the condition holds."""
        pairs = zip(one.values, self.values, strict=True)
        self.values = [mine if its is mine else graph.select(condition, its, mine) for its, mine in pairs]


class TracedTable:
    """A table whose fields are values, cells, or rows in memory."""

    def __init__(self, fields: dict[str, Value | Cells | LaneRow]) -> None:
        self.fields = fields

    def copy(self) -> TracedTable:
        """The table as it is now."""
        return TracedTable({name: x.copy() if isinstance(x, Cells) else x for name, x in self.fields.items()})

    def value(self, name: str) -> Value:
        """The value of a field that holds one."""
        found = self.fields[name]
        assert isinstance(found, int | Operation)
        return found

    def place(self, fact: str) -> tuple[Any, Any]:
        """Where a fact is, by its name in a pass: the fields and its name, or the values of a list and its index."""
        name, _, index = fact.partition(".")
        found = self.fields[name]
        return (found.values, int(index)) if isinstance(found, Cells) else (self.fields, name)

    def take(self, other: TracedTable) -> None:
        """Become as the other is; its lists stay the same ones, as an assignment may be under way to one of them."""
        for name, its in other.fields.items():
            mine = self.fields[name]
            if isinstance(mine, Cells) and isinstance(its, Cells):
                mine.take(its)
            else:
                self.fields[name] = its

    def merge(self, graph: LaneGraph, condition: Value, one: TracedTable) -> None:
        """Become as `one` where the condition holds."""
        for name, its in one.fields.items():
            mine = self.fields[name]
            if isinstance(mine, Cells) and isinstance(its, Cells):
                mine.merge(graph, condition, its)
            elif its is not mine and not isinstance(its, Cells | LaneRow) and not isinstance(mine, Cells | LaneRow):
                self.fields[name] = graph.select(condition, its, mine)


class Forbidden(str):
    """Why a field cannot be read in lanes."""


def forbidden(why: str) -> Any:
    """In place of a field's value: reading it ends the trace, for this reason."""
    return Forbidden(why)
