"""What numbers and masks are made of, where less is to be computed for the same result."""

from __future__ import annotations

from collections.abc import Sequence

from maumau.kernels.lanes.nodes import FOLDED, Node, Value, range_of

MOST_PLACES = 16
"""Values of a place, at most, for each of which it is compared with another place."""


def without_lowest(one: Value) -> Node | None:
    """x, if a number is x & x - 1, with x at least 0."""
    if not isinstance(one, Node) or one.op != "and":
        return None
    for x, less in (one.args, one.args[::-1]):
        if isinstance(less, Node) and less.op == "add" and less.args == (x, -1) and range_of(x)[0] >= 0:
            return x if isinstance(x, Node) else None
    return None


def same_place(later: Node, before: Node) -> tuple[Node, Node, Node] | None:
    """Whether something is at a place, and the rest of two masks that it is part of."""
    if later.op != "both" or before.op != "both":
        return None
    shared = [part for part in later.args if part in before.args and part.op == "eq"]
    if len(shared) != 1:
        return None
    here = shared[0]
    return here, later.args[later.args[0] is here], before.args[before.args[0] is here]


def written(values: Sequence[Value], first: int) -> tuple[Value, Node, Value, list[Value]] | None:
    """Where a value was put among others, numbered from `first` on; its place, the value, and all values before."""
    found: set[tuple[Value, Node, Value]] = set()
    before: list[Value] = []
    for position, value in enumerate(values, first):
        if not isinstance(value, Node) or value.op != "select":
            return None
        condition, new, old = value.args
        parts = condition.args if condition.op == "both" else (condition, True)
        here = [part for part in parts if isinstance(part, Node) and part.op == "eq" and part.args[1] == position]
        if len(here) != 1:
            return None
        found.add((parts[parts[0] is here[0]], here[0].args[0], new))
        before.append(old)
    return (*found.pop(), before) if len(found) == 1 else None


def differ(place: Node, other: Value) -> bool:
    """Whether a number is another one for each value of the first, from which alone it is computed."""
    low, high = place.values
    if high - low >= MOST_PLACES:
        return False
    return all(_if_it_is(place, value, other) not in (value, None) for value in range(low, high + 1))


def _if_it_is(place: Node, number: int, value: Value) -> int | None:
    """What a value is if another one is this number; None if it is not known."""
    if value is place:
        return number
    if not isinstance(value, Node):
        return value
    if value.op not in FOLDED:
        return None
    args: list[int] = []
    for arg in value.args:
        if (known := _if_it_is(place, number, arg)) is None:
            return None
        args.append(known)
    return int(FOLDED[value.op](*args))


def whole(one: Value, other: Value) -> Node | None:
    """x, if two masks are x and y, and x and not y."""
    if not isinstance(one, Node) or not isinstance(other, Node) or not one.op == other.op == "both":
        return None
    shared: list[Node] = [part for part in one.args if part in other.args]
    rest, its = (next((part for part in mask.args if part not in shared), mask) for mask in (one, other))
    opposite = (its.op == "not" and its.args[0] is rest) or (rest.op == "not" and rest.args[0] is its)
    return shared[0] if len(shared) == 1 and opposite else None
