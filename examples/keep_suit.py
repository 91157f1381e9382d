"""Mau-Mau with a player who keeps the suit that the hand is strong in: better than the decision rules of the problem.

maumau study --game examples/keep_suit.py:MauMau --players 3 --games 100000 --policy keep-suit,house,house

The first policy of a game is its default; `house` is what it was.
"""

from __future__ import annotations

from dataclasses import replace

from maumau import Choice, Game, MauMauPhase, Policy, choice, rule
from maumau import MauMau as Standard
from rules.cards import OTHERS_THAN_JACKS, RANK_CARDS, SUIT_CARDS, VALUES, rank_of, suit_of
from rules.maumau.decision import holds_bound_card, holds_fitting_card
from rules.maumau.game import MauMauTable, bound_cards, matching_cards

SUIT_WEIGHT, RANK_WEIGHT, POINT_WEIGHT = 33, 9, 1
"""What a card left of the same suit, one left of the same rank, and a point of the card that is laid are worth."""


@rule
def worth(hand: int, card: int) -> int:
    """What it is worth to lay a card: cards of its suit and rank can follow it, and its points are gone."""
    left = hand & ~(1 << card) & OTHERS_THAN_JACKS
    suit = (left & SUIT_CARDS << suit_of(card)).bit_count()
    rank = (left & RANK_CARDS << (card & ~3)).bit_count()
    return SUIT_WEIGHT * suit + RANK_WEIGHT * rank + POINT_WEIGHT * VALUES[rank_of(card)]


@rule
def best_of(hand: int, cards: int) -> int:
    """The card of a mask, which is not empty, that is worth most; of equals the highest."""
    best, most = -1, -1
    while cards != 0:
        card = (cards & -cards).bit_length() - 1
        cards &= cards - 1
        value = worth(hand, card)
        if value >= most:
            best, most = card, value
    return best


@choice
def card_of_kept_suit(table: MauMauTable) -> int:
    """Of the fitting cards other than jacks the one after which most of its suit are left."""
    hand = table.hands[table.player]
    return best_of(hand, hand & matching_cards(table.open_card))


@choice
def bound_card_of_kept_suit(table: MauMauTable) -> int:
    """The same of the cards that the open jack allows."""
    return best_of(table.hands[table.player], bound_cards(table))


KEEP = "the fitting card after which most cards of its suit are left"
house = Standard.declaration.policy("house")
jack_first, _, *rest = house.choices[MauMauPhase.AWAIT_PLAY]
_, *rest_bound = house.choices[MauMauPhase.JACK_BINDING]
KEEP_SUIT = Policy(
    "keep-suit",
    {
        **house.choices,
        MauMauPhase.AWAIT_PLAY: (
            jack_first,
            Choice("play", "keep the suit", conditions=(holds_fitting_card,), card=card_of_kept_suit, description=KEEP),
            *rest,
        ),
        MauMauPhase.JACK_BINDING: (
            Choice(
                "play", "keep the suit", conditions=(holds_bound_card,), card=bound_card_of_kept_suit, description=KEEP
            ),
            *rest_bound,
        ),
    },
)
DECLARATION = replace(
    Standard.declaration,
    name="maumau-keep-suit",
    title="Mau-Mau with a player who keeps the suit",
    policies=(*Standard.declaration.policies, KEEP_SUIT),
)


class MauMau(Game, declaration=DECLARATION):
    """A game of Mau-Mau with one more policy."""
