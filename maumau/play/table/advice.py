"""What a policy would do, without doing it: a move and the reason in words."""

from __future__ import annotations

from fsm.declaration.arcs import Policy
from fsm.declaration.policy import SteppedPolicy
from fsm.stepping.game import Game
from fsm.stepping.moves import choice_of, move_of
from fsm.stepping.steps import Move


def advice(game: Game, policy: Policy) -> tuple[Move, str]:
    """The move that a policy chooses for the player who acts, and why. A policy without reasons gives none."""
    if found := choice_of(game.declaration, policy, game.table, game.phase):
        choice, code = found
        return move_of(game.declaration, code), choice.description
    if isinstance(policy, SteppedPolicy):
        return Move(*policy.move(game)), ""
    return game.events()[0], ""
