"""Properties over time in a graph of positions: a way that never comes to the goal is a path and a loop, or an end.

The path and the loop together are as short as any. Fairness: players may choose anything, forced events happen.
Some positions may be passed `once` only, as the game comes to the goal when they return: no loop goes through them.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from typing import NamedTuple

Successors = Sequence[Sequence[int]]


class Lasso(NamedTuple):
    """A way that never comes to a goal: positions from the one where it had to, and those of the loop that follows.

    path: from the first position to the one where the loop begins, both included. loop: the positions after that one,
    up to itself; empty if the game ends there.
    """

    path: tuple[int, ...]
    loop: tuple[int, ...]


def avoiding(successors: Successors, goals: Container[int], once: Collection[int] = ()) -> set[int]:
    """The positions from which the game can go on for ever, or end, without coming to a goal."""
    allowed = {position for position in range(len(successors)) if position not in goals}
    left = allowed.difference(once)
    ways, before = _ways_within(successors, left)
    waiting = [position for position in left if successors[position] and not ways[position]]
    while waiting:
        gone = waiting.pop()
        left.discard(gone)
        for position in before.get(gone, ()):
            ways[position] -= 1
            if not ways[position] and position in left:
                waiting.append(position)
    waiting, before = list(left if once else ()), _ways_within(successors, allowed)[1]
    while waiting:
        fresh = [position for position in before.get(waiting.pop(), ()) if position not in left]
        left.update(fresh)
        waiting += fresh
    return left


def _ways_within(successors: Successors, allowed: Collection[int]) -> tuple[dict[int, int], dict[int, list[int]]]:
    """How many ways lead on from each of some positions to others of them, and from which ones each is reached."""
    before: dict[int, list[int]] = {}
    ways = {}
    for position in allowed:
        following = [each for each in set(successors[position]) if each in allowed]
        ways[position] = len(following)
        for each in following:
            before.setdefault(each, []).append(position)
    return ways, before


def lasso(successors: Successors, start: int, allowed: Container[int], looping: Container[int] | None = None) -> Lasso:
    """A shortest way from `start` that never leaves `allowed`, where each position has a way on, or none at all.

    looping: those positions through which loops may go, if not all.
    """
    parents: dict[int, int | None] = {start: None}
    level, best = [start], None
    looping = allowed if looping is None else looping
    length, total = 1, len(successors) + 2
    while length < total:
        for position in level:
            loop = _loop(successors, position, looping, total - length) if successors[position] else ()
            if loop is not None and length + len(loop) < total:
                best, total = Lasso(_path(parents, position, None), loop), length + len(loop)
        level, length = _next_level(successors, level, parents, allowed), length + 1
    assert best is not None
    return best


def _next_level(
    successors: Successors, level: Iterable[int], parents: dict[int, int | None], allowed: Container[int]
) -> list[int]:
    """The positions to which others lead, and which have no parents yet; they are given them."""
    found = []
    for here in level:
        for each in successors[here]:
            if each in allowed and each not in parents:
                parents[each] = here
                found.append(each)
    return found


def _path(parents: Mapping[int, int | None], position: int, before: int | None) -> tuple[int, ...]:
    """The positions to `position` from the one that comes after `before`, or from the first one if that is None."""
    found = [position]
    while (parent := parents[found[-1]]) != before:
        assert parent is not None
        found.append(parent)
    return tuple(found[::-1])


def _loop(successors: Successors, position: int, looping: Container[int], fewer: int) -> tuple[int, ...] | None:
    """A shortest way from a position back to itself, without its beginning; None without one of fewer positions."""
    parents: dict[int, int | None] = {}
    level, length = [position] if position in looping else [], 0
    while level and length + 1 < fewer and position not in parents:
        level, length = _next_level(successors, level, parents, looping), length + 1
    return _path(parents, position, position) if position in parents else None
