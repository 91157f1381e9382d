"""The drawn card may not be played."""

from __future__ import annotations

from rules.maumau.table import MauMauTable
from rules.rule import query


@query
def always_to_keep(table: MauMauTable) -> bool:
    """No drawn card may be played in this turn."""
    return True
