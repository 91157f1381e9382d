"""Betting of two players: each stakes chips, and the other must stake as much or fold; whoever wins has the stakes.

Each part does all that every executor relies on: it counts the turn, and says how the game ended and who won.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.ending import win_together
from rules.rule import RuleFunction, effect, guard, query, rule
from rules.table import CardTable, each_seat
from rules.visibility import seen_by_all, seen_by_owner


@query
def comes_to_showdown(table: BettingTable, seat: int) -> bool:
    """Nobody has folded: both players have staked as much."""
    return table.stakes[0] == table.stakes[1]


@dataclass(slots=True)
class BettingTable(CardTable):
    """The stakes of both players, the raises of the round, whether somebody has had a turn in it, and who has won.

    When one has folded, neither hand is shown.
    """

    hands: list[int] = seen_by_owner(factory=each_seat(4), shown=comes_to_showdown)
    stakes: list[int] = seen_by_all(factory=each_seat(2))
    raises: int = seen_by_all(0)
    acted: int = seen_by_all(0)
    winners: int = seen_by_all(0)


@query
def chips_gained(table: BettingTable, seat: int) -> int:
    """The chips that a seat gains or loses: who has won alone gets what the other has staked."""
    if table.winners == 1 << seat:
        return table.stakes[1 - seat]
    return -table.stakes[seat] if table.winners == 1 << 1 - seat else 0


@guard("no bet is to be answered")
def bet_is_due(table: BettingTable) -> bool:
    """The other player has staked more."""
    return table.stakes[table.player] < table.stakes[1 - table.player]


@guard("a bet is to be answered")
def nothing_is_due(table: BettingTable) -> bool:
    """Both players have staked as much."""
    return table.stakes[table.player] == table.stakes[1 - table.player]


@guard("nobody has had a turn in this round")
def somebody_acted(table: BettingTable) -> bool:
    """A player has had a turn in this round."""
    return table.acted == 1


@effect
def ante(table: BettingTable) -> None:
    """Each player stakes a chip."""
    table.stakes[0] = table.stakes[1] = 1


@effect
def match_stake(table: BettingTable) -> None:
    """The player stakes as much as the other has."""
    table.stakes[table.player] = table.stakes[1 - table.player]


@effect
def other_player(table: BettingTable) -> None:
    """The other player is in turn."""
    table.acted = 1
    table.turns += 1
    table.player = 1 - table.player


@effect
def next_round(table: BettingTable) -> None:
    """A new round of bets begins with the first player."""
    table.acted = table.raises = 0
    table.turns += 1
    table.player = 0


@effect
def fold(table: BettingTable) -> None:
    """The player gives up: the other wins."""
    table.turns += 1
    win_together(table, 1 << 1 - table.player)


def raising(size: int) -> RuleFunction:
    """An effect: the player stakes as much as the other, and so many chips more."""

    @effect
    def raise_stake(table):  # type: ignore[no-untyped-def]
        """The player stakes as much as the other has, and more."""
        table.stakes[table.player] = table.stakes[1 - table.player] + size
        table.raises += 1

    return raise_stake


def showdown(worth: RuleFunction) -> RuleFunction:
    """An effect: the hand that is worth most wins, both if they are worth as much.

    worth: of the hand of a seat, a query (table, seat).
    """

    @effect
    def show_hands(table):  # type: ignore[no-untyped-def]
        """The better hand wins; both win if they are worth as much."""
        table.turns += 1
        win_together(table, best_hands(table))

    @rule
    def best_hands(table: BettingTable) -> int:
        """The seats whose hands are worth most."""
        one, other = worth(table, 0), worth(table, 1)
        if one == other:
            return 0b11
        return 0b01 if one > other else 0b10

    return show_hands


# ---------------------------------------------------------------- what must hold


@query
def nothing_is_staked(table: BettingTable) -> bool:
    """Nobody has staked anything yet."""
    return table.stakes[0] == 0 and table.stakes[1] == 0 and table.raises == 0 and table.acted == 0


@query
def first_is_in_turn(table: BettingTable) -> bool:
    """Player 1 is in turn."""
    return table.player == 0


@query
def nobody_has_raised(table: BettingTable) -> bool:
    """Both have staked the ante, and nobody has raised."""
    return table.stakes[0] == 1 and table.stakes[1] == 1 and table.raises == 0


@query
def second_is_in_turn(table: BettingTable) -> bool:
    """Player 2 is in turn, after player 1."""
    return table.player == 1 and table.acted == 1


def raise_is_open(size: int) -> RuleFunction:
    """Return a query: the other player has staked `size` chips more if somebody has raised, else as much."""

    @query
    def is_open(table):  # type: ignore[no-untyped-def]
        """The other player has staked more exactly if the last one in turn has raised."""
        more = table.stakes[1 - table.player] - table.stakes[table.player]
        if table.raises == 0:
            return more == 0 and table.player == table.acted
        return more == size and table.acted == 1

    return is_open


def stakes_fit(size: int, before: tuple[int, ...], most: int) -> RuleFunction:
    """Return a query: the higher stake is that of the round before, and `size` chips for each raise.

    before: the stakes that there may have been before the round. most: the most raises of a round.
    """

    @query
    def fit(table):  # type: ignore[no-untyped-def]
        """The higher stake follows from the raises of the round."""
        begun = max(table.stakes[0], table.stakes[1]) - size * table.raises
        return begun in before and 0 <= table.raises <= most

    return fit


def raised_by(size: int) -> RuleFunction:
    """Return a query (before, after): the player stakes as much as the other, and `size` chips more."""

    @query
    def raised(before, after):  # type: ignore[no-untyped-def]
        """The player stakes more than the other, who stakes nothing."""
        seat, other = before.player, 1 - before.player
        fits = after.stakes[seat] == before.stakes[other] + size and after.stakes[other] == before.stakes[other]
        return fits and after.raises == before.raises + 1

    return raised


@query
def stakes_are_equal(table: BettingTable) -> bool:
    """Both have staked as much."""
    return table.stakes[0] == table.stakes[1]


@query
def stake_is_answered(before: BettingTable, after: BettingTable) -> bool:
    """The stakes are equal: those of the other player, as before."""
    return after.stakes[0] == after.stakes[1] == before.stakes[1 - before.player] > before.stakes[before.player]


@query
def stakes_stay(before: BettingTable, after: BettingTable) -> bool:
    """Nobody stakes anything."""
    return after.stakes[0] == before.stakes[0] and after.stakes[1] == before.stakes[1]


@query
def other_wins(before: BettingTable, after: BettingTable) -> bool:
    """The other player alone wins what this one has staked."""
    return after.winner == 1 - before.player and after.winners == 1 << 1 - before.player
