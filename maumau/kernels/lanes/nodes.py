"""The nodes of a graph, each one operation with its range, and what is known from ranges alone, or from how they are
made of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from maumau.kernels.compiler.operators import COMPUTED
from maumau.kernels.lanes.intervals import BINARY, UNARY, Range, hull, narrower


class Operation:
    """One operation. args: nodes and constants. is_mask: whether it is yes or no. values: its range. depth: of the
    longest row of operations, each of which needs the one before, that ends here.
    """

    __slots__ = ("args", "depth", "is_mask", "number", "op", "values")

    def __init__(self, op: str, args: tuple[Any, ...], is_mask: bool, values: Range, number: int) -> None:
        self.op, self.args, self.is_mask, self.values, self.number = op, args, is_mask, values, number
        self.depth: int = 1 + max((arg.depth for arg in args if isinstance(arg, Operation)), default=0)

    def __hash__(self) -> int:
        return self.number  # sets of masks have the same order in every process

    def __repr__(self) -> str:
        return f"<{self.number} {self.op} {self.values}>"


Value = int | Operation
"""An integer, a truth value, or the node of either."""


def range_of(value: Value) -> Range:
    """The range of a value."""
    return value.values if isinstance(value, Operation) else (int(value), int(value))


def is_mask(value: Value) -> bool:
    """Whether a value is yes or no."""
    return value.is_mask if isinstance(value, Operation) else isinstance(value, bool)


MIRRORED = {"eq": "eq", "lt": "gt", "gt": "lt"}
FOLDED: dict[str, Callable[..., Any]] = COMPUTED | {
    "shl": lambda one, other: one << other if other >= 0 else 0,
    "shr": lambda one, other: one >> other if other >= 0 else 0,
    "both": lambda one, other: one and other,
    "either": lambda one, other: one or other,
    "select": lambda condition, one, other: one if condition else other,
}
"""What is computed of constants. A negative shift is in a branch that is not taken."""


def computed(nodes: Sequence[Operation], given: Mapping[str, int]) -> dict[Operation, int]:
    """What the nodes of a graph without rows are for one game. given: its fields and inputs."""
    more: dict[str, Callable[..., int]] = {"table": lambda entries, index: entries[index], "clamp": FOLDED["select"]}
    found: dict[Operation, int] = {}
    for node in nodes:
        if node.op in ("field", "input"):
            found[node] = given[node.args[0]]
        else:
            compute = more[node.op] if node.op in more else FOLDED[node.op]
            found[node] = int(compute(*(found[arg] if isinstance(arg, Operation) else arg for arg in node.args)))
    return found


def range_of_unary(op: str, one: Operation) -> Range:
    """The range of an operation of one number, as far as it follows from how that was computed: a part of a constant
    mask has no more ones than the mask.
    """
    if op == "popcount" and one.op == "and" and not isinstance(one.args[1], Operation):
        return 0, one.args[1].bit_count()
    return UNARY[op](one.values)


def decided(op: str, one: Range, other: Range) -> bool | None:
    """The answer to a comparison that follows from the ranges."""
    if one[0] == one[1] and other[0] == other[1]:
        return bool(FOLDED[op](one[0], other[0]))
    if one[1] < other[0]:
        return op == "lt"
    if one[0] > other[1]:
        return op == "gt"
    if (op == "lt" and one[0] == other[1]) or (op == "gt" and one[1] == other[0]):
        return False
    return None


Ranges = Callable[[Value], Range]


def select_range(condition: Operation, one: Value, other: Value, of: Ranges) -> Range:
    """The range of a choice; the condition may narrow the range of a value that it compares."""
    return hull(_known_that(condition, True, one, of), _known_that(condition, False, other, of))


def _known_that(condition: Value, holds: bool, value: Value, of: Ranges) -> Range:
    """The range of `value` where the condition holds, or does not."""
    low, high = of(value)
    if not isinstance(condition, Operation) or not isinstance(value, Operation):
        return low, high
    if condition.op == "not":
        return _known_that(condition.args[0], not holds, value, of)
    if condition.op in ("both", "either"):
        one, other = (_known_that(part, holds, value, of) for part in condition.args)
        return narrower(one, other) if holds == (condition.op == "both") else hull(one, other)
    if condition.op in MIRRORED and condition.args[0] is value and not isinstance(condition.args[1], Operation):
        return narrower((low, high), _compared(condition.op, holds, condition.args[1], (low, high)))
    if value.op == "sub" and condition.op == "lt" and condition.args == value.args:
        return narrower((low, high), (low, -1) if holds else (0, high))
    if value.op == "neg":
        return narrower((low, high), UNARY["neg"](_known_that(condition, holds, value.args[0], of)))
    if value.op == "add" and not isinstance(value.args[1], Operation):
        first = _known_that(condition, holds, value.args[0], of)
        return narrower((low, high), BINARY["add"](first, range_of(value.args[1])))
    return low, high


def _compared(op: str, holds: bool, constant: int, values: Range) -> Range:
    """The part of a range for which a comparison with a constant has an answer."""
    low, high = values
    if op == "eq":
        return (constant, constant) if holds else (low + (low == constant), high - (high == constant))
    if op == "lt":
        return (low, constant - 1) if holds else (constant, high)
    return (constant + 1, high) if holds else (low, constant)


# ---------------------------------------------------------------- what needs less for the same result


MOST_PLACES = 16
"""Values of a place, at most, for each of which it is compared with another place."""


def without_lowest(one: Value) -> Operation | None:
    """x, if a number is x & x - 1, with x at least 0."""
    if not isinstance(one, Operation) or one.op != "and":
        return None
    for x, less in (one.args, one.args[::-1]):
        if isinstance(less, Operation) and less.op == "add" and less.args == (x, -1) and range_of(x)[0] >= 0:
            return x if isinstance(x, Operation) else None
    return None


def same_place(later: Operation, before: Operation) -> tuple[Operation, Operation, Operation] | None:
    """Whether something is at a place, and the rest of two masks that it is part of."""
    if later.op != "both" or before.op != "both":
        return None
    shared = [part for part in later.args if part in before.args and part.op == "eq"]
    if len(shared) != 1:
        return None
    here = shared[0]
    return here, later.args[later.args[0] is here], before.args[before.args[0] is here]


def written(values: Sequence[Value], first: int) -> tuple[Value, Operation, Value, list[Value]] | None:
    """Where a value was put among others, numbered from `first` on; its place, the value, and all values before."""
    found: set[tuple[Value, Operation, Value]] = set()
    before: list[Value] = []
    for position, value in enumerate(values, first):
        if not isinstance(value, Operation) or value.op != "select":
            return None
        condition, new, old = value.args
        parts = condition.args if condition.op == "both" else (condition, True)
        here = [part for part in parts if isinstance(part, Operation) and part.op == "eq" and part.args[1] == position]
        if len(here) != 1:
            return None
        found.add((parts[parts[0] is here[0]], here[0].args[0], new))
        before.append(old)
    return (*found.pop(), before) if len(found) == 1 else None


def differ(place: Operation, other: Value) -> bool:
    """Whether a number is another one for each value of the first, from which alone it is computed."""
    low, high = place.values
    if high - low >= MOST_PLACES:
        return False
    return all(_if_it_is(place, value, other) not in (value, None) for value in range(low, high + 1))


def _if_it_is(place: Operation, number: int, value: Value) -> int | None:
    """What a value is if another one is this number; None if it is not known."""
    if value is place:
        return number
    if not isinstance(value, Operation):
        return value
    if value.op not in FOLDED:
        return None
    args: list[int] = []
    for arg in value.args:
        if (known := _if_it_is(place, number, arg)) is None:
            return None
        args.append(known)
    return int(FOLDED[value.op](*args))


def whole(one: Value, other: Value) -> Operation | None:
    """x, if two masks are x and y, and x and not y."""
    if not isinstance(one, Operation) or not isinstance(other, Operation) or not one.op == other.op == "both":
        return None
    shared: list[Operation] = [part for part in one.args if part in other.args]
    rest, its = (next((part for part in mask.args if part not in shared), mask) for mask in (one, other))
    opposite = (its.op == "not" and its.args[0] is rest) or (rest.op == "not" and rest.args[0] is its)
    return shared[0] if len(shared) == 1 and opposite else None
