"""The opening card does nothing."""

from fsm.games.maumau.arcs import AWAIT_PLAY, INITIAL, JACK_BINDING
from fsm.games.maumau.house.nine_reverses import direction_stays, opening_nine_turns
from fsm.variants import Arcs, Check, Means, Postcondition, ReplaceArcs, Variant, Waive, arcs_in, forced, on
from rules.invariants import due_stays
from rules.maumau import game

RULE = Variant(
    "opening-without-effect",
    "The opening card does nothing.",
    (
        ReplaceArcs(Arcs("open"), arcs_in(INITIAL, forced(
            on("open", AWAIT_PLAY, rule="The opening card does nothing."),
            on("open", JACK_BINDING, conditions=game.jack,
               rule="An opening jack binds no suit: any card except a jack fits.")))),
        Waive("a seven makes two more cards due", ("open",)),
        Waive("a card with an effect has it", ("open",)),
        Means(opening_nine_turns, direction_stays, if_used=True),
        Check(Postcondition("an opening card makes no card due", due_stays, ("open",))),
    ),
)  # fmt: skip
