"""How many cards are one choice."""

from __future__ import annotations

import pytest
from all_games import MAHJONG, OFFICIAL_UNO

from examples.hearts import Hearts
from examples.president import President
from examples.spades import Spades
from fsm import Game, MauMau, Uno
from maumau.play.table.seen import seen_by
from maumau.play.table.together import cards_together


def together(game: Game) -> int:
    return cards_together(seen_by(game, game.player - 1), game.events().legal[0])


def test_three_cards_are_passed_together_as_long_as_all_are_left() -> None:
    game = Hearts.deal(4, seed=7)
    game.step()
    for left in (3, 2, 1, 3, 2, 1, 3, 2, 1, 3, 2, 1):
        assert together(game) == left
        game.fire(game.events().legal[-1])
    game.step()
    while game.outcome is None:
        if len(game.events().legal):
            assert together(game) == 1, "a trick takes one card of each"
        game.step()


@pytest.mark.parametrize("kind", [MauMau, Uno, OFFICIAL_UNO, MAHJONG, Spades, President])
def test_other_games_ask_for_one_card_after_the_other(kind: type[Game]) -> None:
    game = kind.deal(kind.declaration.codec.fewest, seed=3)
    for _ in range(60):
        if (
            game.outcome is None
            and game.phase in game.declaration.control
            and game.declaration.control[game.phase].offers
        ):
            legal = game.events().legal
            assert not legal or together(game) == 1
        if game.outcome is None:
            game.step()
