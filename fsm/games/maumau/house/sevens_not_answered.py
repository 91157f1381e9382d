"""A seven is not answered: the next player draws."""

from __future__ import annotations

from fsm.games.maumau.arcs import PENALTY_PENDING
from fsm.variants.edits import Means, Reword, Variant, Withdraw
from rules.maumau.game import MauMauTable, sevens_in_hand
from rules.rule import query


@query
def no_answer(table: MauMauTable) -> int:
    """No card answers a seven."""
    return 0


RULE = Variant(
    "sevens-not-answered",
    "A seven cannot be passed on: the next player draws.",
    (
        Withdraw(PENALTY_PENDING, "play"),
        Means(sevens_in_hand, no_answer),
        Reword("answers with a seven or ", ""),
        Reword(" for each seven in a row.", "."),
        Reword("A player who does not answer the seven draws", "The next player draws"),
    ),
)
