"""Interval arithmetic: from the ranges of the arguments of an operation, a range that holds all its results.

Integers are those of Python, without limit. A shift by a negative amount, which Python refuses, gives 0 here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from itertools import product

Range = tuple[int, int]
"""The least and the greatest value, both included."""
MASK: Range = (0, 1)
BYTE: Range = (0, 255)
WIDEST_SHIFT = 512
"""Shifts by more bits count as shifts by so many, so that ranges stay small; they fit no register in either case."""


def hull(one: Range, other: Range) -> Range:
    """The smallest range that holds both."""
    return min(one[0], other[0]), max(one[1], other[1])


def common(one: Range, other: Range) -> Range:
    """The common part of two ranges; its ends are in the wrong order if there is none."""
    return max(one[0], other[0]), min(one[1], other[1])


def narrower(one: Range, other: Range) -> Range:
    """The common part of two ranges; the first, if there is none: then nothing is known."""
    low, high = common(one, other)
    return (low, high) if low <= high else one


def within(inner: Range, outer: Range) -> bool:
    """Whether every value of `inner` is in `outer`."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def all_ones(number: int) -> int:
    """The least number of the form 2**k - 1 that is not below `number`."""
    return (1 << max(number, 0).bit_length()) - 1


def width_of(values: Range) -> int:
    """Bits of the narrowest register (8, 16, 32, 64) that holds a range, signed or unsigned; 0 if none does."""
    low, high = values
    for bits in (8, 16, 32, 64):
        if (low >= 0 and high < 1 << bits) or (low >= -(1 << bits - 1) and high < 1 << bits - 1):
            return bits
    return 0


def bitwise_and(one: Range, other: Range) -> Range:
    """The range of a bitwise and: if one argument is not negative, the result is not greater than it."""
    if one[0] >= 0 and other[0] >= 0:
        return 0, min(one[1], other[1], all_ones(one[1]) & all_ones(other[1]))
    if one[0] >= 0 or other[0] >= 0:
        positive, mixed = (one, other) if one[0] >= 0 else (other, one)
        known = mixed[0] == mixed[1]
        return 0, min(positive[1], all_ones(positive[1]) & mixed[0]) if known else positive[1]
    lowest = -(1 << max(~one[0], ~other[0]).bit_length())
    if one[0] == one[1] or other[0] == other[1]:
        constant, mixed = (one[0], other) if one[0] == one[1] else (other[0], one)
        return lowest, all_ones(mixed[1]) & constant if mixed[1] >= 0 else -1
    return lowest, max(one[1], other[1])


def bitwise_or(one: Range, other: Range) -> Range:
    """The range of a bitwise or, and of an exclusive one."""
    if one[0] >= 0 and other[0] >= 0:
        return 0, all_ones(max(one[1], other[1]))
    bits = max(one[1], other[1], ~one[0], ~other[0], 0).bit_length()
    return -(1 << bits), (1 << bits) - 1


def corners(compute: Callable[[int, int], int], one: Range, other: Range) -> Range:
    """The range of what is least and greatest where both arguments are."""
    found = [compute(first, second) for first, second in product(one, other)]
    return min(found), max(found)


def shifted(compute: Callable[[int, int], int], one: Range, other: Range) -> Range:
    """The range of a shift, which is 0 for a negative amount."""
    least, most = (min(max(amount, 0), WIDEST_SHIFT) for amount in other)
    found = corners(compute, one, (least, most))
    return hull(found, (0, 0)) if other[0] < 0 else found


BINARY: dict[str, Callable[[Range, Range], Range]] = {
    "add": lambda one, other: (one[0] + other[0], one[1] + other[1]),
    "sub": lambda one, other: (one[0] - other[1], one[1] - other[0]),
    "mul": partial(corners, operator.mul),
    "and": bitwise_and,
    "or": bitwise_or,
    "xor": bitwise_or,
    "shl": partial(shifted, operator.lshift),
    "shr": partial(shifted, operator.rshift),
    "mod": lambda one, other: (0, min(one[1], other[1] - 1)),
    "div": lambda one, other: (one[0] // other[1], one[1] // other[0]),
}
"""The ranges of results. Of a division, both arguments are not negative, and the second is not 0."""
UNARY: dict[str, Callable[[Range], Range]] = {
    "neg": lambda one: (-one[1], -one[0]),
    "inv": lambda one: (~one[1], ~one[0]),
    "popcount": lambda one: (1 if one[0] > 0 else 0, one[1].bit_length()),
    "length": lambda one: (one[0].bit_length(), one[1].bit_length()),
}
"""The same of one argument; one whose bits are counted is not negative."""
