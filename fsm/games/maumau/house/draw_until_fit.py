"""Who cannot play draws until a card fits."""

from __future__ import annotations

from fsm.games.maumau.arcs import AWAIT_PLAY, DRAWING, JACK_BINDING
from fsm.variants import (
    AddDeck,
    Arcs,
    ChangeArcs,
    Check,
    DropArcs,
    Means,
    Postcondition,
    Reveal,
    SmallDeck,
    Variant,
    forced,
    in_phase,
    on,
)
from rules.cards import NO_CARD
from rules.drawing import draw_one
from rules.maumau.game import MauMauTable, drawn_cards, drawn_to_keep, jack_is_open
from rules.maumau.invariants import drawn_for_want
from rules.rule import guard, query


@guard("the drawn card fits, or no card was drawn because none fitted")
def draws_on(table: MauMauTable) -> bool:
    """A card was drawn because none fits, and it does not fit."""
    return table.due == 0 and table.drawn != NO_CARD and not drawn_to_keep(table) and drawn_cards(table) == 0


@guard("the drawn card fits and must be played")
def may_not_play(table: MauMauTable) -> bool:
    """No drawn card may be played."""
    return drawn_cards(table) == 0


@query
def drawn_one_by_one(table: MauMauTable) -> bool:
    """One card is due, or one was drawn and none is due."""
    return table.due == 1 or (table.due == 0 and table.drawn != NO_CARD)


@query
def nothing_drawn_fits(before: MauMauTable, after: MauMauTable) -> bool:
    """Who passes has drawn nothing that may be played, nor has more to draw."""
    return before.drawn == NO_CARD or drawn_to_keep(before)


ANOTHER = "The drawn card does not fit: another one is drawn."

RULE = Variant(
    "draw-until-fit",
    "If you cannot play, draw until a card fits, and play that card.",
    (
        *in_phase(DRAWING, forced(on("draw", DRAWING, conditions=draws_on, before=draw_one, rule=ANOTHER))),
        DropArcs(Arcs("pass_turn", DRAWING, JACK_BINDING)),
        ChangeArcs(Arcs("pass_turn", DRAWING, AWAIT_PLAY), conditions=(may_not_play,), unless=(draws_on,),
                   without=(jack_is_open,)),
        Means(drawn_for_want, drawn_one_by_one),
        Check(Postcondition("a player who passes after drawing could not play what was drawn", nothing_drawn_fits,
                            ("pass_turn",))),
        AddDeck(SmallDeck("DS HS DQ HK SE", 2, 1)),
        Reveal("draw", "a player who draws on shows that the drawn card does not fit"),
    ),
    {"drawn-card-not-played": "one plays the drawn card, the other forbids it"},
)  # fmt: skip
