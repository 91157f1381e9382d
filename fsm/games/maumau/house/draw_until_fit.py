"""Who cannot play draws until a card fits."""

from __future__ import annotations

from fsm.declaration.arcs import Arc, Postcondition, SmallDeck
from fsm.games.maumau.arcs import AWAIT_PLAY, DRAWING, JACK_BINDING
from fsm.variants.edits import AddArcs, AddDeck, Arcs, ChangeArcs, Check, DropArcs, Force, Means, Variant
from rules.drawing import draw_one
from rules.maumau import invariants
from rules.maumau.house.draw_until_fit import drawn_one_by_one, draws_on, may_not_play, nothing_drawn_fits
from rules.maumau.jack import jack_is_open

ANOTHER = "The drawn card does not fit: another one is drawn."

RULE = Variant(
    "draw-until-fit",
    "If you cannot play, draw until a card fits, and play that card.",
    (
        AddArcs((Arc("draw", DRAWING, DRAWING, when=(draws_on,), then=(draw_one,), description=ANOTHER),)),
        Force(DRAWING, "draw"),
        DropArcs(Arcs("pass_turn", DRAWING, JACK_BINDING)),
        ChangeArcs(Arcs("pass_turn", DRAWING, AWAIT_PLAY), when=(may_not_play,), unless=(draws_on,),
                   without=(jack_is_open,)),
        Means(invariants.drawn_for_want, drawn_one_by_one),
        Check(Postcondition("who passes after drawing could not play what was drawn", nothing_drawn_fits,
                            ("pass_turn",))),
        AddDeck(SmallDeck("DS HS DQ HK SE", 2, 1)),
    ),
    {"drawn-card-not-played": "one plays the drawn card, the other forbids it"},
)  # fmt: skip
