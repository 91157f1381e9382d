"""The seven: the next player answers with a seven or draws two cards for each seven in a row."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fsm import IllegalMove, MauMau
from rules.maumau.game import four_sevens, one_seven, three_sevens, two_sevens

At = Callable[[str], MauMau]


def test_a_seven_makes_two_cards_due_for_the_next_player(at: At) -> None:
    game = at("await-play hands=CS,HK/HA,HQ discard=...,CN draw=SA")
    game.play("CS")
    assert game == at("penalty-pending player=2 due=2 hands=HK/HA,HQ discard=...,CN,CS draw=SA")


def test_who_has_no_seven_draws_two_cards_may_not_play_and_the_turn_passes(at: At) -> None:
    game = at("penalty-pending due=2 hands=CK,HK/HA,HQ discard=...,CS draw=CA,CQ,CT,CE")
    game.draw()
    assert game == at("drawing due=2 penalty=1 hands=CK,HK/HA,HQ discard=...,CS draw=CA,CQ,CT,CE")
    game.take()
    assert game == at("drawing due=1 penalty=1 drawn=CA hands=CK,HK,CA/HA,HQ discard=...,CS draw=CQ,CT,CE")
    game.take()
    assert game == at("drawing due=0 penalty=1 drawn=CQ hands=CK,HK,CA,CQ/HA,HQ discard=...,CS draw=CT,CE")
    for card in ("CQ", "CA", "CK"):
        with pytest.raises(IllegalMove, match="no card is played after a penalty"):
            game.play(card)
    game.pass_turn()
    assert game == at("await-play player=2 hands=CK,HK,CA,CQ/HA,HQ discard=...,CS draw=CT,CE")


def test_nothing_else_may_be_done_while_penalty_cards_are_due(at: At) -> None:
    game = at("drawing due=1 penalty=1 drawn=CS hands=CK,CS/HA,HQ discard=...,DS draw=CA,CQ")
    assert [str(move) for move in game.events()] == ["take"]
    with pytest.raises(IllegalMove, match="cannot pass_turn"):
        game.pass_turn()
    with pytest.raises(IllegalMove, match="cannot play CS on DS"):
        game.play("CS")


def test_only_a_seven_may_be_played_under_an_active_seven(at: At) -> None:
    game = at("penalty-pending due=2 hands=HS,CK,CJ/HA,HQ discard=...,CS draw=SA")
    for card, suit in (("CK", None), ("CJ", "C")):
        with pytest.raises(IllegalMove, match="only another seven answers an active seven; may play HS or draw"):
            game.play(card, suit)
    game.play("HS")
    assert game == at("penalty-pending player=2 due=4 hands=CK,CJ/HA,HQ discard=...,CS,HS draw=SA")


def test_who_could_answer_the_seven_may_draw_instead(at: At) -> None:
    game = at("penalty-pending due=2 hands=HS,CK/HA,HQ discard=...,CS draw=SA,SK,SQ")
    game.draw()
    assert game == at("drawing due=2 penalty=1 hands=HS,CK/HA,HQ discard=...,CS draw=SA,SK,SQ")


def test_four_sevens_in_a_row_make_eight_cards_due(at: At) -> None:
    game = at("await-play hands=CS,HK/HS,HQ/DS,DQ/SS,SK discard=CN,CT draw=...")
    for card, due in (("CS", 2), ("HS", 4), ("DS", 6), ("SS", 8)):
        game.play(card)
        assert game.due == due
    assert game == at("penalty-pending player=1 due=8 hands=HK/HQ/DQ/SK discard=CN,CT,CS,HS,DS,SS draw=...")
    game.draw()
    drawn = [game.take().card for _ in range(8)]
    game.pass_turn()
    assert game.hands[0] == ("HK", *drawn)
    assert str(game.phase) == "await-play"
    assert game.player == 2


def test_the_player_after_the_punished_one_may_play_any_matching_card(at: At) -> None:
    game = at("await-play player=2 hands=CK/CA,DS,SK,HJ discard=...,CS draw=SA")
    game.play("CA")
    assert game == at("await-play player=1 hands=CK/DS,SK,HJ discard=...,CS,CA draw=SA")


def test_a_seven_laid_on_a_seven_that_has_lost_its_effect_starts_again_with_two(at: At) -> None:
    game = at("await-play hands=DS,CK/HA,HQ discard=...,CS draw=SA")
    game.play("DS")
    assert game == at("penalty-pending player=2 due=2 hands=CK/HA,HQ discard=...,CS,DS draw=SA")


def test_the_last_seven_wins_and_nobody_draws(at: At) -> None:
    game = at("await-play hands=CS/HA,HQ discard=...,CN draw=SA")
    game.play("CS")
    assert str(game.phase) == "game-over"
    assert game.outcome == (1, 1, (0, 14))
    assert game.hands == ((), ("HA", "HQ"))


def test_the_last_seven_that_answers_a_seven_wins_and_nobody_draws(at: At) -> None:
    game = at("penalty-pending player=2 due=6 hands=HA,HQ/CS/DK discard=...,SS,HS,DS draw=SA")
    game.play("CS")
    assert str(game.phase) == "game-over"
    assert game.outcome == (1, 2, (14, 0, 4))
    assert game.draw_pile == ("SA",)


def test_the_length_of_a_chain_of_sevens_is_that_of_the_due_cards(at: At) -> None:
    chains = (one_seven, two_sevens, three_sevens, four_sevens)
    for due in (2, 4, 6, 8):
        game = at(f"penalty-pending due={due} hands=CK,HK/HA,HQ discard=...,HS,DS,SS,CS draw=CA,CQ,CT,CE,CN,SA,SK,SQ")
        assert [chain(game.table) for chain in chains] == [due == 2 * sevens for sevens in (1, 2, 3, 4)]
