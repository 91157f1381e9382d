"""Phases in which seats are asked of which some have nothing to choose: to do nothing says nothing about the hand."""

from __future__ import annotations

from fsm.declaration.arcs import Control
from fsm.declaration.declaration import Declaration
from fsm.stepping.game import Game
from fsm.stepping.steps import Step
from fsm.stepping.view import seen_step


def declines_in_secret(control: Control) -> bool:
    """Whether the event by which a seat does nothing is also fired for those that have nothing to choose."""
    return any(trigger in control.forced for trigger in control.declines)


def asks_in_secret(game: Declaration) -> bool:
    """Whether a game has such phases."""
    return any(map(declines_in_secret, game.control.values()))


def secret_declines(game: Game) -> bool:
    """Whether a game stands in such a phase."""
    control = game.declaration.control.get(game.phase)
    return control is not None and declines_in_secret(control)


def is_seen(game: Game, step: Step, seat: int) -> bool:
    """Whether a seat (from 0, or NOBODY) sees that an event was fired."""
    if seen_step(game.declaration, step, seat) is None:
        return False
    control = game.declaration.control[step.source]
    return step.player == seat + 1 or not (step.trigger in control.declines and declines_in_secret(control))
