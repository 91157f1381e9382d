"""Places as the outcome: who is out first has the first place, and the one who is left has the last.

The table has `places: list[int]`, the place of each seat from 1 on, 0 for a seat that still holds cards: the fact
`PLACES`. The first place wins.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.ending import WON
from rules.rule import effect, query
from rules.table import CardTable, each_seat
from rules.visibility import seen_by_all

SEATS = 8
"""The most players."""


@dataclass(slots=True)
class PlacesTable(CardTable):
    """The cards and facts of a game that ends with places."""

    places: list[int] = seen_by_all(factory=each_seat(SEATS))


@effect
def forget_places(table: PlacesTable) -> None:
    """Take the places of the round before from all."""
    for seat in range(table.players):
        table.places[seat] = 0


@query
def places_taken(table: PlacesTable) -> int:
    """Return how many seats have a place."""
    found = 0
    for seat in range(table.players):
        found += 1 if table.places[seat] > 0 else 0
    return found


@query
def seat_at_place(table: PlacesTable, place: int) -> int:
    """Return the seat that has a place, from 1 on; -1 if none has."""
    found = -1
    for seat in range(table.players):
        if table.places[seat] == place:
            found = seat
    return found


@query
def place_of(table: PlacesTable, seat: int) -> int:
    """The place of a seat, from 1 on: a score of which the fewest wins."""
    return table.places[seat]


@query
def better_places(table: PlacesTable, seat: int) -> int:
    """The players behind a seat: points of a round in a match."""
    return table.players - table.places[seat]


@query
def returns_by_place(table: PlacesTable, seat: int) -> int:
    """The players behind a seat, less those before it: returns that add up to 0."""
    return table.players + 1 - 2 * table.places[seat]


@effect
def take_next_place(table: PlacesTable) -> None:
    """The player in turn, who has no cards left, takes the best place that is left; others do not."""
    if table.hands[table.player] == 0:
        table.places[table.player] = places_taken(table) + 1


@effect
def last_place_is_left(table: PlacesTable) -> None:
    """The only player who holds cards takes the last place, and the game is over: the first place has won."""
    for seat in range(table.players):
        if table.places[seat] == 0:
            table.places[seat] = table.players
    table.turns += 1
    table.ending = WON
    table.winner = seat_at_place(table, 1)


# ---------------------------------------------------------------- what must hold


@query
def places_of_a_round(table: PlacesTable) -> bool:
    """No round came before, or each place of the round before was taken once."""
    if places_taken(table) == 0:
        return True
    for place in range(1, table.players + 1):
        if seat_at_place(table, place) < 0:
            return False
    return True


@query
def places_are_of_hands(table: PlacesTable) -> bool:
    """The seats without cards have the places from 1 on, each of them once, and two or more seats hold cards."""
    out = 0
    for seat in range(table.players):
        if (table.hands[seat] == 0) != (table.places[seat] > 0):
            return False
        out += 1 if table.places[seat] > 0 else 0
    for place in range(1, out + 1):
        if seat_at_place(table, place) < 0:
            return False
    return out <= table.players - 2


@query
def all_have_places(table: PlacesTable) -> bool:
    """Each place is taken once, the last by the only player with cards, and the first has won."""
    for place in range(1, table.players + 1):
        seat = seat_at_place(table, place)
        if seat < 0 or (table.hands[seat] != 0) != (place == table.players):
            return False
    return table.winner == seat_at_place(table, 1)
