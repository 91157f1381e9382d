"""The jack: it fits every card but a jack and an active seven, and binds a suit of its player's choice."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fsm import IllegalMove, MauMau
from fsm.stepping.steps import Move

At = Callable[[str], MauMau]


@pytest.mark.parametrize("suit", ["C", "S", "H", "D"])
def test_a_jack_fits_regardless_of_its_suit_and_binds_an_arbitrary_one(at: At, suit: str) -> None:
    game = at("await-play hands=HJ,HK/HA,HQ discard=...,CN draw=SA")
    game.play("HJ", suit)
    assert game == at(f"jack-binding player=2 suit={suit} hands=HK/HA,HQ discard=...,CN,HJ draw=SA")
    assert game.bound_suit == suit


def test_a_jack_must_name_a_suit(at: At) -> None:
    game = at("await-play hands=HJ,HK/HA,HQ discard=...,CN draw=SA")
    with pytest.raises(IllegalMove, match="it must name a suit, one of D, H, S, C; may play HJ naming D"):
        game.play("HJ")
    with pytest.raises(IllegalMove, match="unknown suit 'X'; use one of D, H, S, C"):
        game.play("HJ", "X")


def test_no_other_card_names_a_suit(at: At) -> None:
    game = at("await-play hands=CK,HK/HA,HQ discard=...,CN draw=SA")
    with pytest.raises(IllegalMove, match="it names no suit"):
        game.play("CK", "C")


def test_under_a_jack_only_a_card_of_the_bound_suit_may_be_played(at: At) -> None:
    game = at("jack-binding suit=S hands=SK,HK,CJ,CA/HA,HQ discard=...,HJ draw=SA")
    for card in ("HK", "CA"):
        output = f"{card} is not of suit S, which the open HJ binds; may play SK or draw"
        with pytest.raises(IllegalMove, match=output):
            game.play(card)
    game.play("SK")
    assert game == at("await-play player=2 hands=HK,CJ,CA/HA,HQ discard=...,HJ,SK draw=SA")


@pytest.mark.parametrize(
    ("suit", "piles"), [("-", "discard=HJ draw=..."), ("C", "discard=...,HJ draw=SA"), ("S", "discard=...,HJ draw=SA")]
)
def test_a_jack_on_a_jack_is_refused(at: At, suit: str, piles: str) -> None:
    game = at(f"jack-binding suit={suit} hands=CJ,CA,SK/HA,HQ {piles}")
    for named in (None, "C", "D"):
        with pytest.raises(IllegalMove, match="no jack"):
            game.play("CJ", named)


def test_a_jack_under_an_active_seven_is_refused(at: At) -> None:
    game = at("penalty-pending due=2 hands=CJ,CA/HA,HQ discard=...,CS draw=SA")
    with pytest.raises(IllegalMove, match="only another seven answers an active seven; may draw"):
        game.play("CJ", "H")


def test_a_jack_fits_a_seven_that_has_lost_its_effect(at: At) -> None:
    game = at("await-play hands=DJ,HA/HK,HQ discard=...,CS draw=SA")
    game.play("DJ", "H")
    assert game == at("jack-binding player=2 suit=H hands=HA/HK,HQ discard=...,CS,DJ draw=SA")


def test_the_bound_suit_holds_while_players_draw_and_pass(at: At) -> None:
    game = at("jack-binding player=2 suit=S hands=SK,DK/DA,DQ/CA,CQ discard=...,HJ draw=DT,CT,HT")
    for fire in (game.draw, game.take, game.pass_turn):
        fire()
    assert game == at("jack-binding player=3 suit=S hands=SK,DK/DA,DQ,DT/CA,CQ discard=...,HJ draw=CT,HT")
    for fire in (game.draw, game.take, game.pass_turn):
        fire()
    assert game == at("jack-binding player=1 suit=S hands=SK,DK/DA,DQ,DT/CA,CQ,CT discard=...,HJ draw=HT")
    game.play("SK")
    assert game == at("await-play player=2 suit=- hands=DK/DA,DQ,DT/CA,CQ,CT discard=...,HJ,SK draw=HT")


def test_a_drawn_jack_may_not_be_played_on_a_jack(at: At) -> None:
    game = at("jack-binding suit=S hands=DK,DA/HA,HQ discard=...,HJ draw=SJ,CT")
    game.draw()
    game.take()
    assert [str(move) for move in game.events()] == ["pass_turn"]
    with pytest.raises(IllegalMove, match="cannot play SJ on HJ"):
        game.play("SJ", "D")


@pytest.mark.parametrize(("card", "then"), [("SS", "penalty-pending player=2 due=2"), ("SE", "skip-pending player=2")])
def test_a_seven_or_an_eight_of_the_bound_suit_takes_effect(at: At, card: str, then: str) -> None:
    game = at(f"jack-binding suit=S hands={card},DA/HA,HQ discard=...,HJ draw=CT")
    game.play(card)
    assert game == at(f"{then} hands=DA/HA,HQ discard=...,HJ,{card} draw=CT")


def test_a_jack_as_last_card_names_no_suit(at: At) -> None:
    game = at("await-play hands=CJ/HA,HQ discard=...,SN draw=CT")
    assert list(game.events()) == [Move("play", "CJ"), Move("draw")]
    with pytest.raises(IllegalMove, match="it names no suit"):
        game.play("CJ", "C")
    game.play("CJ")
    assert str(game.phase) == "game-over"
    assert game.bound_suit is None
