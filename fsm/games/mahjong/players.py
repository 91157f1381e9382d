"""The policies of mahjong: the house policy, and the policies of every game."""

from fsm.declaration.arcs import Choice, Policy
from fsm.declaration.policy import FIRST_LEGAL, RANDOM
from fsm.games.mahjong.arcs import ASK_RUN, ASK_SET, ASK_WIN, DISCARD, TURN
from rules.mahjong import decision, winning

DISCARDS = (
    Choice("discard", "clear a suit", conditions=(decision.unwanted_is_held,), card=decision.least_unwanted,
           description="of the unwanted suit, the tile worth least"),
    Choice("discard", "worth least", card=decision.least_of_hand, description="the tile worth least"),
)  # fmt: skip
HOUSE = Policy("house", {
    TURN: (
        Choice("win", "win", conditions=(winning.hand_wins,), description="the hand wins"),
        Choice("gang", "gang", conditions=(decision.gang_is_wanted,), card=decision.first_wanted_gang,
               description="a gang is laid out that is not of the unwanted suit"),
        *DISCARDS,
    ),
    DISCARD: DISCARDS,
    ASK_WIN: (Choice("win", "win", description="the hand wins"),),
    ASK_SET: (
        Choice("gang", "gang", conditions=(decision.claim_of_gang_is_wanted,), card=decision.open_tile,
               description="the tile is not of the unwanted suit"),
        Choice("pung", "pung", conditions=(decision.claim_of_pung_is_wanted,), card=decision.open_tile,
               description="the tile is not of the unwanted suit"),
        Choice("decline", "decline", description="the tile is of the unwanted suit"),
    ),
    ASK_RUN: (
        Choice("chow", "chow", conditions=(decision.claim_of_run_is_wanted,), card=decision.lowest_run,
               description="the unwanted suit is cleared, and no equal tile is in the hand"),
        Choice("decline", "decline",
               description="it is of the unwanted suit, or that is not cleared, or an equal tile is in the hand"),
    ),
}, description="Clears a suit, claims tiles of the others, and wins whenever its hand does.")  # fmt: skip
POLICIES = (HOUSE, RANDOM, FIRST_LEGAL)
