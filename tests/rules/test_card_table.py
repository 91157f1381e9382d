"""The table and the decks that all games share."""

from __future__ import annotations

from collections import Counter

import pytest

from rules.cards import FRENCH, FRENCH_36, FRENCH_52, held, rank_of, suit_of
from rules.notation import Notation
from rules.piles import discard_pile, draw_pile
from rules.table import (
    CardTable,
    TwinTable,
    deal_in_turn,
    deal_in_turn_unopened,
    deal_twins_in_turn,
    fill_once,
    fill_twice,
    held_with_twins,
    ring_of,
)
from rules.visibility import SeenBy, seen_by_all, visibility


@pytest.mark.parametrize(("notation", "ranks"), [(FRENCH, 8), (FRENCH_36, 9), (FRENCH_52, 13)])
def test_a_deck_has_every_rank_in_four_suits(notation: Notation, ranks: int) -> None:
    assert len(set(notation.cards)) == 4 * ranks
    assert len(notation.ranks) == ranks
    for code, name in enumerate(notation.cards):
        assert {notation.ranks[rank_of(code)], notation.suits[suit_of(code)]} == set(name)


def test_the_names_of_the_larger_decks_begin_with_the_rank() -> None:
    assert FRENCH_36.cards[0] == "6D"
    assert FRENCH_36.cards[-1] == FRENCH_52.cards[-1] == "AC"
    assert FRENCH_52.cards[FRENCH_52.card("TS")] == "TS"
    assert FRENCH_52.rank("Q") == 10
    with pytest.raises(ValueError, match="unknown rank '1'; use one of 2, 3, 4"):
        FRENCH_52.rank("1")


def test_cards_are_dealt_in_turn_and_the_next_one_is_open() -> None:
    deck = bytearray(52)
    fill_once(deck)
    table = CardTable()
    deal_in_turn(table, deck, 3, 2)
    assert [held(table, seat) for seat in range(4)] == [[0, 3], [1, 4], [2, 5], []]
    assert table.open_card == 6
    assert list(discard_pile(table)) == [6]
    assert list(draw_pile(table)) == list(range(7, 52))


def test_a_game_may_have_no_open_card() -> None:
    deck = bytearray(52)
    fill_once(deck)
    table = CardTable()
    deal_in_turn_unopened(table, deck, 4, 13)
    assert [len(held(table, seat)) for seat in range(4)] == [13] * 4
    assert (table.open_card, discard_pile(table), draw_pile(table)) == (-1, b"", b"")
    table = CardTable()
    deal_in_turn_unopened(table, deck, 2, 1)
    assert (table.open_card, discard_pile(table), draw_pile(table)) == (-1, b"", bytes(range(2, 52)))


def test_of_two_decks_a_hand_may_hold_both_copies() -> None:
    deck = bytearray(104)
    fill_twice(deck)
    assert Counter(deck) == dict.fromkeys(range(52), 2)
    table = TwinTable(ring=ring_of(128)())
    deal_twins_in_turn(table, bytes([7, 8, 7, 9, 10, 8]), 2, 2)
    assert [held_with_twins(table, seat) for seat in range(2)] == [[7, 7], [8, 9]]
    assert table.open_card == 10


def test_a_ring_has_a_power_of_two_places() -> None:
    with pytest.raises(ValueError, match="a ring of 52 places; use a power of two"):
        ring_of(52)


def test_what_is_not_declared_is_hidden() -> None:
    seen = visibility(CardTable)
    assert [name for name, by in seen.items() if by is SeenBy.NOBODY] == ["returned", "seed", "number", "rolls"]
    assert [name for name, by in seen.items() if by is SeenBy.OWNER] == ["hands", "drawn"]
    assert seen["ring"] is SeenBy.DISCARDS
    with pytest.raises(TypeError, match="a field has a default or a factory; give one of them"):
        seen_by_all()
