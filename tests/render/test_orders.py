"""The orders in which the cards of a hand lie: by suit, by rank, and by what they are worth in the game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from examples.briscola import Briscola
from examples.crazy_eights import CrazyEights
from examples.euchre import Euchre
from examples.president import President
from fsm import DeclarationError, MauMau
from render.page.orders import hand_order, hand_orders
from rules.rule import query


def test_cards_lie_by_suit_as_the_game_orders_each() -> None:
    assert " ".join(hand_orders(Briscola.declaration).suit[:10]) == "2D 4D 5D 6D 7D JD ND KD 3D AD"


def test_by_rank_numbers_go_before_courts_and_the_ace_is_last() -> None:
    assert " ".join(hand_orders(Briscola.declaration).rank[::4]) == "2D 3D 4D 5D 6D 7D JD ND KD AD"
    assert " ".join(hand_orders(CrazyEights.declaration).rank[::4]) == "D2 D3 D4 D5 D6 D7 D8 D9 DT DJ DQ DK DA"


def test_by_strength_trumps_are_above_all_other_cards() -> None:
    orders = hand_orders(Briscola.declaration).strength
    assert " ".join(orders[""][::4]) == "2D 4D 5D 6D 7D JD ND KD 3D AD"
    assert " ".join(orders["C"][-10:]) == "2C 4C 5C 6C 7C JC NC KC 3C AC"
    assert orders["C"][:3] == ["2D", "2S", "2B"]
    assert list(hand_orders(MauMau.declaration).strength) == [""]


def test_a_game_may_say_how_strong_cards_are() -> None:
    assert " ".join(hand_orders(Euchre.declaration).strength["H"][-7:]) == "9H TH QH KH AH JD JH"


def test_how_strong_cards_are_is_a_query_of_the_table_and_a_card() -> None:
    @query
    def strength(table: Any) -> int:
        """No card is asked for."""
        return 1

    with pytest.raises(DeclarationError, match=r"look: strength: .*card"):
        replace(Euchre.declaration, look=replace(Euchre.declaration.look, strength=strength))


def test_a_game_may_say_how_hands_lie_at_first() -> None:
    assert hand_order(President.declaration, {}) == list(President.declaration.codec.notation.cards)
    look = replace(Euchre.declaration.look, hand="strength")
    assert hand_order(replace(Euchre.declaration, look=look), {"trump": "S"})[-2:] == ["JC", "JS"]
    assert hand_order(Euchre.declaration, {"trump": "S"})[0] == "9D"
