"""Whoever lays an eight covers it at once."""

from __future__ import annotations

from fsm.arcs import Arc, Control, Invariant, Offer, Phase, SmallDeck
from fsm.maumau import arcs
from fsm.maumau.arcs import AWAIT_PLAY, DRAWING, INITIAL, SKIP_PENDING
from fsm.maumau.house.where import PLAIN_OPENING
from fsm.maumau.players import HOUSE
from fsm.variants import edits
from fsm.variants.edits import Arcs, Check, Means
from rules.drawing import draw_one
from rules.invariants import nothing_due
from rules.maumau import drawing, invariants, jack, matching, turn
from rules.maumau.eight import eight
from rules.maumau.house import cover
from rules.maumau.seven import seven


class CoverPhase(Phase):
    """The phase that the rule adds."""

    COVER_PENDING = "cover-pending"


COVER = CoverPhase.COVER_PENDING
AN_EIGHT = "An eight: the same player must cover it."

RULE = edits.Variant(
    "cover-eight",
    "Whoever lays an eight must cover it at once.",
    (
        edits.AddField("uncovered"),
        edits.AddPhase(COVER, Control(("abandon",), (
            Offer("play", matching.fitting, jack.suits_to_name), Offer("draw")), starts_turn=True)),
        edits.AddArcs((
            *arcs.laying(COVER, matching.fits, seven, eight, jack.jack),
            arcs.finishing(COVER, matching.fits),
            Arc("draw", COVER, DRAWING, (drawing.may_draw,), (), (draw_one, cover.leave_uncovered),
                "Who cannot cover the eight draws one card and keeps it."),
            arcs.stopping(COVER),
        )),
        edits.ChangeArcs(Arcs("play", when=(eight,)), dest=COVER, then=(turn.lay_card, cover.cover_next),
                         description=AN_EIGHT),
        edits.ChangeArcs(Arcs("pass_turn", DRAWING), then=(cover.stop_covering, turn.next_player)),
        edits.DropArcs(Arcs("open", INITIAL, when=(eight,))),
        edits.ChangeArcs(PLAIN_OPENING, without=(eight,)),
        edits.DropPhase(SKIP_PENDING),
        edits.Decide(COVER, HOUSE.choices[AWAIT_PLAY]),
        Means(drawing.drawn_to_keep, cover.to_keep_or_uncovered),
        Means(invariants.next_in_turn, cover.next_but_after_eight),
        Means(invariants.card_has_no_action, cover.no_action_but_opening_eight),
        Check(Invariant("who covers has laid the open eight", invariants.eight_is_open, (COVER,))),
        Check(Invariant("who covers has drawn nothing yet", invariants.turn_is_fresh, (COVER,))),
        Check(Invariant("who covers has no card to draw", nothing_due, (COVER,))),
        Check(Invariant("an eight is left uncovered only where it is open", cover.uncovered_on_eight)),
        edits.AddDeck(SmallDeck("DQ DE HE SE DK", 2, 1)),
    ),
    {"eights-answered": "a covered eight skips nobody, so there is nothing to answer"},
)  # fmt: skip
