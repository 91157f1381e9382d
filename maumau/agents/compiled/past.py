"""The events that players choose, kept in the notes of a game as each seat sees them."""

from __future__ import annotations

from fsm.edge.numbers import Array
from maumau.agents.compiled.given import given

MARK = 1 << 48
"""The highest bit of a word of the notes that has an event. Below it are, from the lowest: 16 bits with the number of
the value plus 1, 16 with the number of the card plus 1, 8 with the number of the event, 8 with the seat.
"""


def keep_event(
    notes: Array, player: int, event: int, card: int, value: int, seen_by: int, card_by: int, value_by: int
) -> None:
    """Keep an event that a player has chosen in the ring of each seat that sees it.

    event, card, value: their numbers, -1 for none. seen_by, card_by, value_by: who sees each: 0 for the player alone, 1
    for its partners, 2 for all.
    """
    for seat in range(given.PLAYERS):
        away = 0 if seat == player else 2
        if given.SIDES > 0 and away == 2 and (seat - player) % given.SIDES == 0:
            away = 1
        if away <= seen_by:
            word = MARK | player << 40 | event << 32
            if away <= card_by:
                word |= card + 1 << 16
            if away <= value_by:
                word |= value + 1
            ring = given.PAST + seat * (given.EVENTS + 1)
            notes[ring + 1 + notes[ring] % given.EVENTS] = word
            notes[ring] += 1
