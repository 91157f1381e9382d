"""The arcs that many house rules are about."""

from __future__ import annotations

from fsm.games.maumau.arcs import AWAIT_PLAY
from fsm.variants.edits import Arcs, Means
from rules.cards import JACKS, OTHERS_THAN_JACKS, highest
from rules.maumau import decision
from rules.maumau.game import MauMauTable, playable
from rules.rule import choice, guard


@guard("no card but jacks may be laid")
def holds_playable_card(table: MauMauTable) -> bool:
    """Rule 2 applies: a card other than a jack may be laid."""
    return playable(table) & OTHERS_THAN_JACKS != 0


@choice
def best_playable_card(table: MauMauTable) -> int:
    """Rule 2: the card of the highest value that may be laid, other than a jack, by rule 6 of the strongest suit."""
    return highest(playable(table) & OTHERS_THAN_JACKS)


@guard("no jack may be laid")
def holds_playable_jack(table: MauMauTable) -> bool:
    """A jack may be laid."""
    return playable(table) & JACKS != 0


@choice
def best_playable_jack(table: MauMauTable) -> int:
    """Rules 3 and 4: the jack of the strongest suit that may be laid."""
    return highest(playable(table) & JACKS)


PLAIN_CARD = Arcs("play", dest=AWAIT_PLAY)
"""A card without an effect is laid."""
PLAIN_OPENING = Arcs("open", dest=AWAIT_PLAY)
"""The opening card has no effect."""

BY_WHAT_MAY_BE_LAID = (
    Means(decision.holds_fitting_card, holds_playable_card),
    Means(decision.best_fitting_card, best_playable_card),
    Means(decision.holds_bound_card, holds_playable_card),
    Means(decision.best_bound_card, best_playable_card),
    Means(decision.holds_jack, holds_playable_jack),
    Means(decision.best_jack, best_playable_jack),
)
"""The decision rules 2 to 4 for rules under which other cards fit."""
