"""A suit that may be led only once a card of it was played: until then it is not broken.

The table has `broken`, which is 1 once the suit is broken: the fact `Fact("broken")`.
"""

from __future__ import annotations

from rules.rule import RuleFunction, effect, query
from rules.tricks import cards_in_tricks, play_card


def leading_unbroken(cards: int) -> RuleFunction:
    """Return a query (table): the cards that may be led, none of the suit before it is broken, if others are held.

    cards: those of the suit, a mask.
    """

    @query
    def leading(table):  # type: ignore[no-untyped-def]
        """The cards that may be led: none of the suit before one was played, if others are held."""
        hand = table.hands[table.player]
        plain = hand & ~cards
        return hand if table.broken == 1 or plain == 0 else plain

    return leading


def breaking(cards: int) -> RuleFunction:
    """Return an effect (table): the card goes from the hand into the trick; one of the suit breaks it.

    cards: those of the suit, a mask.
    """

    @effect
    def lay_card(table):  # type: ignore[no-untyped-def]
        """The card goes into the trick."""
        play_card(table)
        table.broken |= cards >> table.card & 1

    return lay_card


def broken_by(cards: int) -> RuleFunction:
    """Return a query (table): the suit is broken exactly if a card of it was played. cards: those of the suit."""

    @query
    def is_broken_by_card(table):  # type: ignore[no-untyped-def]
        """The suit is broken exactly if a card of it was played."""
        return table.broken == (1 if cards_in_tricks(table) & cards != 0 else 0)

    return is_broken_by_card
