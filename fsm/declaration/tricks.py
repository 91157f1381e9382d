"""The parts that every game of tricks declares: how a trick is shown, and what must hold of it (`rules.tricks`)."""

from __future__ import annotations

from fsm.declaration.arcs import Invariant, Phase, Postcondition
from fsm.declaration.facts import Look
from rules.invariants import hands_are_equal
from rules.tricks import (
    card_leaves_hand,
    hands_fit_trick,
    no_trick_lies,
    taker,
    taker_leads,
    trick_is_full,
    trick_lies,
)

TRICK_LOOK = Look(
    events={"take_trick": "takes the trick"},
    doers={"take_trick": taker},
    suit_facts={"led": "suit led"},
    number_facts={"laid": ("", "")},
)
"""How a trick is shown: `Look(...).joined(TRICK_LOOK)`, in a game whose event `take_trick` ends it."""

TRICK_POSTCONDITIONS = (
    Postcondition("the card leaves the hand of its player", card_leaves_hand, ("play",)),
    Postcondition("the player who takes the trick leads", taker_leads, ("take_trick",)),
)
"""The postconditions of the events `play` and `take_trick`."""


def trick_invariants(
    leading: Phase, following: Phase, trick: Phase, others: tuple[Phase, ...], unequal: tuple[Phase, ...] = ()
) -> tuple[Invariant, ...]:
    """Return what must hold of tricks, with equal hands.

    leading, following: the phases where a card is led, and where others follow. trick: where the trick is full. others:
    all other phases. unequal: those of them where some may hold more cards than others.
    """
    equal = tuple(phase for phase in (*others, leading, trick) if phase not in unequal)
    lies = "the best card of a trick, its suit and its player are those of the cards that lie there"
    return (
        Invariant("a trick starts with equal hands", hands_are_equal, equal),
        Invariant("those who have played to the trick hold a card less than the others", hands_fit_trick, (following,)),
        Invariant("a trick is full when all have played", trick_is_full, (trick,)),
        Invariant("no trick is on the table", no_trick_lies, (*others, leading)),
        Invariant(lies, trick_lies, (following, trick)),
    )
