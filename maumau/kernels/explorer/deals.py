"""Every deal of a game with a small deck, by the thousand."""

from __future__ import annotations

from typing import Any

from fsm.edge.numbers import Array, np
from maumau.kernels.compiled.deals import deal_on
from maumau.kernels.compiler.machine_code import machine_code
from maumau.kernels.compiler.program import of_any_game

DEAL_ON = of_any_game(deal_on)
"""Deals the cards of any game."""


class Deals:
    """The deals of a game with a small deck, as `fsm.stepping.setup.deals`, and decks that may not be dealt."""

    def __init__(self, kind: Any, players: int) -> None:
        game = kind.declaration
        self._cards = np.array(game.full_deck(), np.int64)
        alone = np.arange(len(self._cards))
        hands, sizes = game.places_dealt(players), game.sizes_dealt(players)
        self._places = np.concatenate([np.array(hands, np.int64), alone[len(hands) :]])
        self._ends = np.concatenate([np.repeat(np.cumsum(sizes), sizes), alone[len(hands) :] + 1])
        self._begun = 0

    def next(self, most: int) -> Array:
        """The next decks, `most` of them while there are so many: a row of bytes for each."""
        decks = np.empty((most, len(self._cards)), np.uint8)
        given = self._cards, self._ends, np.zeros_like(self._cards), self._places, self._begun, decks
        count = machine_code(DEAL_ON)(*given)
        self._begun += count
        return decks[:count]
