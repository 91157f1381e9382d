"""An eight is answered with an eight, and the skip passes on."""

from __future__ import annotations

from fsm.declaration.arcs import Arc, Choice, Control, Offer, SmallDeck
from fsm.games.maumau.arcs import GAME_OVER, LAST, SKIP_PENDING, stopping
from fsm.variants.edits import AddArcs, AddDeck, Decide, SetControl, Variant
from rules.maumau import finish, turn
from rules.maumau.house.skip_answer import answers_skip, best_skip_answer, holds_skip_answer, skip_answers

PASSED_ON = "The skip is answered and passes on to the next player."
ANSWER = Choice("play", "rule 1", (holds_skip_answer,), best_skip_answer, None, "the skip is answered")

RULE = Variant(
    "eights-answered",
    "If an eight would skip you, you may answer with an eight; the skip passes on.",
    (
        AddArcs((
            Arc("play", SKIP_PENDING, SKIP_PENDING, when=(answers_skip,), unless=(finish.last_card,),
                then=(turn.lay_card, turn.next_player), description=PASSED_ON),
            Arc("play", SKIP_PENDING, GAME_OVER, when=(answers_skip, finish.last_card),
                then=(turn.lay_card, finish.win), description=LAST),
            stopping(SKIP_PENDING),
        )),
        SetControl(SKIP_PENDING, Control(("abandon",), (Offer("play", skip_answers), Offer("skip")), starts_turn=True)),
        Decide(SKIP_PENDING, (ANSWER, Choice("skip", description="there is no card to answer with"))),
        AddDeck(SmallDeck("DQ DE HE SE DK", 2, 1)),
    ),
    {"cover-eight": "a covered eight skips nobody, so there is nothing to answer"},
)  # fmt: skip
