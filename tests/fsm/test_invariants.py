"""The invariants themselves: each notices the fault that it is there for, and passes the position without it."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from fsm import MauMau, Uno
from rules.ending import WON
from rules.invariants import all_hold_cards, other_hands_stay, same_order
from rules.maumau import invariants as maumau
from rules.uno import invariants as uno
from rules.uno.cards import FIRST_WILD, UNO_CARDS

Change = Callable[[Any], None]


def table_of(kind: type[MauMau | Uno]) -> Any:
    """The table of a game of three players in which the first player is in turn and nothing is due."""
    game = kind.deal(3, 7, 0)
    game.step()
    game.table.player = game.table.due = 0
    return game.table


def no_card(seat: int) -> Change:
    def change(table: Any) -> None:
        table.hands[seat] = 0

    return change


def another_card(table: Any) -> None:
    table.hands[1] ^= 1 << 5


def more(field: str, seat: int) -> Change:
    def change(table: Any) -> None:
        getattr(table, field)[seat] += 1

    return change


@pytest.mark.parametrize(
    ("kind", "holds", "change"),
    [
        (MauMau, all_hold_cards, no_card(2)),
        (Uno, all_hold_cards, no_card(2)),
    ],
)
def test_a_position_that_cannot_be_is_detected(kind: Any, holds: Any, change: Change) -> None:
    table = table_of(kind)
    assert holds(table)
    change(table)
    assert not holds(table)


@pytest.mark.parametrize(("kind", "holds"), [(MauMau, maumau.ended_rightly), (Uno, uno.ended_rightly)])
def test_a_winner_who_holds_cards_or_is_not_alone_is_detected(kind: Any, holds: Any) -> None:
    table = table_of(kind)
    table.ending, table.winner = WON, 0
    table.stock -= 1  # a card lies under the open one, which the winner has laid
    assert not holds(table)
    table.hands[0] = 0
    assert holds(table)
    table.hands[1] = 0
    assert not holds(table)


def test_who_has_no_card_while_cards_are_drawn_must_have_made_them_due() -> None:
    table = table_of(Uno)
    table.due, table.hands[0], table.twins[0] = 1, 1 << UNO_CARDS.card("Y6"), 0
    assert uno.drawing_is_on(table)
    table.hands[1] = 0
    assert not uno.drawing_is_on(table)


@pytest.mark.parametrize(
    ("kind", "holds", "change"),
    [
        (MauMau, other_hands_stay, another_card),
        (Uno, uno.other_hands_stay, another_card),
        (Uno, uno.other_hands_stay, more("twins", 2)),
        (Uno, uno.colour_stays, more("wilds", 0)),
        (Uno, uno.nobody_calls, more("uno_calls", 1)),
    ],
)
def test_what_an_event_may_not_do_is_detected(kind: Any, holds: Any, change: Change) -> None:
    before = table_of(kind)
    after = deepcopy(before)
    assert holds(before, after)
    change(after)
    assert not holds(before, after)


def test_a_wild_counts_for_its_player_alone() -> None:
    before = table_of(Uno)
    before.card, before.suit = FIRST_WILD, 2
    after = deepcopy(before)
    after.colour = 2
    assert not uno.wild_names_colour(before, after)
    after.wilds[0] += 1
    assert uno.wild_names_colour(before, after)
    after.wilds[1] += 1
    assert not uno.wild_names_colour(before, after)


def test_cards_that_change_places_in_a_pile_are_detected() -> None:
    before = table_of(MauMau)
    after = deepcopy(before)
    assert same_order(before, after, 0, after.stock)
    at = after.head
    after.ring[at], after.ring[at + 1] = after.ring[at + 1], after.ring[at]
    assert not same_order(before, after, 0, after.stock)
