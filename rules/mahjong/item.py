"""Scoring items: points for a property of a winning hand, which may hold more than once.

An item reads a hand in one of its splits as four masks of kinds, integers of 27 bits with a bit for each tile code:

- `fours`: the kinds of which all four tiles are there, hidden, exposed or as the wait.
- `runs`: the lowest tile of each run. `triplets`: the kind of each meld of equal tiles, of three or four.
- `pairs`: the kind of each pair, one beside melds, else seven; four equal tiles are two pairs of one kind.

Exposed melds are among them. No item asks how often a group is there. The functions are rule functions: `maumau waits`
calls them from Python, and the game at the table is compiled with them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rules.rule import label, query

Times = Callable[[int, int, int, int], int]
"""How often an item holds, by the masks `fours`, `runs`, `triplets` and `pairs`; yes is once."""


@dataclass(frozen=True)
class Item:
    """A scoring item: its name, the points for each time that it holds, and the rule in one sentence."""

    name: str
    points: int
    description: str
    times: Times = field(repr=False)


def item(points: int, description: str) -> Callable[[Times], Item]:
    """Make an item of a function of the four masks; its name is the function's."""
    return lambda times: Item(label(times), points, description, query(times))


def score_of(items: Sequence[Item]) -> Times:
    """The rule function that adds up the points of all items, by the same four masks."""
    *before, last = items
    points, times = last.points, last.times
    if not before:

        @query
        def score(fours: int, runs: int, triplets: int, pairs: int) -> int:
            return points * times(fours, runs, triplets, pairs)

        return score
    rest = score_of(before)

    @query
    def score_with_rest(fours: int, runs: int, triplets: int, pairs: int) -> int:
        return rest(fours, runs, triplets, pairs) + points * times(fours, runs, triplets, pairs)

    return score_with_rest
