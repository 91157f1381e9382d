"""An ace skips the next player."""

from __future__ import annotations

from fsm.games.maumau.arcs import SKIP_PENDING
from fsm.games.maumau.house.where import PLAIN_CARD, PLAIN_OPENING
from fsm.variants import AddDeck, Means, SmallDeck, SplitArcs, Variant
from rules.cards import ACE, rank_of
from rules.maumau.game import MauMauTable
from rules.maumau.invariants import card_has_no_action, eight_is_open
from rules.rule import guard, query


@guard("{card} is not an ace")
def ace(table: MauMauTable) -> bool:
    """The card that is played is an ace."""
    return rank_of(table.card) == ACE


@query
def eight_or_ace_is_open(table: MauMauTable) -> bool:
    """The open card is an eight or an ace."""
    return eight_is_open(table) or rank_of(table.open_card) == ACE


@query
def card_does_not_skip(before: MauMauTable, after: MauMauTable) -> bool:
    """The card that lies newly open has no action, and is not an ace."""
    return card_has_no_action(before, after) and rank_of(after.open_card) != ACE


AN_ACE = "An ace: the next player is skipped."

RULE = Variant(
    "ace-skips",
    "Aces skip, as eights do.",
    (
        SplitArcs(PLAIN_CARD, ace, AN_ACE, dest=SKIP_PENDING),
        SplitArcs(PLAIN_OPENING, ace, AN_ACE, dest=SKIP_PENDING),
        Means(eight_is_open, eight_or_ace_is_open),
        Means(card_has_no_action, card_does_not_skip),
        AddDeck(SmallDeck("DA HA DQ DJ HQ", 2, 1)),
    ),
)
