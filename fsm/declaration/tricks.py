"""The parts that every game of tricks declares: how a trick is shown, and what must hold of it (`rules.tricks`)."""

from __future__ import annotations

from typing import Any

from fsm.declaration.arcs import Invariant, Phase, Postcondition
from fsm.declaration.facts import Look
from fsm.declaration.page import Moves, OneOrMore, forced, lay, on, turn
from fsm.edge.numbers import of_type
from rules.invariants import hands_are_equal
from rules.rule import Effect, Guard
from rules.shedding import next_player
from rules.tricks import (
    all_played,
    beat,
    card_leaves_hand,
    fills_trick,
    hands_fit_trick,
    lead_suit,
    no_trick_lies,
    play_card,
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


def trick_phases(
    leading: Phase,
    following: Phase,
    trick: Phase,
    over: Phase,
    may_lead: Guard[Any],
    may_follow: Guard[Any],
    *,
    take: OneOrMore[Effect[Any]],
    count: OneOrMore[Effect[Any]],
    rules: tuple[str, str],
    follows: str = "A card follows.",
    play: Effect[Any] = play_card,
    ends: Guard[Any] = all_played,
    only_two: bool = False,
) -> dict[Phase, Moves]:
    """Return what happens where a card is led, where others follow, and where the trick is full, for `page`.

    leading, following, trick, over: these phases, and the one after the last trick. may_lead, may_follow: the guards of
    the cards, made by `among`. take: the effects of a trick that is taken. count: those of the last one. rules: the
    sentences of both. follows: that of a card that follows. play: the effect that puts a card into the trick. ends:
    whether the trick is the last one. only_two: whether no more than two play, so that the card that follows fills the
    trick.
    """
    of_type("only_two", only_two, bool, "whether only two play")
    led = on("play", following, before=(play, lead_suit, next_player), rule="A card is led.")
    after = on("play", following, before=(play, beat, next_player), rule=follows)
    full = on("play", trick, conditions=fills_trick, before=(play, beat), rule="The trick is full.")
    fills = (on("play", trick, before=(play, beat), rule=follows),) if only_two else (after, full)
    taken = on("take_trick", leading, unless=ends, before=take, rule=rules[0])
    counted = on("count", over, conditions=ends, before=count, rule=rules[1])
    return {
        leading: turn(lay(may_lead, led)),
        following: turn(lay(may_follow, *fills)),
        trick: forced(taken, counted),
    }


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
