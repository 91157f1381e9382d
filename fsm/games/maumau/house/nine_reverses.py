"""The nine reverses the direction of play."""

from __future__ import annotations

from fsm.declaration.arcs import Invariant, Postcondition, SmallDeck
from fsm.games.maumau.house.where import PLAIN_CARD, PLAIN_OPENING
from fsm.variants.edits import AddDeck, AddField, Check, Means, SplitArcs, Variant
from rules.maumau import invariants, turn
from rules.maumau.house import direction

A_NINE = "A nine: the direction of play turns."

RULE = Variant(
    "nine-reverses",
    "A nine turns the direction of play.",
    (
        AddField("direction"),
        SplitArcs(PLAIN_CARD, direction.nine, A_NINE, before=((turn.next_player, (direction.turn_direction,)),)),
        SplitArcs(PLAIN_OPENING, direction.nine, A_NINE, then=(direction.turn_direction,)),
        Means(turn.next_seat, direction.seat_in_direction),
        Means(invariants.next_in_turn, direction.next_in_direction),
        Means(invariants.next_is_skipped, direction.skipped_in_direction),
        Check(Invariant("the direction is one of two, with two players always the same", direction.is_direction)),
        Check(Postcondition("a nine that has its action turns the direction", direction.nine_turns_direction,
                            ("play",))),
        Check(Postcondition("an opening nine turns the direction", direction.opening_nine_turns, ("open",))),
        Check(Postcondition("nothing but a laid card turns the direction", direction.direction_stays,
                            ("draw", "take", "turn_pile", "pass_turn", "skip", "abandon"))),
        AddDeck(SmallDeck("DN HN DJ DQ HQ", 2, 1)),
        AddDeck(SmallDeck("DQ HQ DN HN DE DK HK", 3, 1)),
    ),
)  # fmt: skip
