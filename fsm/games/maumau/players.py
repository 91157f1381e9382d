"""The policies of Mau-Mau: the decision rules of the statement, and the policies of every game."""

from fsm.declaration.arcs import Choice, Policy
from fsm.declaration.policy import FIRST_LEGAL, RANDOM
from fsm.games.maumau.arcs import AWAIT_PLAY, DRAWING, JACK_BINDING, PENALTY_PENDING
from rules.maumau import decision

HIGHEST = "the fitting card of the highest value"
NOTHING_FITS = Choice("draw", description="no card fits")
HOUSE = Policy("house", {
    AWAIT_PLAY: (
        Choice("play", "rule 4", conditions=(decision.next_player_has_one_card, decision.holds_jack),
               card=decision.best_jack, suit=decision.most_frequent_suit,
               description="the next player has only one card left, so a jack goes first; its suit by rule 5"),
        Choice("play", "rule 2", conditions=(decision.holds_fitting_card,), card=decision.best_fitting_card,
               description=HIGHEST),
        Choice("play", "rule 3", conditions=(decision.holds_jack,),
               card=decision.best_jack, suit=decision.most_frequent_suit,
               description="nothing but a jack fits; its suit by rule 5"),
        NOTHING_FITS,
    ),
    JACK_BINDING: (
        Choice("play", "rule 2", conditions=(decision.holds_bound_card,), card=decision.best_bound_card,
               description=HIGHEST),
        NOTHING_FITS,
    ),
    PENALTY_PENDING: (
        Choice("play", "rule 1", conditions=(decision.holds_seven,), card=decision.best_seven,
               description="a seven answers the seven"),
        Choice("draw", description="there is no seven to answer with"),
    ),
    DRAWING: (
        Choice("play", "rule 2", conditions=(decision.drawn_card_fits,), card=decision.drawn_card,
               description="the drawn card fits"),
        Choice("play", "rule 4", conditions=(decision.drawn_jack_fits, decision.next_player_has_one_card),
               card=decision.drawn_card, suit=decision.most_frequent_suit,
               description="the drawn card is a jack and the next player has only one card left; its suit by rule 5"),
        Choice("play", "rule 3", conditions=(decision.drawn_jack_fits,),
               card=decision.drawn_card, suit=decision.most_frequent_suit,
               description="the drawn card is a jack and fits; its suit by rule 5"),
        Choice("pass_turn", description="no drawn card may be played"),
    ),
}, description="Plays its highest fitting card, and keeps jacks until nothing else fits.")  # fmt: skip
POLICIES = (HOUSE, RANDOM, FIRST_LEGAL)
