"""The reshuffle: the cards under the open card become the draw pile, at once when the last card has been taken."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fsm import IllegalMove, MauMau
from fsm.stepping.steps import Move

At = Callable[[str], MauMau]


def test_the_pile_is_turned_at_once_when_its_last_card_is_taken(at: At) -> None:
    game = at("await-play hands=HK,DK/... discard=CQ,CE,CN draw=ST")
    game.draw()
    game.take()
    assert game == at("reshuffle drawn=ST hands=HK,DK,ST/... discard=CQ,CE,CN draw=-")
    assert list(game.events()) == [Move("turn_pile")]
    game.turn_pile()
    assert game == at("drawing drawn=ST hands=HK,DK,ST/... discard=CN draw=CQ,CE")
    game.pass_turn()
    assert game == at("await-play player=2 hands=HK,DK,ST/... discard=CN draw=CQ,CE")


def test_the_bottom_card_of_the_discard_pile_is_drawn_next(at: At) -> None:
    game = at("drawing due=2 penalty=1 hands=HK,DK/... discard=CQ,CE,CN,CS draw=ST")
    cards = [game.step().card for _ in range(3)]
    assert cards == ["ST", None, "CQ"]


def test_the_pile_is_turned_before_the_drawn_card_is_played(at: At) -> None:
    game = at("await-play hands=HK,DK/... discard=CQ,CE,CN draw=CT")
    game.draw()
    game.take()
    with pytest.raises(IllegalMove, match=r"cannot play CT on CN: .* which accepts turn_pile; may turn_pile"):
        game.play("CT")
    game.turn_pile()
    game.play("CT")
    assert game == at("await-play player=2 hands=HK,DK/... discard=CN,CT draw=CQ,CE")


def test_the_pile_is_turned_in_the_middle_of_a_penalty(at: At) -> None:
    game = at("penalty-pending due=4 hands=HK,DK/... discard=CQ,CE,CN,SS,CS draw=ST")
    game.draw()
    fired = [game.step().trigger for _ in range(6)]
    assert fired == ["take", "turn_pile", "take", "take", "take", "pass_turn"]
    assert game.hands[0] == ("HK", "DK", "ST", "CQ", "CE", "CN")
    assert (game.draw_pile, game.discard_pile) == (("SS",), ("CS",))


def test_the_pile_is_turned_at_the_end_of_a_penalty(at: At) -> None:
    game = at("drawing due=1 penalty=1 drawn=ST hands=HK,ST/... discard=CQ,CE,CS draw=SA")
    assert [game.step().trigger for _ in range(3)] == ["take", "turn_pile", "pass_turn"]
    assert game == at("await-play player=2 hands=HK,ST,SA/... discard=CS draw=CQ,CE")


def test_with_nothing_under_the_open_card_the_pile_is_turned_late(at: At) -> None:
    game = at("await-play hands=HK,DK/CT,... discard=CN draw=ST")
    game.draw()
    game.take()
    assert game == at("drawing drawn=ST hands=HK,DK,ST/CT,... discard=CN draw=-")
    game.pass_turn()
    assert game == at("await-play player=2 hands=HK,DK,ST/CT,... discard=CN draw=-")
    game.play("CT")
    assert game == at("await-play player=1 hands=HK,DK,ST/... discard=CN,CT draw=-")
    game.draw()
    assert list(game.events()) == [Move("turn_pile")]
    game.turn_pile()
    assert game == at("drawing due=1 hands=HK,DK,ST/... discard=CT draw=CN")
    game.take()
    assert game == at("drawing drawn=CN hands=HK,DK,ST,CN/... discard=CT draw=-")


def test_a_penalty_turns_the_pile_late_too(at: At) -> None:
    game = at("penalty-pending due=2 hands=HK,DK/... discard=CN,CT,CS draw=-")
    game.draw()
    assert [game.step().trigger for _ in range(4)] == ["turn_pile", "take", "take", "pass_turn"]
    assert game == at("await-play player=2 hands=HK,DK,CN,CT/... discard=CS draw=-")


def test_a_reshuffle_leaves_the_jack_binding(at: At) -> None:
    game = at("jack-binding suit=S hands=HK,DK/... discard=CQ,CE,CJ draw=DT")
    for fire in (game.draw, game.take, game.turn_pile, game.pass_turn):
        fire()
    assert game == at("jack-binding player=2 suit=S hands=HK,DK,DT/... discard=CJ draw=CQ,CE")


def test_out_of_cards_in_a_turn(at: At) -> None:
    game = at("await-play hands=HK,DK/... discard=CN draw=-")
    game.draw()
    assert list(game.events()) == [Move("abandon")]
    game.abandon()
    assert game == at("game-over due=1 ending=out-of-cards hands=HK,DK/... discard=CN draw=-")
    assert game.outcome is not None
    assert (str(game.outcome.ending), game.outcome.winner) == ("out of cards", None)


def test_out_of_cards_in_a_penalty(at: At) -> None:
    game = at("penalty-pending due=4 hands=HK,DK/... discard=SS,CS draw=ST")
    game.draw()
    assert [game.step().trigger for _ in range(4)] == ["take", "turn_pile", "take", "abandon"]
    assert game.hands[0] == ("HK", "DK", "ST", "SS")
    assert str(game.outcome) == "no winner: out of cards"


def test_who_can_play_may_not_run_the_piles_out_of_cards(at: At) -> None:
    for position, card in (
        ("await-play hands=CK,DK/... discard=CN draw=-", "CK"),
        ("jack-binding suit=D hands=CK,DK/... discard=CJ draw=-", "DK"),
        ("penalty-pending due=2 hands=SS,DK/... discard=CS draw=-", "SS"),
    ):
        game = at(position)
        assert list(game.events()) == [Move("play", card)]
        with pytest.raises(IllegalMove, match="neither pile can give a card"):
            game.draw()


def test_a_reshuffle_changes_the_order_of_no_card(at: At) -> None:
    """Both piles are one queue, taken at its head and laid at its tail: the fact that the design builds on."""
    game = at("reshuffle drawn=CK hands=DK,CK/HA,HQ discard=...,CN draw=-")
    queue = game.draw_pile + game.discard_pile
    game.turn_pile()
    assert game.draw_pile + game.discard_pile == queue
    assert (game.discard_pile, game.draw_pile) == (("CN",), queue[:-1])
