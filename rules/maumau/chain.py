"""A chain of sevens: how many lie in a row that the player in turn must answer or draw for."""

from __future__ import annotations

from rules.maumau.seven import FOR_EACH_SEVEN
from rules.maumau.table import MauMauTable
from rules.rule import guard


@guard("not exactly one seven is active")
def one_seven(table: MauMauTable) -> bool:
    """One seven is active."""
    return table.due == FOR_EACH_SEVEN


@guard("not exactly two sevens are active")
def two_sevens(table: MauMauTable) -> bool:
    """Two sevens in a row are active."""
    return table.due == 2 * FOR_EACH_SEVEN


@guard("not exactly three sevens are active")
def three_sevens(table: MauMauTable) -> bool:
    """Three sevens in a row are active."""
    return table.due == 3 * FOR_EACH_SEVEN


@guard("not all four sevens are active")
def four_sevens(table: MauMauTable) -> bool:
    """All four sevens in a row are active."""
    return table.due == 4 * FOR_EACH_SEVEN
