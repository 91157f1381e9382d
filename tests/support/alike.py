"""The two engines and the two explorers, held against each other."""

from __future__ import annotations

from collections.abc import Iterable

from fsm import Game
from fsm.check import Report, explore_stepped
from fsm.declaration.arcs import SmallDeck
from maumau.kernels.bulk.transcripts import play_compiled
from maumau.kernels.explorer.exhaustive import MOST, explore
from rules.reading import Dealt


def assert_played_alike(kind: type[Game], games: Iterable[Game], policy: str, seed: int) -> None:
    """Both engines play the decks of games with the same moves to the same end.

    games: stepped ones in which nothing has happened yet, with consecutive numbers from 0 of the seed. policy: theirs.
    """
    games = list(games)
    decks = [Dealt(game.players, bytes(game.dealt_deck())) for game in games]
    for game, played in zip(games, play_compiled(kind, decks, (policy,), seed), strict=True):
        game.run()
        assert [(step.arc, step.player, step.card) for step in played.steps] == [
            (step.arc, step.player, step.card) for step in game.history
        ]
        assert played.outcome == game.outcome


def explored_alike(kind: type[Game], small: SmallDeck, most: int | None = None) -> Report:
    """What the compiled explorer found with a small deck: no fault, and as much as the stepped one."""
    fast = found_alike(kind, small, most)
    assert fast.failures == []
    return fast


def found_alike(kind: type[Game], small: SmallDeck, most: int | None = None) -> Report:
    """What both explorers found with a small deck: as much, with the same faults and the same examples of them.

    most: the positions after which they stop, if they may not visit all.
    """
    fast, plain = explore(kind, small, MOST if most is None else most), explore_stepped(kind, small, most)
    assert fast.complete is plain.complete
    assert fast.complete or most is not None
    assert (fast.positions, fast.events, fast.fired) == (plain.positions, plain.events, plain.fired)
    assert (fast.properties, fast.failed, fast.examples) == (plain.properties, plain.failed, plain.examples)
    return fast
