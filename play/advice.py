"""What a policy would do, without doing it: a move and the reason in words."""

from __future__ import annotations

from fsm.arcs import Policy
from fsm.policy import SteppedPolicy
from fsm.stepping.game import Game
from fsm.stepping.moves import NONE, Move, move_of


def advice(game: Game, policy: Policy) -> tuple[Move, str]:
    """The move that a policy chooses for the player who acts, and why. A policy without reasons gives none."""
    table = game.table
    for choice in policy.choices.get(game.phase, ()):
        if all(applies(table) for applies in choice.when):
            table.card = NONE if choice.card is None else choice.card(table)
            value = NONE if choice.value is None else choice.value(table)
            return move_of(game.declaration, (choice.trigger, table.card, value)), choice.description
    if isinstance(policy, SteppedPolicy):
        return Move(*policy.move(game)), ""
    return game.events()[0], ""
