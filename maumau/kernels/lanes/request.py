"""What a kernel of lanes is made for."""

from __future__ import annotations

from dataclasses import dataclass, field

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from maumau.kernels.lanes.targets import Target, best

MIXED = "in lanes the moves of all policies would be computed for each game"
"""Why games of seats with different policies are not played in lanes."""


@dataclass(frozen=True)
class Request:
    """What a kernel is made for. tally: whether it counts arcs and decision rules. dealing: whether it can shuffle.

    target: the processor, by default this one.
    """

    game: Declaration
    players: int
    policy: Policy
    tally: bool = False
    dealing: bool = True
    target: Target = field(default_factory=best)
