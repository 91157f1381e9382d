"""A game that may be blocked: nothing can be drawn, all players pass in a row, and the lowest hand wins.

The table is a `BlockingTable`, with a suit that may be named (`rules.shedding`); its fact is `Fact("passes")`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.ending import fewest_win
from rules.invariants import all_hold_cards, fewest_has_won
from rules.rule import RuleFunction, effect, guard, query
from rules.shedding import SuitTable, lay_card_over
from rules.visibility import seen_by_all


@dataclass(slots=True)
class BlockingTable(SuitTable):
    """The cards and facts of a game that may be blocked."""

    passes: int = seen_by_all(0)  # in a row


@guard("others have not passed")
def others_have_passed(table: BlockingTable) -> bool:
    """All other players have passed, one after the other."""
    return table.passes == table.players - 1


@effect
def lay_card(table: BlockingTable) -> None:
    """The card goes from the hand onto the discard pile; no suit is named, and nobody has passed."""
    lay_card_over(table)
    table.passes = 0


@effect
def count_pass(table: BlockingTable) -> None:
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
def passes_need_empty_stock(table: BlockingTable) -> bool:
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
