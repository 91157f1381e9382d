"""What small games of three cards each share: the deal, the hand, and who is in turn."""

from __future__ import annotations

from typing import Any

from rules.cards import FRENCH_52
from rules.ending import OUT_OF_CARDS, WON
from rules.rule import RuleFunction, among, choice, effect, guard, query
from rules.seats import seat_after
from rules.table import CardTable


@query
def hand(table: CardTable) -> int:
    return table.hands[table.player]


is_held = among(hand, "is_held", "{card} is no card of the hand", "The card is one of the hand.")


@effect
def next_player(table: CardTable) -> None:
    table.turns += 1
    table.player = seat_after(table.player, table.players)


@choice
def lowest_card(table: CardTable) -> int:
    return (hand(table) & -hand(table)).bit_length() - 1


THREE_EACH: dict[str, Any] = {"deck": FRENCH_52, "players": (2, 3, 4), "cards_each": 3}
"""The deck of a declaration, and how it is dealt."""


TURNS = 3
"""The turns that each has in a game that counts them in the field `played`."""


@guard("turns are left")
def last_turn(table: Any) -> bool:
    """It is the last turn of all, or the next player has no card."""
    return table.played == TURNS * table.players - 1 or table.hands[(table.player + 1) % table.players] == 0


@effect
def count_turn(table: Any) -> None:
    table.played += 1


def with_most_points(score: RuleFunction) -> RuleFunction:
    """An effect: the seat with the most points has won; if several have as many, nobody has."""

    @effect
    def most_points_win(table: Any) -> None:
        best, shared = 0, 0
        for seat in range(1, table.players):
            if score(table, seat) == score(table, best):
                shared = 1
            if score(table, seat) > score(table, best):
                best, shared = seat, 0
        table.ending = OUT_OF_CARDS if shared == 1 else WON
        table.winner = -1 if shared == 1 else best

    return most_points_win
