"""The deal and the opening card."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from plain_maumau import CARDS

from fsm import IllegalMove, MauMau
from fsm import MauMauPhase as Phase

At = Callable[[str], MauMau]
DECK = "SS HA SN HQ CE SQ CA DT CK CQ DJ CN HN DN CS SA CJ DA HJ HS DE HT SE DK HK ST SJ HE DS CT DQ SK"


@pytest.mark.parametrize(("players", "each"), [(2, 7), (3, 6), (4, 5)])
def test_each_of_two_three_four_players_gets_seven_six_five_cards(players: int, each: int) -> None:
    game = MauMau.parse(f"{players} {DECK}")
    assert [len(hand) for hand in game.hands] == [each] * players
    assert len(game.draw_pile) == 32 - players * each - 1


def test_cards_are_dealt_one_at_a_time_in_turn_and_the_next_card_is_the_open_card() -> None:
    cards = DECK.split()
    game = MauMau.parse(f"4 {DECK}")
    assert game.hands == tuple(tuple(cards[seat:20:4]) for seat in range(4))
    assert (game.open_card, game.discard_pile, game.draw_pile) == (cards[20], (cards[20],), tuple(cards[21:]))
    assert (game.phase, game.player) == (Phase.INITIAL, 1)


HANDS = (
    "SS,HK,SQ,SK,ST,SA,DK/HA,HQ,HE,HN,HT,DQ,CK",
    "SS,HK,SQ,SK,ST,SA/HA,HQ,HE,HN,HT,DQ/DA,DE,DN,DT,DS,CK",
    "SS,HK,SQ,SK,ST/HA,HQ,HE,HN,HT/DA,DQ,DT,DS,DJ/DE,DN,CK,CA,CT",
)
"""Hands of two, three and four players, newly dealt."""


def test_the_player_who_got_the_first_card_starts(at: At) -> None:
    game = at(f"initial hands={HANDS[0]} discard=CN draw=...")
    game.open()
    assert game == at(f"await-play player=1 hands={HANDS[0]} discard=CN draw=...")


def test_nothing_happens_before_the_opening_card_takes_effect(at: At) -> None:
    game = at(f"initial hands={HANDS[0]} discard=HJ draw=...")
    with pytest.raises(IllegalMove, match="which accepts open"):
        game.play("HK")
    assert [str(move) for move in game.events()] == ["open"]


def test_an_opening_seven_is_active_against_player_1(at: At) -> None:
    game = at(f"initial hands={HANDS[0]} discard=CS draw=...")
    game.open()
    assert game == at(f"penalty-pending player=1 due=2 hands={HANDS[0]} discard=CS draw=...")


@pytest.mark.parametrize("hands", HANDS)
def test_an_opening_eight_skips_player_1(at: At, hands: str) -> None:
    game = at(f"initial hands={hands} discard=CE draw=...")
    game.open()
    assert game == at(f"skip-pending player=1 hands={hands} discard=CE draw=...")
    game.skip()
    assert game == at(f"await-play player=2 hands={hands} discard=CE draw=...")


def test_an_opening_jack_binds_no_suit_player_1_may_play_any_card_but_a_jack(at: At) -> None:
    others = ",".join(card for card in CARDS if card not in ("CJ", "HA"))
    opened = at(f"initial hands={HANDS[0]} discard=CJ draw=...")
    opened.open()
    assert opened == at(f"jack-binding player=1 suit=- hands={HANDS[0]} discard=CJ draw=...")
    game = at(f"jack-binding suit=- hands={others}/HA discard=CJ draw=-")
    playable = {move.card for move in game.events() if move.trigger == "play"}
    assert playable == {card for card in CARDS if card[1] != "J" and card != "HA"}
    with pytest.raises(IllegalMove, match="no jack"):
        game.play("HJ", "H")


def test_an_opening_jack_binds_no_suit_while_players_draw_and_pass(at: At) -> None:
    game = at("jack-binding hands=HJ,DJ/HA discard=CJ draw=SJ,HK,...")
    for fire in (game.draw, game.take, game.pass_turn):
        fire()
    assert game == at("jack-binding player=2 suit=- hands=HJ,DJ,SJ/HA discard=CJ draw=HK,...")
