"""Acquaintance: all members of a group know each other; how few steps lead from one person to another.

People and groups are the two sides of a bipartite graph, and the search alternates between them: a group of a thousand
people has a thousand edges instead of half a million pairs.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

P = TypeVar("P", bound=Hashable)
"""What stands for a person: a number, a name."""


@dataclass(frozen=True)
class Chain(Generic[P]):
    """A chain of people of whom each knows the next.

    people: from the first to the last. groups: the numbers (from 0) of the groups in which each met the next.
    """

    people: tuple[P, ...]
    groups: tuple[int, ...]

    @property
    def steps(self) -> int:
        """How far the first is from the last: 0 for oneself, 1 for those who know each other."""
        return len(self.groups)


@dataclass(frozen=True)
class Circle(Generic[P]):
    """Everybody whom one person reaches, nearest first.

    links: of each but the first, who comes before on a shortest chain, and the number of the group that links the two.
    """

    first: P
    links: dict[P, tuple[P, int]]

    def __len__(self) -> int:
        return 1 + len(self.links)

    def chain(self, last: P) -> Chain[P] | None:
        """A shortest chain from the first person to `last`; None if there is none."""
        if last != self.first and last not in self.links:
            return None
        people, groups = [last], []
        while people[-1] != self.first:
            before, group = self.links[people[-1]]
            people.append(before)
            groups.append(group)
        return Chain(tuple(reversed(people)), tuple(reversed(groups)))


class Acquaintance(Generic[P]):
    """Who met whom: groups of people, each by its members. A member named twice and a group of one do no harm."""

    def __init__(self, groups: Iterable[Iterable[P]]) -> None:
        self.groups = tuple(map(tuple, groups))
        self._groups_of: defaultdict[P, list[int]] = defaultdict(list)
        for number, members in enumerate(self.groups):
            for member in members:
                self._groups_of[member].append(number)

    @property
    def people(self) -> tuple[P, ...]:
        """Everybody who is in a group, in the order in which they are named."""
        return tuple(self._groups_of)

    def circle(self, first: P) -> Circle[P]:
        """Everybody whom `first` reaches, by a breadth-first search that enters each group once."""
        links: dict[P, tuple[P, int]] = {}
        entered: set[int] = set()
        waiting = deque([first])
        while waiting:
            person = waiting.popleft()
            for group in self._groups_of.get(person, ()):
                if group in entered:
                    continue
                entered.add(group)
                for member in self.groups[group]:
                    if member not in links and member != first:
                        links[member] = person, group
                        waiting.append(member)
        return Circle(first, links)

    def chain(self, first: P, last: P) -> Chain[P] | None:
        """A shortest chain from `first` to `last`; None if there is none."""
        return self.circle(first).chain(last)

    def chains(self) -> Iterator[tuple[P, P, Chain[P] | None]]:
        """Every two people, each two once, and a shortest chain between them."""
        people = self.people
        for index, first in enumerate(people):
            circle = self.circle(first)
            for last in people[index + 1 :]:
                yield first, last, circle.chain(last)
