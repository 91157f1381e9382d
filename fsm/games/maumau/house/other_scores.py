"""Other scores."""

from __future__ import annotations

from fsm.variants.edits import Means, Variant
from rules.cards import ACE, JACK, KING, QUEEN, RANKS, TEN, rank_of
from rules.ending import WON
from rules.maumau.game import MauMauTable, score
from rules.maumau.invariants import value_of
from rules.rule import query

OTHER_VALUES = tuple({"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}.get(rank, 0) for rank in RANKS)
"""Points of each rank, in the order of RANKS."""


@query
def other_score(table: MauMauTable, seat: int) -> int:
    """The points that `seat` is left with, doubled if the game was won with a jack."""
    total = 0
    for rank in range(8):
        total += OTHER_VALUES[rank] * (table.hands[seat] >> 4 * rank & 15).bit_count()
    doubled = table.ending == WON and rank_of(table.open_card) == JACK
    return 2 * total if doubled else total


@query
def other_value_of(card: int) -> int:
    """The points of a card."""
    rank = rank_of(card)
    if rank == ACE:
        return 11
    if rank == TEN:
        return 10
    return 4 if rank == KING else 3 if rank == QUEEN else 2 if rank == JACK else 0


RULE = Variant(
    "other-scores",
    "Ace 11, ten 10, king 4, queen 3, jack 2, the rest nothing.",
    (Means(score, other_score), Means(value_of, other_value_of)),
)
