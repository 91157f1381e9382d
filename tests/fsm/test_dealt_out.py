"""A game whose whole deck is dealt out, so that some players have a card more than others."""

from __future__ import annotations

import re
from dataclasses import replace
from math import factorial, prod

import numpy as np
import pytest
import sevens
from alike import assert_played_alike, explored_alike
from command import maumau
from sevens import DECLARATION, Sevens, cards_each

from fsm.check import explore_stepped
from fsm.declaration.arcs import SmallDeck
from fsm.declaration.declaration import DeclarationError
from fsm.stepping.setup import deals
from fsm.table.layout import PositionError
from maumau import bulk
from maumau.kernels.explorer.exhaustive import explore
from rules.table import deal_in_turn_unopened, dealing

HANDS = {2: [26, 26], 3: [18, 17, 17], 4: [13, 13, 13, 13]}
"""How many of 52 cards each is dealt, one at a time in turn."""


@pytest.mark.parametrize("players", HANDS)
def test_all_cards_are_dealt_one_at_a_time_in_turn(players: int) -> None:
    game = Sevens.deal(players, 7)
    names = Sevens.declaration.codec.notation.names(Sevens.deck_of(players, 7))
    assert [list(hand) for hand in game.hands] == [names[seat::players] for seat in range(players)]
    assert [len(hand) for hand in game.hands] == HANDS[players]
    assert game.dealt_deck() == list(Sevens.deck_of(players, 7))
    assert Sevens.parse(Sevens.write(players, Sevens.deck_of(players, 7))).position() == game.position()


def test_the_machine_and_the_kernels_play_alike() -> None:
    games = [Sevens.deal(3, 7, number) for number in range(200)]
    assert_played_alike(Sevens, games, "house", 7)
    results = bulk.play(3, np.array([game.dealt_deck() for game in games], np.uint8), game=Sevens)
    assert [tuple(scores) for scores in results.scores] == [game.outcome.scores for game in games]


@pytest.mark.parametrize(("small", "sizes"), [*zip(DECLARATION.small_decks, [(2, 2, 1), (3, 3, 2)], strict=True)])
def test_both_explorers_visit_every_deal(small: SmallDeck, sizes: tuple[int, ...]) -> None:
    kind, cards = Sevens.with_deck(small.cards, small.each), len(small.cards.split())
    assert [len(hand) for hand in kind.deal(small.players, 7).hands] == list(sizes)
    listed = [kind.of_deck(small.players, deck).hands for deck in deals(kind, small.players)]
    assert len(listed) == len(set(listed)) == factorial(cards) // prod(map(factorial, sizes))
    assert explored_alike(Sevens, small).fired


def test_newly_dealt_hands_have_these_sizes() -> None:
    position = Sevens.deal(3, 7).position()
    assert Sevens.at(position).position() == position
    first, second, _ = re.findall(r"hands=(\S+)", position)[0].split("/")
    *fewer, last = first.split(",")
    moved = position.replace(f"{first}/{second}", f"{','.join(fewer)}/{second},{last}")
    with pytest.raises(PositionError, match="the cards are newly dealt; use 18, 17, 17 in the hands"):
        Sevens.at(moved)


def test_a_deal_that_takes_cards_which_are_not_there_is_refused() -> None:
    deal = dealing(cards_each, deal_in_turn_unopened)
    with pytest.raises(DeclarationError, match="deal: the deck ends before 3 players have their cards: IndexError"):
        replace(DECLARATION, deal=deal)


def test_a_deck_that_lacks_a_card_for_each_player_is_refused() -> None:
    codec = replace(DECLARATION.codec, cards_each=lambda players: 18)
    with pytest.raises(DeclarationError, match="the hands of 4 players are 72 cards; the deck has only 52"):
        replace(DECLARATION, codec=codec)
    with pytest.raises(ValueError, match="4 cards, 3 each; use 1 or more each, and 5 or more in the deck of 2"):
        Sevens.with_deck("6D 7D 8D 9D", 3)


def test_a_small_deck_with_which_no_game_may_begin_is_refused() -> None:
    """Of seven cards one is left, which the game does not know."""
    small = SmallDeck("6D 7D 8D 9D 6H 7H 8H", 2, 3)
    for visit in (explore, explore_stepped):
        with pytest.raises(
            ValueError, match="no deal of this deck to 2 players is valid; this must hold: every card appears once"
        ):
            visit(Sevens, small)
    refused = maumau("check", "--game", f"{sevens.__file__}:Sevens", "--deck", small.cards, "--players", 2, "--each", 3)
    assert refused.returncode == 2
    assert refused.stderr.startswith(
        "--deck: no deal of this deck to 2 players is valid; this must hold: every card appears"
    )
