"""Who lays a king plays again."""

from __future__ import annotations

from fsm.games.maumau.house.where import PLAIN_CARD
from fsm.variants import AddDeck, Means, SmallDeck, SplitArcs, Variant
from rules.cards import KING, rank_of
from rules.maumau.game import MauMauTable, end_turn, lay_card
from rules.maumau.invariants import next_in_turn
from rules.rule import effect, guard, query


@query
def plays_again(card: int) -> bool:
    """Whether who lays `card` plays again: it is a king."""
    return rank_of(card) == KING


@guard("{card} is not a king after which its player plays again")
def king(table: MauMauTable) -> bool:
    """The card that is played is a king."""
    return plays_again(table.card)


@effect
def play_again(table: MauMauTable) -> None:
    """The turn is over, and the same player has another one."""
    end_turn(table)


@query
def next_but_after_king(before: MauMauTable, after: MauMauTable) -> bool:
    """The turn is over; after a king the same player is in turn, else the next one."""
    if after.tail == before.tail or not plays_again(after.open_card):
        return next_in_turn(before, after)
    return after.player == before.player and after.turns == before.turns + 1


RULE = Variant(
    "king-again",
    "After a king you play again.",
    (
        SplitArcs(PLAIN_CARD, king, "A king: the same player has another turn.", before=(lay_card, play_again)),
        Means(next_in_turn, next_but_after_king),
        AddDeck(SmallDeck("DK HK DQ HJ HE", 2, 1)),
    ),
)
