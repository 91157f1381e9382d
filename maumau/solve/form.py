"""The form of names `solved:FILE`: players by solutions are imported when one is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsm.declaration.policy import Form, register_form

if TYPE_CHECKING:
    from fsm.declaration.declaration import Declaration
    from fsm.declaration.policy import SteppedPolicy

SOLVED_IS = "Plays an equilibrium: no other player gets more against it than the game is worth."


def _solved(game: Declaration, file: str) -> SteppedPolicy:
    from maumau.solve.players import solved_policy

    return solved_policy(game, file, SOLVED_IS)


SOLVED = register_form(Form("solved", "FILE", SOLVED_IS, _solved))
