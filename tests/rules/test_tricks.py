"""Tricks: who takes one, and what must hold of it, compared with the rule as a list of cards says it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rules import tricks
from rules.cards import NO_SUIT, of_suit
from rules.seats import seat_after
from rules.tricks import NOBODY, TrickTable

CARDS = st.permutations(range(52)).map(lambda cards: cards[:12])


def taker_by_the_rule(trick: list[tuple[int, int]], trump: int) -> int:
    """The seat that takes a trick of seats and cards: the highest trump, else the highest card of the suit led."""
    trumps = [(card, seat) for seat, card in trick if card % 4 == trump]
    same_suit = [(card, seat) for seat, card in trick if card % 4 == trick[0][1] % 4]
    return max(trumps or same_suit)[1]


def dealt(cards: list[int], trump: int, first: int) -> TrickTable:
    """Three cards for each of four players, the first of whom leads; dealt in a row."""
    table = TrickTable(players=4, player=first, trump=trump)
    for seat in range(4):
        table.hands[seat] = sum(1 << card for card in cards[3 * seat : 3 * seat + 3])
    return table


@given(CARDS, st.sampled_from((NO_SUIT, 0, 1, 2, 3)), st.integers(0, 3), st.data())
def test_the_highest_trump_else_the_highest_card_of_the_suit_led_takes_the_trick(
    cards: list[int], trump: int, first: int, data: st.DataObject
) -> None:
    table, leader, taken = dealt(cards, trump, first), first, []
    for _ in range(3):
        trick: list[tuple[int, int]] = []
        assert tricks.no_trick_lies(table)
        for place in range(4):
            may = tricks.held(table) if place == 0 else tricks.following(table)
            same = table.hands[table.player] & of_suit(trick[0][1] % 4) if trick else 0
            assert may == (same or table.hands[table.player])
            table.card = data.draw(st.sampled_from([card for card in cards if may >> card & 1]))
            assert tricks.fills_trick(table) == (place == 3)
            trick.append((table.player, table.card))
            tricks.play_card(table)
            (tricks.lead_suit if place == 0 else tricks.beat)(table)
            assert table.taker == tricks.taker(table) == taker_by_the_rule(trick, trump)
            if place < 3:
                table.player = seat_after(table.player, 4)
                assert tricks.hands_fit_trick(table)
            assert tricks.leader_of_trick(table) == leader
            assert tricks.trick_lies(table)
        assert tricks.trick_is_full(table)
        taken.append((taker_by_the_rule(trick, trump), trick))
        assert tricks.all_played(table) == (len(taken) == 3)
        tricks.taker_in_turn(table)
        leader = taken[-1][0]
        assert (table.player, table.taker, table.laid) == (leader, NOBODY, 0)
        assert tricks.leader_of_game(table) == first
        assert tricks.tricks_taken(table) == len(taken)
    points = tricks.points_of_tricks(lambda cards: cards.bit_length())
    for seat in range(4):
        assert points(table, seat) == sum(card + 1 for by, trick in taken for _, card in trick if by == seat)


def test_a_trick_with_a_wrong_fact_does_not_lie() -> None:
    table = dealt(list(range(12)), 1, 0)
    table.card = 2
    tricks.play_card(table)
    tricks.lead_suit(table)
    for field, wrong in (("led", 3), ("best", 3), ("taker", 1)):
        right = getattr(table, field)
        setattr(table, field, wrong)
        assert not tricks.trick_lies(table)
        setattr(table, field, right)
    table.player = 1
    assert tricks.trick_lies(table)
