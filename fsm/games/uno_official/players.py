"""The policies of official UNO: the house, who bluffs, who forgets to call, and the policies of every game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fsm.declaration.arcs import Choice, Policy
from fsm.declaration.policy import FIRST_LEGAL, RANDOM
from fsm.games.uno_official.arcs import (
    AWAIT_PLAY,
    CHALLENGE_PENDING,
    COLOUR_CHOICE,
    DRAWN_CHOICE,
    UNO_CALL,
    UNO_PENDING,
)
from rules.uno_official import decision, game

MAX_POINTS = "of those that fit; of equals one of the current colour, then the first in the alphabet"
BLUFF = Choice(
    "play", "bluff", conditions=(decision.holds_wild_draw_four,), card=decision.a_wild_draw_four,
    description="a wild draw four goes before anything else",
)  # fmt: skip

HOUSE_CHOICES: Mapping[Any, tuple[Choice, ...]] = {
    AWAIT_PLAY: (
        Choice("play", "most points", conditions=(decision.holds_fitting_coloured_card,), card=decision.most_points,
               description=MAX_POINTS),
        Choice("play", "wild", conditions=(decision.holds_wild,), card=decision.a_wild,
               description="no coloured card fits"),
        Choice("play", "wild draw four", conditions=(decision.holds_wild_draw_four,), card=decision.a_wild_draw_four,
               description="nothing else may be laid"),
        Choice("draw", description="no card fits"),
    ),
    DRAWN_CHOICE: (
        Choice("play", "drawn card", conditions=(decision.drawn_card_is_honest,), card=decision.the_drawn_card,
               description="the drawn card may be laid"),
        Choice("keep", "drawn card", description="it would be a bluff"),
    ),
    UNO_CALL: (Choice("call", "uno", description="one card is left"),),
    UNO_PENDING: (Choice("catch", "uno", description="the player in turn was silent"),),
    COLOUR_CHOICE: (
        Choice("name", "most cards", suit=game.most_frequent_colour, description="the colour of most cards in hand"),
    ),
    CHALLENGE_PENDING: (
        Choice("challenge", "challenge", conditions=(decision.holds_none_of_colour_before,),
               description="the hand has no card of the previous colour"),
        Choice("accept", "challenge", description="the hand has a card of the previous colour"),
    ),
}  # fmt: skip
FORGETFUL_CHOICES: Mapping[Any, tuple[Choice, ...]] = {
    UNO_CALL: (Choice("stay_silent", "forgetful", description="the call is forgotten"),),
    UNO_PENDING: (Choice("let_pass", "forgetful", description="the missing call is not noticed"),),
}

HOUSE = Policy("house", HOUSE_CHOICES, description="Plays the fitting card with the most points, and wild cards last.")
BLUFFER = Policy(
    "bluffer",
    {**HOUSE_CHOICES, AWAIT_PLAY: (BLUFF, *HOUSE_CHOICES[AWAIT_PLAY])},
    description="Plays a wild draw four first, whether it may or not.",
)
FORGETFUL = Policy(
    "forgetful",
    {**HOUSE_CHOICES, **FORGETFUL_CHOICES},
    description="Plays as the house player, but never calls and never catches.",
)
HOARDER = Policy(
    "hoarder",
    {
        **HOUSE_CHOICES,
        AWAIT_PLAY: (Choice("draw", "hoard", description="it draws where it may"),),
        DRAWN_CHOICE: (Choice("keep", "hoard", description="it keeps what it may keep"),),
    },
    description="Draws and keeps whenever it may, and declines whatever it may decline.",
)
FOLLOWERS = (BLUFFER, FORGETFUL)
"""Those who decide as the house what house rules add."""
POLICIES = (HOUSE, *FOLLOWERS, HOARDER, RANDOM, FIRST_LEGAL)
