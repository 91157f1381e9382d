"""The width of every operation: as narrow as its range and its users allow.

A number is exact in a register that holds its range. Sums, products and bitwise operations may be computed modulo a
power of two if nobody needs the upper bits; comparisons, shifts to the right, counts of bits and indices need exact
numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from maumau.kernels.lanes.graph import Node, UntraceableError, Value, range_of
from maumau.kernels.lanes.intervals import hull, width_of

ENTRY_BITS = 32
"""Bits of an entry of a table in memory, at least, and of the index of one."""
WIDEST = 64
MODULAR = ("add", "sub", "mul", "and", "or", "xor", "neg", "inv", "select", "clamp")


def exact_width(value: Value) -> int:
    """Bits of the register that holds a number exactly. Raises UntraceableError if none does."""
    if bits := width_of(range_of(value)):
        return bits
    raise UntraceableError(f"a number from {range_of(value)[0]} to {range_of(value)[1]}, which fits no register")


def common_width(*values: Value) -> int:
    """Bits of the register that holds each of some numbers exactly."""
    span = range_of(values[0])
    for value in values[1:]:
        span = hull(span, range_of(value))
    if bits := width_of(span):
        return bits
    raise UntraceableError(f"numbers from {span[0]} to {span[1]} are compared, which fit no register")


def widths(nodes: Sequence[Node], outputs: Iterable[tuple[Value, int]]) -> dict[Node, int]:
    """The bits in which each number of `nodes` is computed. outputs: values that are used outside, and with how many
    bits.
    """
    needed = dict.fromkeys(nodes, 0)

    def need(value: Value, bits: int) -> None:
        if isinstance(value, Node) and not value.is_mask:
            needed[value] = max(needed[value], bits)

    for value, bits in outputs:
        need(value, min(bits, width_of(range_of(value)) or WIDEST))
    found: dict[Node, int] = {}
    for node in reversed(nodes):
        if not node.is_mask:
            found[node] = _width(node, needed[node])
        for value, bits in _arguments(node, found.get(node, 0)):
            need(value, bits)
    return found


def _width(node: Node, needed: int) -> int:
    natural = width_of(node.values) or WIDEST
    bits = max(min(natural, needed or 8), ENTRY_BITS if node.op == "table" else 8)
    if node.op in ("shr", "mod", "div"):
        bits = max(bits, exact_width(node.args[0]))
    if node.op in ("mod", "div", "shl", "shr"):
        bits = max(bits, exact_width(node.args[1]))
    return bits


def _arguments(node: Node, bits: int) -> Iterable[tuple[Value, int]]:
    """What a node is computed from, and with how many bits; of masks nobody asks for them."""
    if node.op in MODULAR and not node.is_mask:
        return [(value, min(bits, width_of(range_of(value)) or WIDEST)) for value in node.args]
    if node.op == "shl":
        return [
            (node.args[0], min(bits, width_of(range_of(node.args[0])) or WIDEST)),
            (node.args[1], exact_width(node.args[1])),
        ]
    if node.op in ("eq", "lt", "gt"):
        common_width(*node.args)
    return [(value, exact_width(value)) for value in node.args if isinstance(value, Node)]
