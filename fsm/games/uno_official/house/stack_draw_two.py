"""A draw two is answered with a draw two, and the cards add up."""

from fsm.declaration.arcs import SmallDeck
from fsm.games.uno_official.arcs import EFFECT_PENDING
from fsm.games.uno_official.house.answering import ANSWER_PENDING, stacking
from fsm.variants.edits import AddDeck, Arcs, Beside, DropArcs, Variant

RULE = Variant(
    "stack-draw-two",
    "A draw two may be answered with a draw two; the cards add up.",
    (
        *stacking(),
        AddDeck(SmallDeck("Y1 YD GD YD R2", 2, 1)),
        Beside(("jump-in",), Beside(("no-action-last",), DropArcs(Arcs("play", ANSWER_PENDING, EFFECT_PENDING)))),
    ),
    {"stack-draws": "they differ on what answers a D: a D alone, or a WF too"},
)
