"""What a player, or somebody who only watches, saw of a game from its start on, as text."""

from __future__ import annotations

from fsm.declaration.facts import value_text
from fsm.edge.numbers import as_bool, of_type
from fsm.stepping.game import Game
from fsm.stepping.position import position_of, seen_position
from fsm.stepping.view import seat_of, seen_step
from fsm.table.sight import WATCHER


def information_state(game: Game, player: int | None, *, remembers: bool = True) -> str:
    """Return what `player` (from 1) saw of `game` at its start, sees now, and saw of all events, with `?` for the rest.

    player: None for somebody who only watches. remembers: whether the start and the events are told; the last line is
    the position as it is seen now. By the declared visibility; it determines the legal actions of the player who acts,
    and holds nothing hidden. Raises ValueError for a player who is not there, TypeError.

    >>> from fsm import MauMau
    >>> game = MauMau.deal(players=2, seed=7)
    >>> game.step().trigger
    'open'
    >>> information_state(game, player=1).splitlines()[1]
    '1 open'
    """
    of_type("game", game, Game, "a stepped game")
    remembers = as_bool("remembers", remembers)
    seat, events = WATCHER if player is None else seat_of(game.table, player), []
    if not remembers:
        return _position_seen(game, seat)
    watched = (seen_step(game.declaration, step, WATCHER) for step in game.history)
    for step in filter(None, watched) if player is None else game.view(player).history:
        named = [step.card, *map(value_text, step.named.values())]
        events.append(" ".join([str(step.player), step.trigger, *(text for text in named if text)]))
    return "\n".join([_position_seen(game.restarted(), seat), *events, _position_seen(game, seat)])


def _position_seen(game: Game, seat: int) -> str:
    whole = position_of(game.declaration, game.phase, game.table, game.hands)
    return str(seen_position(game.declaration, whole, game.table, seat))
