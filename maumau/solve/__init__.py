"""What a game with a small deck is worth: exact values, perfect play, exploitability.

The form of names `solved:FILE`, of players by a solution, is registered here; they are imported when one is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from fsm.declaration.declaration import Declaration
from fsm.declaration.policy import Form, SteppedPolicy, register_form
from fsm.edge.extras import require

SOLVED_IS = "Plays an equilibrium: no other player gets more against it than the game is worth."


@runtime_checkable
class Strategy(Protocol):
    """A player by a solution, who says with what chance a seat makes each move."""

    def chances_in(self, game: Any) -> Sequence[float]:
        """The chances of the legal moves in a stepped game."""


def _solved(game: Declaration, file: str) -> SteppedPolicy:
    require("a solution", "numpy")
    from maumau.solve.players import solved_policy

    return solved_policy(game, file, SOLVED_IS)


register_form(Form("solved", "FILE", SOLVED_IS, _solved))
