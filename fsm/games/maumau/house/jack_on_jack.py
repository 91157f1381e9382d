"""A jack may be laid on a jack."""

from __future__ import annotations

from fsm.declaration.arcs import Arc, Offer, SmallDeck
from fsm.games.maumau.arcs import AWAIT_PLAY, JACK, JACK_BINDING
from fsm.games.maumau.house.where import BY_WHAT_MAY_BE_LAID
from fsm.games.maumau.players import HOUSE
from fsm.variants.edits import AddArcs, AddDeck, Allow, Arcs, ChangeArcs, Decide, Means, Variant
from rules.cards import JACKS
from rules.maumau import actions
from rules.maumau.actions import bound_cards
from rules.maumau.table import MauMauTable
from rules.maumau.turn import last_card, lay_card, next_player
from rules.rule import query


@query
def bound_cards_and_jacks(table: MauMauTable) -> int:
    """The cards in the hand of the player in turn that the open jack allows: the bound suit, and every jack."""
    return bound_cards(table) | table.hands[table.player] & JACKS


BIND = (lay_card, actions.bind_suit, next_player)

RULE = Variant(
    "jack-on-jack",
    "A jack may be laid on a jack.",
    (
        AddArcs((
            Arc("play", JACK_BINDING, JACK_BINDING, conditions=(actions.fits_bound_suit, actions.jack),
                unless=(last_card,), before=BIND, description=JACK.rule),
        )),
        ChangeArcs(Arcs("play", JACK_BINDING, AWAIT_PLAY), unless=(actions.jack,)),
        Allow(JACK_BINDING, Offer("play", actions.bound_cards, actions.suits_to_name)),
        Decide(JACK_BINDING, HOUSE.choices[AWAIT_PLAY]),
        Means(actions.bound_cards, bound_cards_and_jacks),
        *BY_WHAT_MAY_BE_LAID,
        AddDeck(SmallDeck("DJ HJ DS DQ HE", 2, 1)),
    ),
)  # fmt: skip
