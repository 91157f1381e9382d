"""The arcs that many house rules are about."""

from __future__ import annotations

from fsm.games.maumau.arcs import AWAIT_PLAY
from fsm.variants.edits import Arcs, Means
from rules.maumau import decision
from rules.maumau.house.decision import (
    best_playable_card,
    best_playable_jack,
    holds_playable_card,
    holds_playable_jack,
)

PLAIN_CARD = Arcs("play", dest=AWAIT_PLAY)
"""A card without an action is laid."""
PLAIN_OPENING = Arcs("open", dest=AWAIT_PLAY)
"""The opening card has no action."""

BY_WHAT_MAY_BE_LAID = (
    Means(decision.holds_fitting_card, holds_playable_card),
    Means(decision.best_fitting_card, best_playable_card),
    Means(decision.holds_bound_card, holds_playable_card),
    Means(decision.best_bound_card, best_playable_card),
    Means(decision.holds_jack, holds_playable_jack),
    Means(decision.best_jack, best_playable_jack),
)
"""The decision rules 2 to 4 for rules under which other cards fit."""
