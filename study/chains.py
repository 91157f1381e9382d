"""Chains of sevens: how often one, two, three or four sevens were laid in a row, each answering the one before.

The arcs of Mau-Mau tell how many chains began and how many sevens answered, not how long each chain was. So the arcs
that end a chain are split by its length, and the kernel that counts arcs counts chains by length, exactly and at no
cost. A seven that opens the game begins a chain; one that is laid as the last card belongs to the chain it answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from fsm.arcs import Arc, Guards
from fsm.declaration import Declaration
from fsm.registry import game_class
from fsm.split_arcs import refined


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


@cache
def counted(name: str) -> Counted:
    """What is counted of the game called `name`."""
    game = game_class(name).declaration
    return _REFINED.get(name, _as_it_is)(game)


def _as_it_is(game: Declaration) -> Counted:
    return Counted(game, {arc: arc for arc in game.arcs}, {})


def _sevens(game: Declaration) -> Counted:
    from fsm.maumau import MauMauPhase
    from rules.maumau.chain import four_sevens, one_seven, three_sevens, two_sevens

    pending = MauMauPhase.PENALTY_PENDING
    active: Guards = (one_seven, two_sevens, three_sevens, four_sevens)
    ends = [arc for arc in game.leaving(pending) if arc.dest is not pending]
    split, was = refined(game, dict.fromkeys(ends, active))
    chains = {
        arc: length + (arc.trigger == "play")
        for arc, declared in was.items()
        for length, guard in enumerate(active, 1)
        if declared in ends and guard in arc.when
    }
    return Counted(split, was, {arc: length for arc, length in chains.items() if length <= len(active)})


_REFINED: dict[str, Callable[[Declaration], Counted]] = {"maumau": _sevens}
