"""A jack may be laid on a jack."""

from __future__ import annotations

from fsm.games.maumau.arcs import AWAIT_PLAY, JACK, JACK_BINDING, laid
from fsm.games.maumau.house.where import BY_WHAT_MAY_BE_LAID
from fsm.games.maumau.players import HOUSE
from fsm.variants import AddDeck, Arcs, ChangeArcs, Decide, Means, Refuse, Reword, SmallDeck, Variant, choose, in_phase
from rules.cards import JACKS, OTHERS_THAN_JACKS
from rules.maumau import game
from rules.maumau.game import MauMauTable, bound_cards, cards_of_other_suits, last_card
from rules.rule import Reason, query


@query
def bound_cards_and_jacks(table: MauMauTable) -> int:
    """The cards in the hand of the player in turn that the open jack allows: the bound suit, and every jack."""
    return bound_cards(table) | table.hands[table.player] & JACKS


@query
def others_of_other_suits(table: MauMauTable) -> int:
    """The cards that are neither of the bound suit nor jacks."""
    return cards_of_other_suits(table) & OTHERS_THAN_JACKS


NO_JACK = "{card} is neither of suit {bound_suit}, which the open {open_card} binds, nor a jack"
JACK_ON_JACK, MAY_NAME = in_phase(
    JACK_BINDING, choose(laid(game.fits_bound_suit, JACK, suits=game.suits_to_name, unless=last_card))
)

RULE = Variant(
    "jack-on-jack",
    "A jack may be laid on a jack.",
    (
        JACK_ON_JACK,
        ChangeArcs(Arcs("play", JACK_BINDING, AWAIT_PLAY), unless=(game.jack,)),
        MAY_NAME,
        Decide(JACK_BINDING, HOUSE.choices[AWAIT_PLAY]),
        Means(game.bound_cards, bound_cards_and_jacks),
        *BY_WHAT_MAY_BE_LAID,
        Refuse(game.fits_bound_suit, (Reason(NO_JACK, others_of_other_suits),), instead=True),
        Reword("any card except a jack fits", "any card fits"),
        AddDeck(SmallDeck("DJ HJ DS DQ HE", 2, 1)),
    ),
)
