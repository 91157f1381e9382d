"""The eight that its player must cover at once."""

from __future__ import annotations

from rules.cards import EIGHT, rank_of
from rules.ending import WON
from rules.maumau.drawing import drawn_to_keep
from rules.maumau.invariants import card_has_no_action, next_in_turn
from rules.maumau.table import MauMauTable
from rules.maumau.turn import end_turn
from rules.rule import effect, query


class Covering(MauMauTable):
    """A table that knows whether a card is drawn because an eight is not covered."""

    uncovered: int


@effect
def cover_next(table: Covering) -> None:
    """The same player lays another card."""
    end_turn(table)


@effect
def leave_uncovered(table: Covering) -> None:
    """The card that is drawn now may not be laid."""
    table.uncovered = 1


@effect
def stop_covering(table: Covering) -> None:
    """The eight stays uncovered, and nobody has to cover it any more."""
    table.uncovered = 0


@query
def to_keep_or_uncovered(table: Covering) -> bool:
    """The drawn card may not be played: a penalty, or drawn because no card covers the eight."""
    return table.uncovered == 1 or drawn_to_keep(table)


@query
def next_but_after_eight(before: Covering, after: Covering) -> bool:
    """The turn is over; after an eight the same player covers it, else the next one is in turn."""
    if after.tail == before.tail or rank_of(after.open_card) != EIGHT:
        return next_in_turn(before, after)
    return after.player == before.player and after.turns == before.turns + 1


@query
def uncovered_on_eight(table: Covering) -> bool:
    """An eight is left uncovered at most where it is open; then no penalty is drawn, and nobody has won."""
    if table.uncovered == 0:
        return True
    return table.uncovered == 1 and rank_of(table.open_card) == EIGHT and table.punished == 0 and table.ending != WON


@query
def none_is_uncovered(table: Covering) -> bool:
    """No eight was left uncovered in this turn."""
    return table.uncovered == 0


@query
def is_left_uncovered(before: Covering, after: Covering) -> bool:
    """The eight is left uncovered from now on."""
    return after.uncovered == 1


@query
def no_action_but_opening_eight(before: Covering, after: Covering) -> bool:
    """The card that lies newly open has no action, or it is an opening eight."""
    opening_eight = after.tail == before.tail and rank_of(after.open_card) == EIGHT
    return opening_eight or card_has_no_action(before, after)
