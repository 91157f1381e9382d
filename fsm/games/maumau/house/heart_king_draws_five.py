"""The king of hearts: the next player draws five."""

from __future__ import annotations

from fsm.games.maumau.arcs import PENALTY_PENDING
from fsm.games.maumau.house.king_again import plays_again
from fsm.games.maumau.house.play_on_after_penalty import least_penalty
from fsm.games.maumau.house.where import PLAIN_CARD, PLAIN_OPENING
from fsm.variants import AddDeck, Means, Refuse, SmallDeck, SplitArcs, Variant
from rules.cards import FRENCH, NO_CARD, WHOLE_DECK
from rules.maumau.game import MauMauTable, answers_seven, next_player, one_seven, sevens_in_hand
from rules.maumau.invariants import drawn_as_penalty, penalty_is_due, seven_makes_two_due
from rules.rule import Reason, effect, guard, query

HEART_KING = FRENCH.card("HK")
FOR_HEART_KING = 5
"""Cards that are due for the king of hearts."""


@guard("{card} is not the king of hearts")
def heart_king(table: MauMauTable) -> bool:
    """The card that is played is the king of hearts."""
    return table.card == HEART_KING


@effect
def add_five(table: MauMauTable) -> None:
    """Five cards are due."""
    table.due += FOR_HEART_KING


@query
def answers_to_seven_only(table: MauMauTable) -> int:
    """The sevens of the player in turn where a seven is open; nothing answers the king of hearts."""
    return 0 if table.open_card == HEART_KING else sevens_in_hand(table)


@query
def king_of_another_suit(card: int) -> bool:
    """Whether who lays `card` plays again: the king of hearts does something else."""
    return card != HEART_KING and plays_again(card)


@query
def penalty_or_five_due(table: MauMauTable) -> bool:
    """Five cards are due where the king of hearts is open, else those for sevens."""
    return table.due == FOR_HEART_KING if table.open_card == HEART_KING else penalty_is_due(table)


@query
def drawn_as_penalty_or_five(table: MauMauTable) -> bool:
    """Where the king of hearts is open, some of five cards were drawn and the rest is due."""
    if table.open_card != HEART_KING:
        return drawn_as_penalty(table)
    if table.drawn == NO_CARD:
        return table.due == FOR_HEART_KING
    return 0 <= table.due < FOR_HEART_KING and table.hands[table.player].bit_count() > FOR_HEART_KING - table.due


@query
def at_least_five(table: MauMauTable) -> int:
    """The king of hearts alone makes five cards due."""
    return FOR_HEART_KING if table.open_card == HEART_KING else least_penalty(table)


@query
def makes_five_due(before: MauMauTable, after: MauMauTable) -> bool:
    """The king of hearts that lies newly open makes five cards due, a seven its own, any other card none."""
    if after.open_card == HEART_KING:
        return after.due - before.due == FOR_HEART_KING
    return seven_makes_two_due(before, after)


@guard("not exactly one seven is active")
def one_seven_or_heart_king(table: MauMauTable) -> bool:
    """One seven is active, or the king of hearts, which counts as a chain of one."""
    return table.open_card == HEART_KING or one_seven(table)


@query
def all_on_heart_king(table: MauMauTable) -> int:
    """All cards, where the king of hearts is open."""
    return WHOLE_DECK if table.open_card == HEART_KING else 0


A_HEART_KING = "The king of hearts: the next player draws five cards."

RULE = Variant(
    "heart-king-draws-five",
    "After the king of hearts the next player draws five cards.",
    (
        SplitArcs(PLAIN_CARD, heart_king, A_HEART_KING, dest=PENALTY_PENDING,
                  put_before=((next_player, (add_five,)),)),
        SplitArcs(PLAIN_OPENING, heart_king, A_HEART_KING, dest=PENALTY_PENDING,
                  before=(add_five,)),
        Means(plays_again, king_of_another_suit, if_used=True),
        Means(sevens_in_hand, answers_to_seven_only),
        Refuse(answers_seven, (Reason("no card answers {open_card}", all_on_heart_king),)),
        Means(one_seven, one_seven_or_heart_king),
        Means(penalty_is_due, penalty_or_five_due),
        Means(drawn_as_penalty, drawn_as_penalty_or_five),
        Means(least_penalty, at_least_five, if_used=True),
        Means(seven_makes_two_due, makes_five_due),
        AddDeck(SmallDeck("HK HQ HJ DQ HN", 2, 1)),
    ),
)  # fmt: skip
