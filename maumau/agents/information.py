"""The information state of a player: everything that the player has seen of a game, as a text."""

from __future__ import annotations

from fsm import Game
from fsm.declaration.values import value_text
from fsm.edge.numbers import of_type
from fsm.stepping.steps import Step


def information_state(game: Game, player: int) -> str:
    """What `player` (from 1) saw of `game` at its start, sees now, and saw of every event, with `?` for what is hidden.

    By the declared visibility; it determines the legal actions of the player who acts, and holds nothing hidden.
    Raises ValueError for a player who is not there, TypeError.

    >>> from fsm import MauMau
    >>> game = MauMau.deal(players=2, seed=7)
    >>> game.step().trigger
    'open'
    >>> information_state(game, player=1).splitlines()[1]
    '1 open'
    """
    of_type("game", game, Game, "a stepped game")
    start = game.restarted().position(seen_by=player)
    events = [_seen(step) for step in game.view(player).history]
    return "\n".join([start, *events, game.position(seen_by=player)])


def _seen(step: Step) -> str:
    """An event: `2 play HK`."""
    named = [step.card, *map(value_text, step.named.values())]
    return " ".join([str(step.player), step.trigger, *(text for text in named if text)])
