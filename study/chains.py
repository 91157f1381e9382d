"""Chains: how often things came once, twice, three or more times in a row, each answering the one before.

The arcs of a game tell how many chains began and how many answers there were, not how long each chain was. So the arcs
that end a chain are split by its length, and the kernel that counts arcs counts chains by length, exactly and at no
cost. What begins the game may begin a chain; a last card that answers belongs to the chain that it answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from fsm.arcs import Arc
from fsm.chain import Chain
from fsm.declaration import Declaration
from fsm.registry import game_class
from fsm.split_arcs import split_arcs


@dataclass(frozen=True)
class Counted:
    """What a study counts arcs of.

    game: a declaration whose arcs are counted. was: for each of them the arc of the game as it is declared.
    chains: for each arc that ends a chain how long the chain was; empty where a game has none.
    """

    game: Declaration
    was: Mapping[Arc, Arc]
    chains: Mapping[Arc, int]

    def as_declared(self, fired: Mapping[Arc, int]) -> dict[Arc, int]:
        """How often each arc of the declaration was fired."""
        whole = dict.fromkeys(self.was.values(), 0)
        for arc, count in fired.items():
            whole[self.was[arc]] += count
        return whole

    def lengths(self, fired: Mapping[Arc, int]) -> dict[int, int]:
        """How many chains there were, by length."""
        found = dict.fromkeys(sorted(set(self.chains.values())), 0)
        for arc, length in self.chains.items():
            found[length] += fired[arc]
        return found


def counted(name: str) -> Counted:
    """What is counted of the game called `name`."""
    return _counted(game_class(name).declaration)


@cache
def _counted(game: Declaration) -> Counted:
    if game.chain is None:
        return Counted(game, {arc: arc for arc in game.arcs}, {})
    return _by_length(game, game.chain)


def _by_length(game: Declaration, chain: Chain) -> Counted:
    """The game with the arcs that end a chain split by its length."""
    ends = [arc for arc in game.leaving(chain.phase) if arc.dest is not chain.phase]
    split, was = split_arcs(game, dict.fromkeys(ends, chain.lengths))
    longest = len(chain.lengths)
    lengths = {
        arc: length + (arc.trigger == chain.answer)
        for arc, declared in was.items()
        for length, guard in enumerate(chain.lengths, 1)
        if declared in ends and guard in arc.when
    }
    return Counted(split, was, {arc: length for arc, length in lengths.items() if length <= longest})
