"""Sevens that nobody answers, and sevens that make more or fewer cards due."""

from __future__ import annotations

from rules.maumau.seven import FOR_EACH_SEVEN
from rules.maumau.table import MauMauTable
from rules.rule import effect, query


@query
def no_answer(table: MauMauTable) -> int:
    """No card answers a seven."""
    return 0


@effect
def add_for_seven(table: MauMauTable) -> None:
    """As many more cards are due as a seven makes."""
    table.due += FOR_EACH_SEVEN


@query
def one_seven_is_due(table: MauMauTable) -> bool:
    """The cards for one seven are due, which was laid last."""
    return table.due == FOR_EACH_SEVEN
