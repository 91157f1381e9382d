"""A search by a tree: the memory of trees."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from math import log, sqrt

from fsm.edge.numbers import Array, np
from maumau.agents.compiled.tree import COUNT, DEVIATION, FIRST, GAINED, GAMES, OWN, ROOT, TRIED
from maumau.agents.compiled.worlds import TreeArrays

WALKS = 4
"""Games of a world for which there is room on average."""
LEAD = 2.5
"""What another action than that of the own policy must gain more, in all games that take it together, in units as the
confidence bounds, times the logarithm of the number of actions: the most that few games show is mostly chance."""
GIVEN_UP = 1e200
"""How much less good an action is that was given up."""
EDGES_EACH = 16
"""Edges of a node for which there is room in the mean."""


class SearchTree:
    """The memory of a tree in which so many worlds have room, to be used for one decision after another.

    workspace: what the program works on.
    """

    def __init__(self, worlds: int, actions: int) -> None:
        games = worlds * min(actions, WALKS)
        self.actions = actions
        self.workspace = TreeArrays(
            marks=np.zeros(4 << games.bit_length(), np.int64),
            nodes=np.zeros((games + 2, 5), np.int64),
            edges=np.zeros((actions + 2 + games * min(actions, EDGES_EACH), 3), np.int64),
            scale=np.zeros(3),
            curve=_curve(games + 2),
        )
        self.clear()

    def clear(self) -> None:
        """Forget all nodes."""
        tree = self.workspace
        tree.marks[:], tree.edges[0], tree.scale[:], tree.nodes[ROOT] = 0, 0, 0, 0

    def root(self) -> tuple[Array, Array, Array]:
        """Return of each action at the root how many games took it, what they gained together, and how good it is.

        Shapes (actions,). An action is as good as it is worth on average; another one than that of the own policy is
        less good, the fewer games took it. Those that were given up come last, by how often they were tried.
        """
        nodes, edges, scale = self.workspace.nodes, self.workspace.edges, self.workspace.scale
        first = int(nodes[ROOT, FIRST])
        rows = edges[first : first + int(nodes[ROOT, COUNT])]
        tried, gained = np.zeros((2, self.actions), np.int64)
        tried[rows[:, 0]], gained[rows[:, 0]] = rows[:, TRIED], rows[:, GAINED]
        lead = np.zeros(self.actions)
        if own := int(nodes[ROOT, OWN]):
            lead[:] = LEAD * log(len(rows)) * (2 * scale[DEVIATION] / scale[GAMES] if scale[GAMES] else 1)
            lead[edges[own, 0]] = 0
        often = 2 * tried >= tried.max()
        return tried, gained, np.where(often, (gained - lead) / np.maximum(tried, 1), tried - GIVEN_UP)


class Trees:
    """Trees for searches in several threads. worlds, actions: as of each tree."""

    def __init__(self, worlds: int, actions: int) -> None:
        self._make, self._free = partial(SearchTree, worlds, actions), list[SearchTree]()

    @contextmanager
    def one(self) -> Iterator[SearchTree]:
        """Lend a tree without nodes to one decision."""
        try:
            tree = self._free.pop()
            tree.clear()
        except IndexError:  # other threads use all
            tree = self._make()
        yield tree
        self._free.append(tree)


@cache
def _curve(games: int) -> Array:
    """Return what confidence bounds need, by a number of games: a row of each of LOGARITHM and ROOTS."""
    found = np.zeros((2, games))
    found[0] = [sqrt(log(number + 1)) for number in range(games)]
    found[1] = [sqrt(1 / max(number, 1)) for number in range(games)]
    return found
