"""Hands lie in the order in which their cards came: masks say it as quickly as sorted hands say it plainly."""

from __future__ import annotations

import pytest

from fsm import Game, MauMau, Uno, game_class
from fsm.stepping import course

OFFICIAL, MAHJONG = game_class("uno-official"), game_class("mahjong")


@pytest.mark.parametrize("policy", ["house", "random"])
@pytest.mark.parametrize(
    "kind", [MauMau, Uno, OFFICIAL, OFFICIAL.with_rules("seven-zero"), MAHJONG], ids=lambda kind: kind.declaration.name
)
def test_hands_followed_by_their_masks_are_those_that_are_compared_card_by_card(
    kind: type[Game], policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under seven-zero hands change owners, and wild cards of two codes have one name."""
    games = [kind.deal(players, 5, number, policy) for players in (3, 4) for number in range(2)]
    for game in games:
        for _ in range(200):
            if game.outcome is None:
                game.step()
    found = [list(game.hands_so_far()) for game in games]
    monkeypatch.setattr(course, "hands_after", lambda *_, **__: None)
    for game, held in zip(games, found, strict=True):
        del game._hands[1:]
        assert list(game.hands_so_far()) == held
