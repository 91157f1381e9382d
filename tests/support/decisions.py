"""Games at the decisions of a player, for searches to find a move."""

from __future__ import annotations

from collections.abc import Iterator

from fsm import Game


def decisions(kind: type[Game], players: int, games: int, least: int = 2) -> Iterator[Game]:
    """Games between house players at the decisions of player 1 with a choice."""
    for number in range(games):
        game = kind.deal(players, seed=5, number=number)
        while game.outcome is None:
            if game.player == 1 and len(game.view(1).moves) >= least:
                yield game
            game.step()
