"""Chains: runs of cards in which each one answers the previous one, counted by length.

Counts of arcs give the number of chains and the number of answers, but not the length of each chain. So the arcs that
end a chain are split by its length. The kernel that counts arcs then counts chains by length, exactly and at no extra
cost. The opening card can start a chain; a last card that answers belongs to the chain that it answers.
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
class CountedArcs:
    """The arcs that a study counts.

    game: the declaration whose arcs are counted. declared: maps each of them to an arc of the original declaration.
    chains: the length of the chain for each arc that ends one; empty if the game has no chains.
    """

    game: Declaration
    declared: Mapping[Arc, Arc]
    chains: Mapping[Arc, int]

    def as_declared(self, fired: Mapping[Arc, int]) -> dict[Arc, int]:
        """The number of times that each arc of the original declaration was fired."""
        totals = dict.fromkeys(self.declared.values(), 0)
        for arc, count in fired.items():
            totals[self.declared[arc]] += count
        return totals

    def lengths(self, fired: Mapping[Arc, int]) -> dict[int, int]:
        """The number of chains by length."""
        chains = dict.fromkeys(sorted(set(self.chains.values())), 0)
        for arc, length in self.chains.items():
            chains[length] += fired[arc]
        return chains


def counted_arcs(name: str) -> CountedArcs:
    """The arcs that are counted for the game called `name`."""
    return _counted_arcs(game_class(name).declaration)


@cache
def _counted_arcs(game: Declaration) -> CountedArcs:
    if game.chain is None:
        return CountedArcs(game, {arc: arc for arc in game.arcs}, {})
    return _by_length(game, game.chain)


def _by_length(game: Declaration, chain: Chain) -> CountedArcs:
    """The arcs of a game, with those that end a chain split by its length."""
    ends = [arc for arc in game.leaving(chain.phase) if arc.dest is not chain.phase]
    split, declared = split_arcs(game, dict.fromkeys(ends, chain.lengths))
    longest = len(chain.lengths)
    lengths = {
        arc: length + (arc.trigger == chain.answer)
        for arc, original in declared.items()
        for length, guard in enumerate(chain.lengths, 1)
        if original in ends and guard in arc.when
    }
    return CountedArcs(split, declared, {arc: length for arc, length in lengths.items() if length <= longest})
