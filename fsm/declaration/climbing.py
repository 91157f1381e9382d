"""What every climbing game declares alike: what must hold of the set to beat and of the places (`rules.climbing`)."""

from __future__ import annotations

from fsm.declaration.arcs import Invariant, Phase
from rules.climbing import last_set_lies, nothing_to_beat, others_have_laid
from rules.places import all_have_places, places_are_of_hands, places_of_a_round


def climbing_invariants(
    initial: Phase, leading: Phase, following: Phase, over: Phase, between: tuple[Phase, ...] = ()
) -> tuple[Invariant, ...]:
    """Return what must hold of the set to beat, and of the places.

    initial, leading, following, over: the first phase, those where a set is led and where others follow, and the last
    one. between: phases after the first one in which no set is laid yet.
    """
    return (
        Invariant("each had a place in the round before, if there was one", places_of_a_round, (initial,)),
        Invariant("where a set is led there is none to beat", nothing_to_beat, (initial, *between, leading)),
        Invariant("the set to beat was laid last", last_set_lies, (following, over)),
        Invariant("the player in turn holds cards, and did not lay last", others_have_laid, (leading, following)),
        Invariant("those without cards have the first places", places_are_of_hands, (leading, following)),
        Invariant("in the end all have places, and the first has won", all_have_places, (over,)),
    )
