"""What a kernel of lanes is made for."""

from __future__ import annotations

from dataclasses import dataclass

from fsm.arcs import Policy
from fsm.compiler.processor import WIDEST
from fsm.declaration import Declaration


@dataclass(frozen=True)
class Request:
    """What a kernel is made for. tally: whether it counts arcs and decision rules. dealing: whether it can shuffle.

    wide: bits of a vector. lanes: games at once.
    """

    game: Declaration
    players: int
    policy: Policy
    tally: bool = False
    dealing: bool = True
    wide: int = WIDEST
    lanes: int = 64
