"""A game whose whole deck is dealt out, so that some players have a card more than others."""

from __future__ import annotations

import re
from dataclasses import replace
from math import factorial, prod

import pytest
from alike import explored_alike

from examples.president import PRESIDENT, President
from fsm.declaration.arcs import SmallDeck
from fsm.declaration.declaration import DeclarationError
from fsm.stepping.setup import deals
from fsm.table.layout import PositionError
from rules.table import deal_in_turn_unopened, dealing


def test_both_explorers_visit_every_deal() -> None:
    small, sizes = SmallDeck("3C 3D 4C 4D 5C", 3, 2), (2, 2, 1)
    kind = President.with_deck(small.cards, small.each)
    assert [len(hand) for hand in kind.deal(3, 7).hands] == list(sizes)
    listed = [kind.of_deck(3, deck).hands for deck in deals(kind, 3)]
    assert len(listed) == len(set(listed)) == factorial(5) // prod(map(factorial, sizes))
    assert explored_alike(President, small).fired


def test_newly_dealt_hands_have_these_sizes() -> None:
    position = President.deal(3, 7).position()
    assert President.at(position).position() == position
    first, second, _ = re.findall(r"hands=(\S+)", position)[0].split("/")
    *fewer, last = first.split(",")
    moved = position.replace(f"{first}/{second}", f"{','.join(fewer)}/{second},{last}")
    with pytest.raises(PositionError, match="the cards are newly dealt; use 18, 17, 17 in the hands"):
        President.at(moved)


def test_a_deal_that_takes_cards_which_are_not_there_is_refused() -> None:
    deal = dealing(PRESIDENT.codec.cards_each, deal_in_turn_unopened)
    with pytest.raises(DeclarationError, match="deal: the deck ends before 3 players have their cards: IndexError"):
        replace(PRESIDENT, deal=deal)


def test_a_deck_that_lacks_a_card_for_each_player_is_refused() -> None:
    codec = replace(PRESIDENT.codec, cards_each=lambda players: 18)
    with pytest.raises(DeclarationError, match="the hands of 4 players are 72 cards; the deck has only 52"):
        replace(PRESIDENT, codec=codec)
    with pytest.raises(ValueError, match="4 cards, 3 each; use 1 or more each, and 7 or more in the deck of 3"):
        President.with_deck("6D 7D 8D 9D", 3)
