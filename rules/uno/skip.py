"""Skip: the next player loses the turn."""

from __future__ import annotations

from rules.rule import guard
from rules.uno.cards import SKIPS
from rules.uno.table import UnoTable


@guard("{card} is no skip")
def skip(table: UnoTable) -> bool:
    """The card that is dropped is a skip."""
    return (SKIPS >> table.card & 1) == 1
