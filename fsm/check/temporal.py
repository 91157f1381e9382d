"""Properties over time in a graph of positions: a way that never comes to the goal is a path and a loop, or an end.

The path and the loop together are as short as any. Fairness: players may choose anything, forced events happen.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

Successors = Sequence[Sequence[int]]


class Lasso(NamedTuple):
    """A way that never comes to a goal: positions from the one where it had to, and those of the loop that follows.

    path: from the first position to the one where the loop begins, both included. loop: the positions after that one,
    up to itself; empty if the game ends there.
    """

    path: tuple[int, ...]
    loop: tuple[int, ...]


def avoiding(successors: Successors, goals: Container[int]) -> set[int]:
    """The positions from which the game can go on for ever, or end, without coming to a goal."""
    left = {position for position in range(len(successors)) if position not in goals}
    before: dict[int, list[int]] = {}
    ways = {}
    for position in left:
        following = [each for each in set(successors[position]) if each in left]
        ways[position] = len(following)
        for each in following:
            before.setdefault(each, []).append(position)
    waiting = [position for position in left if successors[position] and not ways[position]]
    while waiting:
        gone = waiting.pop()
        left.discard(gone)
        for position in before.get(gone, ()):
            ways[position] -= 1
            if not ways[position] and position in left:
                waiting.append(position)
    return left


def lasso(successors: Successors, start: int, allowed: Container[int]) -> Lasso:
    """A shortest way from `start` that never leaves `allowed`, where each position has a way on, or none at all."""
    parents = _tree(successors, start, allowed)
    best = None
    for position in parents:
        path = _path(parents, position)
        if best is not None and len(path) >= sum(map(len, best)):
            break
        loop = _loop(successors, position, allowed) if successors[position] else ()
        if loop is not None and (best is None or len(path) + len(loop) < sum(map(len, best))):
            best = Lasso(path, loop)
    assert best is not None
    return best


def _tree(successors: Successors, start: int, allowed: Container[int]) -> dict[int, int]:
    """The position from which each was found first, breadth first; the first is found from itself."""
    parents, waiting = {start: start}, deque([start])
    while waiting:
        here = waiting.popleft()
        for each in successors[here]:
            if each in allowed and each not in parents:
                parents[each] = here
                waiting.append(each)
    return parents


def _path(parents: Mapping[int, int], position: int) -> tuple[int, ...]:
    """The positions from the root of a tree to `position`."""
    found = [position]
    while parents[found[-1]] != found[-1]:
        found.append(parents[found[-1]])
    return tuple(found[::-1])


def _loop(successors: Successors, position: int, allowed: Container[int]) -> tuple[int, ...] | None:
    """A shortest way from a position back to itself, without its beginning; None if there is none."""
    parents: dict[int, int] = {}
    waiting = deque([position])
    while waiting:
        here = waiting.popleft()
        for each in successors[here]:
            if each in allowed and each not in parents:
                parents[each] = here
                if each == position:
                    return _back(parents, position)
                waiting.append(each)
    return None


def _back(parents: Mapping[int, int], position: int) -> tuple[int, ...]:
    found = [position]
    while parents[found[-1]] != position:
        found.append(parents[found[-1]])
    return tuple(found[::-1])
