"""The policies of UNO: the decision rules of the statement, and the policies of every game."""

from fsm.declaration.arcs import Choice, Policy
from fsm.declaration.policy import FIRST_LEGAL, RANDOM
from fsm.games.uno.arcs import AWAIT_PLAY, COLOUR_NAMED
from rules.uno import decision

MAX_POINTS = "of those that fit, and among equals the first in the alphabet"
HOUSE = Policy("house", {
    AWAIT_PLAY: (
        Choice("play", "most points", conditions=(decision.holds_fitting_card,),
               card=decision.most_points, suit=decision.next_colour, description=MAX_POINTS),
        Choice("draw", description="no card fits"),
    ),
    COLOUR_NAMED: (
        Choice("play", "most points", conditions=(decision.holds_fitting_colour,),
               card=decision.most_points_of_colour, suit=decision.next_colour, description=MAX_POINTS),
        Choice("draw", description="no card fits"),
    ),
}, description="Plays the fitting card with the most points.")  # fmt: skip
POLICIES = (HOUSE, RANDOM, FIRST_LEGAL)
