"""Computes the graphs of lanes with plain integers, for one game at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from maumau.kernels.lanes.nodes import Operation, Value

OPERATIONS: dict[str, Callable[..., int]] = {
    "both": lambda one, other: one and other,
    "either": lambda one, other: one or other,
    "not": lambda one: not one,
    "select": lambda condition, one, other: one if condition else other,
    "clamp": lambda outside, low, value: low if outside else value,
    "eq": lambda one, other: one == other,
    "lt": lambda one, other: one < other,
    "gt": lambda one, other: one > other,
    "add": lambda one, other: one + other,
    "sub": lambda one, other: one - other,
    "mul": lambda one, other: one * other,
    "and": lambda one, other: one & other,
    "or": lambda one, other: one | other,
    "xor": lambda one, other: one ^ other,
    "mod": lambda one, other: one % other,
    "div": lambda one, other: one // other,
    "shl": lambda one, other: one << other if other >= 0 else 0,
    "shr": lambda one, other: one >> other if other >= 0 else 0,
    "neg": lambda one: -one,
    "inv": lambda one: ~one,
    "popcount": lambda one: one.bit_count(),
    "length": lambda one: one.bit_length(),
    "table": lambda entries, index: entries[index],
}


def computed(value: Value, fields: Mapping[str, int], known: dict[Operation, Any] | None = None) -> int:
    """What a value of a graph without rows is, if the fields are these."""
    if not isinstance(value, Operation):
        return value
    known = {} if known is None else known
    if value not in known:
        if value.op in ("field", "input"):
            known[value] = fields[value.args[0]]
        else:
            arguments = [computed(arg, fields, known) if isinstance(arg, Operation) else arg for arg in value.args]
            known[value] = OPERATIONS[value.op](*arguments)
    return known[value]  # type: ignore[no-any-return]
