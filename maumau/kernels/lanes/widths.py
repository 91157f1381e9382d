"""In how many bits every number is computed, and which numbers are kept as planes of bytes.

An operation is as narrow as its range and its users allow. A number is exact in a register that holds its range. Sums,
products and bitwise operations may be computed modulo a power of two if nobody needs the upper bits; comparisons,
shifts to the right, counts of bits and indices need exact numbers.

Some numbers are kept as planes: a vector of bytes for each byte of the number, so that hands and small facts have the
same width, and nothing is converted between them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import reduce

from maumau.kernels.lanes.intervals import BINARY, BYTE, Range, hull, width_of, within
from maumau.kernels.lanes.nodes import FOLDED, Operation, Value, range_of
from maumau.kernels.lanes.passes import Pass
from maumau.kernels.lanes.request import TABLE, UntraceableError

ENTRY_BITS = 32
"""Bits of an entry of a table in memory, at least, and of the index of one."""
WIDEST = 64
MODULAR = ("add", "sub", "mul", "and", "or", "xor", "neg", "inv", "select", "clamp")


def exact_width(*values: Value) -> int:
    """Bits of the register that holds each of some numbers exactly. Raises UntraceableError if none does."""
    low, high = reduce(hull, map(range_of, values))
    if bits := width_of((low, high)):
        return bits
    raise UntraceableError(f"a number from {low} to {high}, which fits no register")


def compared_width(node: Operation) -> int:
    """Bits in which two numbers are compared: whether they are equal is seen from as many lower bits as they may differ
    in; of two that are not negative, sums may be as great as a byte can be instead of greater.
    """
    one, other = node.args
    if node.op == "eq":
        low, high = BINARY["sub"](range_of(one), range_of(other))
        return next((bits for bits in (8, 16, 32, 64) if max(-low, high) < 1 << bits), 0) or exact_width(one, other)
    return 8 if saturates(node) else exact_width(one, other)


def saturates(node: Operation) -> bool:
    """Whether a number that fits in a byte is compared with sums of such numbers: is it greater?"""
    one, other = node.args
    return node.op == "gt" and within(range_of(one), BYTE) and isinstance(other, Operation) and _is_sum(other)


def _is_sum(value: Value) -> bool:
    if not isinstance(value, Operation) or within(value.values, BYTE):
        return within(range_of(value), BYTE)
    parts = value.args[1:] if value.op in CHOSEN else value.args
    return value.op in ("add", *CHOSEN) and all(map(_is_sum, parts))


def widths(nodes: Sequence[Operation], outputs: Iterable[tuple[Value, int]]) -> dict[Operation, int]:
    """The bits in which each number of `nodes` is computed. outputs: values that are used outside, and with how many
    bits.
    """
    needed = dict.fromkeys(nodes, 0)

    def need(value: Value, bits: int) -> None:
        if isinstance(value, Operation) and not value.is_mask:
            needed[value] = max(needed[value], bits)

    for value, bits in outputs:
        need(value, min(bits, width_of(range_of(value)) or WIDEST))
    found: dict[Operation, int] = {}
    for node in reversed(nodes):
        if not node.is_mask:
            found[node] = _width(node, needed[node])
        for value, bits in _arguments(node, found.get(node, 0)):
            need(value, bits)
    return found


def _width(node: Operation, needed: int) -> int:
    natural = width_of(node.values) or WIDEST
    bits = max(min(natural, needed or 8), ENTRY_BITS if node.op == "table" else 8)
    if node.op in ("shr", "mod", "div"):
        bits = max(bits, exact_width(node.args[0]))
    if node.op in ("mod", "div", "shl", "shr"):
        bits = max(bits, exact_width(node.args[1]))
    return bits


def _arguments(node: Operation, bits: int) -> Iterable[tuple[Value, int]]:
    """What a node is computed from, and with how many bits; of masks nobody asks for them."""
    if node.op in ("eq", "lt", "gt"):
        return [(value, compared_width(node)) for value in node.args]
    modular = len(node.args) if node.op in MODULAR and not node.is_mask else int(node.op == "shl")
    found = [(value, min(bits, width_of(range_of(value)) or WIDEST)) for value in node.args[:modular]]
    return found + [(value, exact_width(value)) for value in node.args[modular:] if isinstance(value, Operation)]


# ---------------------------------------------------------------- numbers kept as planes


PLANES = 8
"""Planes of a number, at most."""
WORD: Range = (0, (1 << 8 * PLANES) - 1)
MOVED = ("shl", "shr")
CHOSEN = ("select", "clamp")
BITWISE = ("and", "or", "xor", *CHOSEN)
SLOW = ("shl", "shr", "mul", "mod", "div", "table", "popcount", "length")
"""Operations on bytes that cost more than to look their result up."""


class Planes:
    """What is known about the numbers of a graph. fields: the names of facts that are kept as planes."""

    def __init__(self, fields: Collection[str] = ()) -> None:
        self.fields = fields
        self._planar: dict[Operation, bool] = {}
        self._leaves: dict[Operation, Operation | None] = {}
        self._columns: dict[tuple[Operation, Operation], Sequence[int]] = {}

    def planar(self, value: Value) -> bool:
        """Whether a number is computed plane by plane."""
        if not isinstance(value, Operation) or value.is_mask:
            return False
        if value not in self._planar:
            self._planar[value] = self._is_planar(value)
        return self._planar[value]

    def _is_planar(self, node: Operation) -> bool:
        if node.op == "field":
            return node.args[0] in self.fields
        if node.op == "inv" or (node.op == "and" and lowest_of(node)):
            return self.planar(node.args[0] if node.op == "inv" else lowest_of(node))  # type: ignore[arg-type]
        if not within(node.values, WORD):
            return False
        if node.values[1] > BYTE[1] and self.leaf(node):
            return True
        if node.op in MOVED:
            return self.planar(node.args[0]) and not isinstance(node.args[1], Operation) and node.args[1] % 8 == 0
        if node.op not in BITWISE:
            return False
        parts = node.args[1:] if node.op in CHOSEN else node.args
        if not all(self._has_planes(part, negative=node.op == "and") for part in parts):
            return False
        return node.values[1] > BYTE[1] or any(map(self.planar, parts))

    def _has_planes(self, value: Value, negative: bool) -> bool:
        if not isinstance(value, Operation):
            return negative or value >= 0
        return self.planar(value) or within(value.values, BYTE)

    # ------------------------------------------------------------ functions of one small number

    def leaf(self, node: Operation) -> Operation | None:
        """The one number of few values that a number is computed from; None if there are others."""
        found = self._leaf(node)
        return None if found is node else found

    def _leaf(self, node: Operation) -> Operation | None:
        if node in self._leaves:
            return self._leaves[node]
        found: Operation | None = None
        if node.op in (*FOLDED, "table") and (node.op != "select" or within(node.values, BYTE)):
            leaves = {self._leaf(arg) for arg in node.args if isinstance(arg, Operation)}
            divisor = node.args[1] if node.op in ("mod", "div") else None
            found = leaves.pop() if len(leaves) == 1 and not isinstance(divisor, Operation) else None
        low, high = node.values
        if found is None and not node.is_mask and high - low < TABLE and width_of(node.values) == 8:
            found = node
        self._leaves[node] = found
        return found

    def small(self, node: Operation) -> bool:
        """Whether a number of a byte is looked up, by its leaf, instead of computed."""
        leaf = self.leaf(node)
        return bool(leaf) and (
            node.op in SLOW or any(isinstance(arg, Operation) and arg is not leaf for arg in node.args)
        )

    def column(self, value: Value, leaf: Operation) -> Sequence[int]:
        """What a number is for each value of its leaf, in their order."""
        low, high = leaf.values
        if not isinstance(value, Operation):
            return [value] * (high - low + 1)
        if value is leaf:
            return range(low, high + 1)
        if (value, leaf) not in self._columns:
            if value.op == "table":
                entries, index = value.args
                places = self.column(index, leaf)
                found = [entries[place] if 0 <= place < len(entries) else 0 for place in places]
            else:
                columns = [self.column(arg, leaf) for arg in value.args]
                found = [int(FOLDED[value.op](*each)) for each in zip(*columns, strict=True)]
            self._columns[value, leaf] = found
        return self._columns[value, leaf]


def lowest_of(node: Operation) -> Operation | None:
    """x, if a number is x & -x."""
    for one, other in (node.args, node.args[::-1]):
        if isinstance(one, Operation) and isinstance(other, Operation) and other.op == "neg" and other.args[0] is one:
            return one
    return None


def planar_facts(traced: Pass) -> frozenset[str]:
    """The facts of a pass that are kept as planes: wide ones that are only ever computed plane by plane."""
    wide = {
        name
        for name, value in traced.before.items()
        if isinstance(value, Operation) and traced.after[name] is not value
        if within(range_of(value), WORD) and range_of(value)[1] > BYTE[1]
    }
    while True:
        planes = Planes(wide)
        after = {name: traced.after[name] for name in wide}
        kept = {
            name
            for name, value in after.items()
            if not isinstance(value, Operation) or planes.planar(value) or within(value.values, BYTE)
        }
        if kept == wide:
            return frozenset(wide)
        wide = kept
