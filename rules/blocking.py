"""A game that may be blocked: nothing can be drawn, all players pass in a row, and the lowest hand wins.

The table has `passes`, how many have passed in a row: the fact `Fact("passes")`. A card that is laid sets it to 0.
"""

from __future__ import annotations

from typing import Protocol

from rules.ending import fewest_win
from rules.invariants import all_hold_cards, fewest_has_won
from rules.rule import RuleFunction, effect, guard, query


class Passing(Protocol):
    """The fields of a table at which players pass."""

    players: int
    passes: int
    stock: int


@guard("others have not passed")
def others_have_passed(table: Passing) -> bool:
    """All other players have passed, one after the other."""
    return table.passes == table.players - 1


@effect
def count_pass(table: Passing) -> None:
    """One more player in a row passes."""
    table.passes += 1


def lowest_wins(score: RuleFunction) -> RuleFunction:
    """Return an effect: the lowest hand wins; if there are several, nobody does. score: of a seat (table, seat)."""
    fewest_points_win = fewest_win(score)

    @effect
    def lowest_hand_wins(table):  # type: ignore[no-untyped-def]
        """The lowest hand wins; if there are several, nobody does."""
        table.turns += 1
        fewest_points_win(table)

    return lowest_hand_wins


# ---------------------------------------------------------------- what must hold


@query
def passes_need_empty_stock(table: Passing) -> bool:
    """Nobody passes while there is a stock."""
    return 0 <= table.passes < table.players and (table.passes == 0 or table.stock == 0)


def out_or_lowest_has_won(score: RuleFunction) -> RuleFunction:
    """Return a query: who has no cards has won, or the lowest hand when all have passed. score: as of `lowest_wins`."""
    lowest_has_won = fewest_has_won(score)

    @query
    def has_won(table):  # type: ignore[no-untyped-def]
        """The player in turn alone has no cards and has won; or all have passed, and the lowest hand, if it is one."""
        if all_hold_cards(table):
            return lowest_has_won(table) and table.passes == table.players - 1
        return lowest_has_won(table) and table.winner == table.player and table.passes == 0

    return has_won
