"""Tables of many games whose fields are values of a graph: what rule functions are traced on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from maumau.kernels.lanes.graph import LaneGraph, LaneRow
from maumau.kernels.lanes.nodes import Operation, Value, range_of
from maumau.kernels.lanes.request import UntraceableError
from rules.queues import QUEUE_BYTES


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


class LanePiles(Cells):
    """Piles of cards in an order (`rules.queues`). values: how many cards each has. row: where they lie.

    An index that is a multiple of QUEUE_BYTES is that of a number of cards.
    """

    def __init__(self, values: Iterable[Value], row: LaneRow | Forbidden, most: int) -> None:
        """most: the cards of a pile, at most; a game that has more leaves the lanes."""
        super().__init__(values)
        self._row, self.most = row, most

    @property
    def row(self) -> LaneRow:
        """Where the cards lie. Raises UntraceableError where they are not kept."""
        if isinstance(self._row, Forbidden):
            raise UntraceableError(self._row)
        return self._row

    @property
    def length(self) -> int:
        """The bytes of all piles."""
        return len(self.values) * QUEUE_BYTES

    def copy(self) -> LanePiles:
        """The piles as they are now; their cards are where they were."""
        return LanePiles(self.values, self._row, self.most)

    def load(self, graph: LaneGraph, index: Value, path: Value) -> Value:
        """How many cards a pile has, or a card."""
        place, depth = self.split(graph, index, path)
        if isinstance(depth, int) and depth == 0:
            return graph.pick(self.values, place)
        return graph.load(self.row, self.index(graph, place, depth))

    def store(self, graph: LaneGraph, index: Value, value: Value, path: Value) -> None:
        """Change how many cards a pile has, or a card."""
        place, depth = self.split(graph, index, path)
        if not isinstance(depth, int) or depth != 0:
            graph.store(self.row, self.index(graph, place, depth), value, path)
            return
        count = graph.required(value, (0, self.most), path, "a pile has too many cards, or too few")
        for position, old in enumerate(self.values):
            self.values[position] = graph.select(graph.compare("eq", place, position), count, old)

    def index(self, graph: LaneGraph, place: Value, depth: Value) -> Value:
        """The index of a card of a pile."""
        return graph.binary("add", graph.binary("mul", place, QUEUE_BYTES), depth)

    def split(self, graph: LaneGraph, index: Value, path: Value) -> tuple[Value, Value]:
        """The number of the pile that has an index, and how far it is from its first one. Raises UntraceableError."""
        low, high = range_of(index)
        parts = list(_summands(index))
        first = next((part for part in parts if isinstance(part, Operation) and part.op == "mul"), None)
        place: Value = max(low, 0) // QUEUE_BYTES
        depth: Value = 0
        if first is not None and first.args[1] == QUEUE_BYTES:
            place = first.args[0]
            for part in parts:
                depth = depth if part is first else graph.binary("add", depth, part)
        elif place == max(high, 0) // QUEUE_BYTES:
            depth = graph.binary("add", index, -place * QUEUE_BYTES)
        else:
            raise UntraceableError(f"an index from {low} to {high} into piles of {QUEUE_BYTES}")
        what = "a pile is none of those, or has no such card"
        place = graph.required(place, (0, len(self.values) - 1), path, what)
        return place, graph.required(depth, (1, QUEUE_BYTES - 1), path, what) if range_of(depth) != (0, 0) else 0


def _summands(value: Value) -> Iterator[Value]:
    if isinstance(value, Operation) and value.op == "add":
        for arg in value.args:
            yield from _summands(arg)
    else:
        yield value


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
