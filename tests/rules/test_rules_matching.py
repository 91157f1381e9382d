"""Matching: which cards fit an open card without an action in effect."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from plain_maumau import CARDS

from fsm import IllegalMove, MauMau

At = Callable[[str], MauMau]


@pytest.mark.parametrize("card", ["ST", "HN"])
def test_a_card_of_the_suit_or_of_the_rank_of_the_open_card_may_be_played(at: At, card: str) -> None:
    game = at("await-play hands=ST,HN,HK/HA,HQ discard=...,SN draw=CA")
    game.play(card)
    left = "HN,HK" if card == "ST" else "ST,HK"
    assert game == at(f"await-play player=2 hands={left}/HA,HQ discard=...,SN,{card} draw=CA")


def test_another_card_is_refused_and_the_message_says_what_may_be_done(at: At) -> None:
    game = at("await-play hands=SS,SN,HK/HA,HQ discard=...,ST draw=CA")
    with pytest.raises(IllegalMove) as refused:
        game.play("HK")
    reason = "HK fits neither the suit nor the rank of ST"
    assert str(refused.value) == f"player 1 cannot play HK on ST: {reason}; may play SS, SN or draw"
    assert game == at("await-play hands=SS,SN,HK/HA,HQ discard=...,ST draw=CA")


@pytest.mark.parametrize("open_card", [card for card in CARDS if card[1] != "J"])
def test_each_open_card_lets_its_suit_its_rank_and_all_jacks_fit(at: At, open_card: str) -> None:
    hand = [card for card in CARDS if card not in (open_card, "HA", "DA", "SA")]
    other = next(card for card in ("HA", "DA", "SA") if card != open_card)
    hand += [card for card in ("HA", "DA", "SA") if card not in (open_card, other)]
    game = at(f"await-play hands={','.join(hand)}/{other} discard={open_card} draw=-")
    fitting = {card for card in hand if card[0] == open_card[0] or card[1] in (open_card[1], "J")}
    assert {move.card for move in game.events() if move.trigger == "play"} == fitting


def test_a_card_that_the_player_does_not_hold_is_refused(at: At) -> None:
    game = at("await-play hands=SS,HK/SA,HQ discard=...,ST draw=CA")
    with pytest.raises(IllegalMove, match="player 1 cannot play SA on ST: player 1 does not hold it"):
        game.play("SA")


def test_an_action_that_has_lost_its_effect_leaves_suit_and_rank(at: At) -> None:
    for open_card, fitting in (("CS", ["CK", "HS"]), ("CE", ["CK", "HE"])):
        game = at(f"await-play hands=CK,HS,HE,DA/HA,HQ discard=...,{open_card} draw=CA")
        legal = [move.card for move in game.events() if move.trigger == "play"]
        assert sorted(map(str, legal)) == fitting
