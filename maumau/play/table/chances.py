"""The chances over a round that is over: what each move was worth by what its player knew, found by search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fsm.stepping.game import Game
from fsm.stepping.steps import Move
from maumau.play.table.hints import is_in_points, prepared


class Judged(NamedTuple):
    """A move that was chosen among several. at: how many events came before it. player: from 1. share: what it was
    worth, between 0 and 1 or in points. best: what the best move was worth; better: its text if it was another one.
    """

    at: int
    player: int
    share: float
    best: float
    better: str


def judged(game: Game) -> Iterator[Judged]:
    """The moves of a round that is over, one after the other: hidden cards are dealt anew for each, and played out.

    Nothing where the game cannot be searched. The first one waits until the search is compiled.
    """
    search = prepared(game.declaration, game.players).result()
    replayed = game.restarted()
    for at, step in enumerate(game.history if search else ()):
        offered = [offer.trigger for offer in replayed.declaration.control[step.source].offers]
        if search and step.trigger in offered and len(replayed.events().legal) > 1:
            values = search.best(replayed).values
            made = Move.of(replayed.declaration, step.trigger, step.card, step.named)
            share = next(value.share for value in values if value.move == made)
            better = str(values[0].move) if values[0].share > share else ""
            yield Judged(at, step.player, share, values[0].share, better)
        replayed.fire_again(step)


def gained(game: Game) -> list[float]:
    """What each player has gained in a round that is over, in the unit of the chances."""
    outcome = game.outcome
    assert outcome is not None
    if is_in_points(game.declaration):
        return list(map(float, outcome.returns))
    return [float(player in outcome.winners) for player in range(1, game.players + 1)]
