"""UNO: the deck, what the cards count, and the deal."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest
from plain_uno import CARDS
from uno_games import at, deck, turn

from fsm.games.uno import UNO
from fsm.games.uno.game import Uno
from maumau.kernels import bulk
from rules.uno.cards import FIRST_WILD, UNO_CARDS, points
from rules.uno.game import expose_no_wild, fill


def test_the_deck_has_one_zero_and_two_of_each_other_card_of_a_colour_and_four_of_each_wild() -> None:
    cards = bytearray(UNO.deck_size)
    fill(cards)
    assert Counter(UNO_CARDS.names(cards)) == Counter(CARDS)


def test_cards_are_numbered_by_points_and_then_against_the_alphabet() -> None:
    coloured = UNO_CARDS.cards[:FIRST_WILD]
    rank_points = {name: points(1 << code) for code, name in enumerate(UNO_CARDS.cards)}
    assert sorted(coloured, key=lambda name: (-rank_points[name], name)) == list(reversed(coloured))
    assert [rank_points[name] for name in ("B0", "R7", "YS", "GD", "BR", "WC", "WF")] == [0, 7, 20, 20, 20, 50, 50]


@pytest.mark.parametrize(
    ("card", "counts"),
    [*((f"{colour}{rank}", int(rank)) for colour in "RGBY" for rank in "0123456789"),
     *((f"{colour}{rank}", 20) for colour in "RGBY" for rank in "SDR"), ("WC", 50), ("WF", 50)],
)  # fmt: skip
def test_a_card_in_hand_counts_its_face_twenty_or_fifty(card: str, counts: int) -> None:
    game = turn(at(f"await-play hands=R4/{card} discard=R3 draw=..."))
    assert game.outcome is not None
    assert game.outcome.scores == (0, counts)


def test_players_take_seven_cards_in_a_row_and_the_next_is_exposed() -> None:
    case = deck(3, "R5", "G1").split()
    game = Uno.parse(" ".join(case))
    assert [list(hand) for hand in game.hands] == [case[1:8], case[8:15], case[15:22]]
    assert (game.open_card, game.discard_pile, list(game.draw_pile)) == ("R5", ("R5",), case[23:])


@pytest.mark.parametrize("players", range(2, 11))
def test_dealt_games_expose_no_wild_and_keep_the_whole_deck(players: int) -> None:
    for number in range(150):
        cards = UNO_CARDS.names(Uno.deck_of(players, 5, number))
        assert Counter(cards) == Counter(CARDS)
        assert cards[7 * players][0] != "W"


def test_a_wild_that_would_be_exposed_changes_places_with_any_other_card() -> None:
    places = set()
    for number in range(2000):
        cards = bytearray(UNO.deck_size)
        fill(cards)
        cards[14], cards[100] = cards[100], cards[14]
        expose_no_wild(cards, 2, 1, number)
        places |= {place for place, card in enumerate(cards) if card >= FIRST_WILD}
    assert len(places) == 107
    assert 14 not in places


def test_small_decks_expose_no_wild_and_all_others_are_equally_likely() -> None:
    """Of the 180 orders of six cards, of which two are wild and two alike, two thirds expose no wild."""
    small = Uno.with_deck("Y1 Y1 R1 RS WC WC", each=2)
    counts = Counter(tuple(UNO_CARDS.names(small.deck_of(2, 7, number))) for number in range(12_000))
    assert len(counts) == 120
    assert not [cards for cards in counts if cards[4] == "WC"]
    assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 119 + 4 * sqrt(2 * 119)


@pytest.mark.slow
def test_small_decks_are_dealt_alike_in_machine_code() -> None:
    small = Uno.with_deck("Y1 R1 RS WC WC", each=1)
    played = Counter(small.deal(2, 7, number).run().winner for number in range(300))
    assert bulk.total(2, 300, 7, game=small).wins == (played[1], played[2])


def test_a_deck_that_exposes_a_wild_is_no_game() -> None:
    cards = bytearray(UNO.deck_size)
    fill(cards)
    cards[14], cards[100] = cards[100], cards[14]
    with pytest.raises(
        ValueError,
        match="the deck cannot be dealt; this must hold: colour or rank is matched on a card that is not a wild",
    ):
        Uno.of_deck(2, cards)
