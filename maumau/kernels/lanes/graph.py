"""A graph of integers and masks: what rule functions compute for many games at once, without branches.

A node is one operation. A mask says of each game whether something holds; any other node is an integer of each game.
Equal operations are one node. Every node has a range, a proven one: it follows by interval arithmetic from the ranges
of the fields that the graph reads. What is known from ranges alone is computed at once and is not a node.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import product
from typing import Any

from maumau.kernels.lanes.intervals import BINARY, MASK, UNARY, Range, common, narrower, width_of, within
from maumau.kernels.lanes.nodes import (
    FOLDED,
    MIRRORED,
    Operation,
    Value,
    decided,
    differ,
    is_mask,
    range_of,
    range_of_unary,
    same_place,
    select_range,
    whole,
    without_lowest,
    written,
)
from maumau.kernels.lanes.request import UntraceableError

MAX_NODES = 20_000
"""A graph that is larger is not worth the time of compiling it."""
MAX_DEPTH = 500
"""Operations in a row, each of which needs the one before. A longer row comes from a long loop, of which lanes compute
all rounds, whether a game needs them or not.
"""


MAX_ENTRIES = 256
"""Divisors of one number, at most, for which its quotients or remainders are kept: a processor divides slowly."""


@dataclass(frozen=True, eq=False)
class LaneRow:
    """A row of integers in memory, of each game one. name: of its field. values: the range of its elements."""

    name: str
    length: int
    values: Range


NEVER: Value = False
ALWAYS: Value = True
INVERSE = {"ne": "eq", "ge": "lt", "le": "gt"}


@dataclass
class LaneGraph:
    """A graph that is being built.

    rounds: of each `while`, how many are computed. violations: masks of the games that left a range at run time that
    could not be proved, with what it is of.
    """

    rounds: int = 0
    nodes: list[Operation] = field(default_factory=list)
    stores: list[Operation] = field(default_factory=list)
    violations: list[tuple[Value, str]] = field(default_factory=list)
    _known: dict[tuple[Any, ...], Operation] = field(default_factory=dict)
    _versions: dict[str, int] = field(default_factory=dict)

    # ------------------------------------------------------------ nodes

    def node(self, op: str, args: tuple[Any, ...], values: Range, *, mask: bool = False) -> Operation:
        """The node of an operation: one that is there already, if it is the same."""
        key = (op, mask, *((type(arg), arg) for arg in args))
        if key not in self._known:
            if len(self.nodes) >= MAX_NODES:
                raise UntraceableError(f"more than {MAX_NODES:,} operations")
            made = self._known[key] = Operation(op, args, mask, values, len(self.nodes))
            if made.depth > MAX_DEPTH:
                raise UntraceableError(f"more than {MAX_DEPTH} operations in a row")
            self.nodes.append(made)
        return self._known[key]

    def field(self, name: str, values: Range) -> Value:
        """The value of a field when a pass begins; one that has a single value is that constant."""
        return self.node("field", (name,), values) if values[0] < values[1] else values[0]

    # ------------------------------------------------------------ masks

    def both(self, one: Value, other: Value) -> Value:
        """Whether both hold."""
        return self._joined("both", one, other, deciding=False)

    def either(self, one: Value, other: Value) -> Value:
        """Whether at least one holds."""
        return self._joined("either", one, other, deciding=True)

    def _joined(self, op: str, one: Value, other: Value, *, deciding: bool) -> Value:
        if not isinstance(one, Operation) or not isinstance(other, Operation):
            known, left = (one, other) if not isinstance(one, Operation) else (other, one)
            return deciding if bool(known) is deciding else left
        if one is other:
            return one
        if (one.op == "not" and one.args[0] is other) or (other.op == "not" and other.args[0] is one):
            return deciding
        return self.node(op, tuple(sorted((one, other), key=lambda node: node.number)), MASK, mask=True)

    def any_of(self, masks: Iterable[Value]) -> Value:
        """Whether at least one of some masks holds. Two that together are a third one are joined first."""
        left: list[Value] = []
        for mask in masks:
            left.append(mask)
            while (
                pair := next(((each, joined) for each in left if (joined := whole(left[-1], each))), None)
            ) is not None:
                left = [each for each in left[:-1] if each is not pair[0]] + [pair[1]]
        return reduce(self.either, left, NEVER)

    def negation(self, one: Value) -> Value:
        """Whether it does not hold."""
        if not isinstance(one, Operation):
            return not one
        return one.args[0] if one.op == "not" else self.node("not", (one,), MASK, mask=True)

    def as_bool(self, one: Value) -> Value:
        """Whether a value is not 0."""
        if not isinstance(one, Operation):
            return bool(one)
        return one if one.is_mask else self.compare("ne", one, 0)

    # ------------------------------------------------------------ choices

    def number(self, one: Value) -> Value:
        """A value as an integer: 1 for yes and 0 for no."""
        if not isinstance(one, Operation):
            return int(one)
        return self.select(one, 1, 0) if one.is_mask else one

    def select(self, condition: Value, one: Value, other: Value) -> Value:
        """`one` where the condition holds, else `other`."""
        if not isinstance(condition, Operation):
            return one if condition else other
        if one is other or (not isinstance(one, Operation) and type(one) is type(other) and one == other):
            return one
        if condition.op == "not":
            return self.select(condition.args[0], other, one)
        if is_mask(one) and is_mask(other):
            return self._select_mask(condition, one, other)
        return self._select_number(condition, self.number(one), self.number(other))

    def _select_mask(self, condition: Operation, one: Value, other: Value) -> Value:
        if not isinstance(one, Operation):
            return self.either(condition, other) if one else self.both(self.negation(condition), other)
        if not isinstance(other, Operation):
            return self.either(self.negation(condition), one) if other else self.both(condition, one)
        return self.node("select", (condition, one, other), MASK, mask=True)

    def _select_number(self, condition: Operation, one: Value, other: Value) -> Value:
        if isinstance(one, Operation) and one.op == "select" and one.args[2] is other:
            return self.select(self.both(condition, one.args[0]), one.args[1], other)
        if (moved := self._moved_out(condition, one, other)) is not None:
            return moved
        if isinstance(other, Operation) and other.op == "select":
            where, inner, rest = other.args
            if (moved := self._moved_out(condition, one, inner)) is not None:
                return self.select(self.either(condition, where), moved, rest)
            if parts := same_place(condition, where):
                here, later, before = parts
                last = self.select(later, one, inner)
                return self.select(self.both(self.either(later, before), here), last, rest)
        return self.node("select", (condition, one, other), select_range(condition, one, other, range_of))

    def _moved_out(self, condition: Operation, one: Value, other: Value) -> Value | None:
        """The choice between two bit lengths as the bit length of a choice, which is one costly operation less."""
        if not isinstance(one, Operation) or not isinstance(other, Operation) or one.op != other.op:
            return None
        if one.op == "length":
            return self.unary("length", self.select(condition, one.args[0], other.args[0]))
        if one.op != "add" or one.args[1] != other.args[1]:
            return None
        first, second = one.args[0], other.args[0]
        if first.op == second.op == "length":
            return self.binary("add", self.select(condition, first, second), one.args[1])
        return None

    # ------------------------------------------------------------ comparisons

    def compare(self, op: str, one: Value, other: Value) -> Value:
        """A comparison: eq, ne, lt, le, gt or ge."""
        if op in INVERSE:
            return self.negation(self.compare(INVERSE[op], one, other))
        one, other = self.number(one), self.number(other)
        if (known := decided(op, range_of(one), range_of(other))) is not None:
            return known
        if isinstance(other, Operation) and not isinstance(one, Operation):
            one, other, op = other, one, MIRRORED[op]
        if op == "eq" and other == 0 and (several := without_lowest(one)):
            return self.compare("lt", self.unary("popcount", several), 2)
        if isinstance(one, Operation) and (as_bytes := self._as_bytes(op, one, other)) is not None:
            return as_bytes
        return self.node(op, (one, other), MASK, mask=True)

    def _as_bytes(self, op: str, one: Operation, other: Value) -> Value | None:
        """A comparison of a number that does not fit in a byte, as one of numbers that may; None for any other."""
        if width_of(one.values) == 8:
            return None
        if one.op == "add" and not isinstance(one.args[1], Operation) and not isinstance(other, Operation):
            return self.compare(op, one.args[0], other - one.args[1])
        if one.op == "sub" and op == "gt":
            return self.compare("gt", one.args[0], self.binary("add", one.args[1], other))
        if one.op == "sub" and op == "lt" and not isinstance(other, Operation):
            return self.negation(self.compare("gt", one, other - 1))
        if one.op == "select":
            condition, first, second = one.args
            answers = [decided(op, range_of(each), range_of(other)) for each in (first, second)]
            if answers.count(None) < 2:
                return self.select(condition, *(self.compare(op, each, other) for each in (first, second)))
        return None

    # ------------------------------------------------------------ arithmetic

    def binary(self, op: str, one: Value, other: Value) -> Value:
        """An operation of two integers, or of two masks."""
        if is_mask(one) and is_mask(other) and op in ("and", "or"):
            return self.both(one, other) if op == "and" else self.either(one, other)
        one, other = self.number(one), self.number(other)
        if op == "mod" and not isinstance(other, Operation) and other > 0 and other & other - 1 == 0:
            return self.binary("and", one, other - 1)  # also of negative numbers, as in Python
        if op in ("mod", "div") and range_of(other)[0] <= 0:
            raise UntraceableError("a division by a number that may be less than 1")
        if op in ("mod", "div") and range_of(one)[0] < 0:
            return self._divided(op, one, other)
        if not isinstance(one, Operation) and not isinstance(other, Operation):
            return int(FOLDED[op](one, other))
        if not isinstance(one, Operation) and op in ("mod", "div") and isinstance(other, Operation):
            first, last = other.values
            if last - first < MAX_ENTRIES:
                entries = [FOLDED[op](one, divisor) for divisor in range(first, last + 1)]
                return self.look_up(entries, self.binary("add", other, -first))
        if not isinstance(one, Operation) and op in ("add", "mul", "and", "or", "xor"):
            one, other = other, one
        simple = self._simpler(op, one, other) if not isinstance(other, Operation) else None
        if simple is not None:
            return simple
        return self.node(op, (one, other), BINARY[op](range_of(one), range_of(other)))

    def difference(self, one: Value, other: Value) -> Value:
        """One number less another one, which may be a part of it."""
        if isinstance(one, Operation) and isinstance(other, Operation) and one.op == other.op == "add":
            for left, right in product(range(2), repeat=2):
                if one.args[left] is other.args[right] and isinstance(one.args[left], Operation):
                    return self.difference(one.args[1 - left], other.args[1 - right])
        if isinstance(one, Operation) and one.op == "add" and other in one.args:
            rest: Value = one.args[one.args[0] is other]
            return rest
        if isinstance(other, Operation) and one is other.args[0] and other.op in ("sub", "add"):
            rest = other.args[1]
            return rest if other.op == "sub" else self.unary("neg", rest)
        return self.binary("sub", one, other)

    def _divided(self, op: str, one: Value, other: Value) -> Value:
        """div or mod, rounded down, of a number that may be negative: a multiple of the divisor is added first."""
        times = -(range_of(one)[0] // range_of(other)[0])
        found = self.binary(op, self.binary("add", one, self.binary("mul", other, times)), other)
        return found if op == "mod" else self.binary("sub", found, times)

    def _simpler(self, op: str, one: Value, constant: int) -> Value | None:
        """An operation with a constant, if it is another operation or none."""
        if constant == 0:
            return 0 if op in ("mul", "and") else one
        if constant == 1 and op in ("mul", "div"):
            return one
        if op == "sub":
            return self.binary("add", one, -constant)
        if not isinstance(one, Operation):
            return None
        if op in ("add", "and") and one.op == op and not isinstance(one.args[1], Operation):
            return self.binary(op, one.args[0], FOLDED[op](one.args[1], constant))
        return None

    def unary(self, op: str, one: Value) -> Value:
        """neg, inv, popcount or length of an integer."""
        one = self.number(one)
        if not isinstance(one, Operation):
            return int(FOLDED[op](one))
        if op in ("popcount", "length") and one.values[0] < 0:
            raise UntraceableError("the bits of a number that may be negative are counted")
        return self.node(op, (one,), narrower(UNARY[op](one.values), range_of_unary(op, one)))

    def look_up(self, entries: Sequence[int], index: Value) -> Value:
        """The entry of a tuple of constants; as in Python, indices below 0 count from the end."""
        if not isinstance(index, Operation):
            return entries[index]
        first, last = index.values
        if first < -len(entries) or last >= len(entries):
            raise UntraceableError(f"an index from {first} to {last} into {len(entries)} entries")
        used = tuple(entries[position] for position in range(first, last + 1))
        return self.node("table", (used, self.binary("add", index, -first)), (min(used), max(used)))

    def pick(self, values: Sequence[Value], index: Value, first: int = 0) -> Value:
        """The one of some values, numbered from `first` on, that the index selects."""
        if put := written(values, first):
            where, place, value, before = put
            if place is index:
                return self.select(where, value, self.pick(before, index, first))
            if differ(place, index):
                return self.pick(before, index, first)
        found = values[-1]
        for position in range(len(values) - 2, -1, -1):
            found = self.select(self.compare("eq", index, first + position), values[position], found)
        return found

    # ------------------------------------------------------------ memory, and what is not proved

    def load(self, row: LaneRow, index: Value) -> Value:
        """An element of a row. The index must be proved to be in the row."""
        self._check_index(row, index)
        return self.node("load", (row.name, self._versions.get(row.name, 0), self.number(index)), row.values)

    def store(self, row: LaneRow, index: Value, value: Value, where: Value) -> None:
        """Store an element of a row where the mask holds; a value beyond the row's range is a violation."""
        self._check_index(row, index)
        kept = self.required(value, row.values, where, f"an element of {row.name} is beyond its range")
        version = self._versions[row.name] = self._versions.get(row.name, 0) + 1
        if isinstance(where, Operation) or where:
            self.stores.append(self.node("store", (row.name, version, self.number(index), kept, where), (0, 0)))

    def move(self, row: LaneRow, to: Value, source: LaneRow, start: Value, count: Value, *, turns: bool) -> None:
        """Copy elements of a row to a place of another, or of the same one; all of them lie in the rows. turns: whether
        places beyond the end of the source are those at its start.
        """
        if isinstance(count, Operation) or count:
            before = self._versions.get(source.name, 0)
            version = self._versions[row.name] = self._versions.get(row.name, 0) + 1
            moved = source.name, before, self.number(start), self.number(count), source.length * turns
            self.stores.append(self.node("move", (row.name, version, self.number(to), *moved), source.values))

    def _check_index(self, row: LaneRow, index: Value) -> None:
        if not within(range_of(index), (0, row.length - 1)):
            raise UntraceableError(f"an index from {range_of(index)[0]} to {range_of(index)[1]} into {row.name}")

    def forbid(self, where: Value, what: str) -> None:
        """Games in which the mask holds leave the lanes. what: that case, as a sentence."""
        self.violations.append((where, what))

    def required(self, value: Value, values: Range, where: Value, what: str) -> Value:
        """A value that must be in a range. Where the mask holds and it is not, the game leaves the lanes.

        what: that case, as a sentence.
        """
        value = self.number(value)
        if within(range_of(value), values):
            return value
        outside = self.either(self.compare("lt", value, values[0]), self.compare("gt", value, values[1]))
        self.forbid(self.both(where, outside), what)
        if outside is True or not isinstance(value, Operation):
            return values[0]
        return self.node("clamp", (outside, values[0], value), common(value.values, values))
