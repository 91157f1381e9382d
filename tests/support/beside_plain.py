"""Games of examples beside plain programs, which know `seat`, `hands` by seat, `legal()` and `do(move)`, by text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from fsm import Game, Move, Step


def text_of(move: Move | Step) -> str:
    """The card of a move or step; without one, its event."""
    return str(move.card or move.trigger)


def play_beside(
    game: Game, plain: Any, choose: Callable[[dict[str, Move]], str], text: Callable[[Move], str] = text_of
) -> None:
    """Play a game to its end beside a plain program, which agrees on the player, the hands and the legal moves.

    choose: which of the moves is fired, by text; it may compare more. text: a move as the plain program writes it.
    """
    while game.outcome is None:
        if game.forced_events:
            game.step()
            continue
        assert game.player == plain.seat
        assert [sorted(hand) for hand in game.hands] == [sorted(hand) for hand in plain.hands.values()]
        moves = {text(move): move for move in game.events().legal}
        assert sorted(moves) == plain.legal()
        name = choose({name: moves[name] for name in sorted(moves)})
        game.fire(*moves[name])
        plain.do(name)


def follow(steps: Iterable[Step], plain: Any, triggers: Collection[str], text: Callable[[Step], str] = text_of) -> None:
    """Give the steps of a played game to a plain program, which allows each of them. triggers: what players choose."""
    for step in steps:
        if step.trigger in triggers:
            assert text(step) in plain.legal()
            plain.do(text(step))
