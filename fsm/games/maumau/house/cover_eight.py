"""Whoever lays an eight covers it at once."""

from __future__ import annotations

from fsm.declaration.arcs import Invariant, Postcondition, SmallDeck
from fsm.games.maumau.arcs import AWAIT_PLAY, DRAWING, INITIAL, SKIP_PENDING
from fsm.games.maumau.house.where import PLAIN_OPENING
from fsm.games.maumau.properties import TURN_STARTS
from fsm.variants import edits
from fsm.variants.edits import Arcs, Check, Means
from rules.drawing import draw_one
from rules.maumau import drawing, eight, invariants, turn
from rules.maumau.house import cover

COVER = "cover-pending"
AN_EIGHT = "An eight: the same player must cover it."
UNCOVERED = "Who cannot cover the eight draws one card and keeps it."

RULE = edits.Variant(
    "cover-eight",
    "Whoever lays an eight must cover it at once.",
    (
        edits.AddField("uncovered"),
        edits.CopyPhase(COVER, AWAIT_PLAY),
        edits.ChangeArcs(Arcs("play", when=(eight.eight,)), dest=COVER, then=(turn.lay_card, cover.cover_next),
                         description=AN_EIGHT),
        edits.ChangeArcs(Arcs("draw", COVER), then=(draw_one, cover.leave_uncovered), description=UNCOVERED),
        edits.ChangeArcs(Arcs("pass_turn", DRAWING, AWAIT_PLAY), then=(cover.stop_covering, turn.next_player)),
        edits.DropArcs(Arcs("open", INITIAL, when=(eight.eight,))),
        edits.ChangeArcs(PLAIN_OPENING, without=(eight.eight,)),
        edits.DropPhase(SKIP_PENDING),
        Means(drawing.drawn_to_keep, cover.to_keep_or_uncovered),
        Means(invariants.next_in_turn, cover.next_but_after_eight),
        Means(invariants.card_has_no_action, cover.no_action_but_opening_eight),
        Check(Invariant("who covers has laid the open eight", invariants.eight_is_open, (COVER,))),
        Check(Invariant("an eight is left uncovered only where it is open", cover.uncovered_on_eight)),
        Check(Invariant("an eight is left uncovered only while a card is drawn", cover.none_is_uncovered,
                        (INITIAL, *TURN_STARTS, COVER))),
        Check(Postcondition("who draws for want of a cover keeps the card", cover.is_left_uncovered, ("draw",),
                            sources=(COVER,))),
        edits.AddDeck(SmallDeck("DE DS DJ HE DQ", 2, 1)),
    ),
    {"eights-answered": "a covered eight skips nobody, so there is nothing to answer"},
)  # fmt: skip
