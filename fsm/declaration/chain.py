"""What is counted of a game: how often each arc is fired, and chains, runs of events, by length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fsm.declaration.arcs import Arc, Guards, Phase


@dataclass(frozen=True)
class Chain:
    """Cards that are laid several times in a row, each in answer to the one before, until a player does not answer.

    things: what they are, in the plural. phase: in which a chain goes on; an arc that leaves it ends the chain.
    lengths: guards of which the first holds in that phase while the chain is one long, the second while it is two
    long, and so on. answer: the event that lengthens the chain by one, even if it also ends it.
    """

    things: str
    phase: Phase
    lengths: Guards
    answer: str


@dataclass(frozen=True)
class Counter:
    """What one number counts: the times that an arc is fired, or those at which its guards also hold.

    conditions, unless: guards that hold, and that do not, before the effects of the arc. length: of the chain that ends
    by that; 0 where none does, or where the chain has more things than there are in a deck.
    """

    arc: Arc
    conditions: Guards = ()
    unless: Guards = ()
    length: int = 0

    def applies(self, table: Any) -> bool:
        """Whether this is what counts the arc, if it is fired with this table."""
        return all(guard(table) for guard in self.conditions) and not any(guard(table) for guard in self.unless)

    @staticmethod
    def fired(counted: Mapping[Counter, int]) -> dict[Arc, int]:
        """Return how often each arc was fired. counted: what each of its counters counted."""
        fired = dict.fromkeys((counter.arc for counter in counted), 0)
        for counter, times in counted.items():
            fired[counter.arc] += times
        return fired

    @staticmethod
    def chains(counted: Mapping[Counter, int]) -> dict[int, int]:
        """Return the number of chains by length. counted: what each counter counted."""
        chains = dict.fromkeys(sorted({counter.length for counter in counted if counter.length}), 0)
        for counter, times in counted.items():
            if counter.length:
                chains[counter.length] += times
        return chains


def counters_of(arcs: Iterable[Arc], chain: Chain | None) -> Iterator[Counter]:
    """The counters of a game: one for each arc, and one for each length of the chain for an arc that ends a chain.

    Of the counters of one arc exactly one applies whenever it is fired: the last one asks no guard of its own.
    """
    for arc in arcs:
        if chain is None or arc.source is not chain.phase or arc.dest is chain.phase:
            yield Counter(arc)
            continue
        longest = len(chain.lengths)
        for length, guard in enumerate(chain.lengths, 1):
            ended = length + (arc.trigger == chain.answer)
            when = (guard,) if length < longest else ()
            yield Counter(arc, when, chain.lengths[: length - 1], ended if ended <= longest else 0)
