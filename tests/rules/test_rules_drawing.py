"""Drawing: who has no fitting card draws one, and may play it in the same turn if it fits."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fsm import IllegalMove, MauMau
from fsm.stepping.steps import Move

At = Callable[[str], MauMau]


def drawn(game: MauMau) -> MauMau:
    game.draw()
    game.take()
    return game


def test_who_has_no_fitting_card_draws_the_top_card_of_the_draw_pile(at: At) -> None:
    game = at("await-play hands=HK,DK/HA,HQ discard=...,CN draw=ST,SA")
    assert list(game.events()) == [Move("draw")]
    game.draw()
    assert list(game.events()) == [Move("take")]
    step = game.take()
    assert (step.player, step.card) == (1, "ST")
    assert game == at("drawing drawn=ST hands=HK,DK,ST/HA,HQ discard=...,CN draw=SA")


def test_a_drawn_card_that_does_not_fit_ends_the_turn(at: At) -> None:
    game = drawn(at("await-play hands=HK,DK/HA,HQ discard=...,CN draw=ST,SA"))
    assert list(game.events()) == [Move("pass_turn")]
    game.pass_turn()
    assert game == at("await-play player=2 hands=HK,DK,ST/HA,HQ discard=...,CN draw=SA")


def test_only_one_card_is_drawn(at: At) -> None:
    game = drawn(at("await-play hands=HK,DK/HA,HQ discard=...,CN draw=ST,SA"))
    with pytest.raises(IllegalMove, match="cannot take: no card is due"):
        game.take()
    with pytest.raises(IllegalMove, match="cannot draw"):
        game.draw()


def test_a_drawn_card_that_fits_may_be_played_in_the_same_turn(at: At) -> None:
    game = drawn(at("await-play hands=HK,DK/HA,HQ discard=...,CN draw=CT,SA"))
    game.play("CT")
    assert game == at("await-play player=2 hands=HK,DK/HA,HQ discard=...,CN,CT draw=SA")


@pytest.mark.parametrize(
    ("card", "suit", "then"),
    [
        ("CS", None, "penalty-pending player=2 due=2"),
        ("CE", None, "skip-pending player=2"),
        ("SJ", "H", "jack-binding player=2 suit=H"),
    ],
)
def test_the_action_of_a_drawn_card_is_carried_out(at: At, card: str, suit: str | None, then: str) -> None:
    game = drawn(at(f"await-play hands=HK,DK/HA,HQ discard=...,CN draw={card},SA"))
    game.play(card, suit)
    assert game == at(f"{then} hands=HK,DK/HA,HQ discard=...,CN,{card} draw=SA")


def test_a_drawn_card_of_the_bound_suit_may_be_played_under_a_jack(at: At) -> None:
    game = drawn(at("jack-binding suit=S hands=HK,DK/HA,HQ discard=...,CJ draw=ST,SA"))
    game.play("ST")
    assert game == at("await-play player=2 hands=HK,DK/HA,HQ discard=...,CJ,ST draw=SA")


def test_after_drawing_no_card_but_the_drawn_one_may_be_played(at: At) -> None:
    game = drawn(at("await-play hands=CK,DK/HA,HQ discard=...,CN draw=CT,SA"))
    assert list(game.events()) == [Move("play", "CT"), Move("pass_turn")]
    with pytest.raises(IllegalMove, match="only the drawn card may be played"):
        game.play("CK")


def test_who_can_play_may_draw_instead_and_keep_the_drawn_card(at: At) -> None:
    game = drawn(at("await-play hands=CK,DK/HA,HQ discard=...,CN draw=CT,SA"))
    game.pass_turn()
    assert game == at("await-play player=2 hands=CK,DK,CT/HA,HQ discard=...,CN draw=SA")
