"""Matches: rounds of a game with cumulative points, the dealer moving on, until somebody reaches the target."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from rules.ending import NO_WINNER, win_together
from rules.rule import RuleFunction, effect, guard, query, rule
from rules.table import each_seat
from rules.visibility import seen_by_all

SEATS = 64
"""The most players of a match."""


class MatchEnding(IntEnum):
    """The end of a match; RUNNING while there is none."""

    RUNNING = 0
    WON = 1
    OUT_OF_DECKS = 2
    TIED = 3

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


WON, OUT_OF_DECKS, TIED = int(MatchEnding.WON), int(MatchEnding.OUT_OF_DECKS), int(MatchEnding.TIED)


@dataclass(slots=True)
class MatchTable:
    """The facts of a match. Seats count from 0. `points` and `round_winner` are those of the round that is over."""

    players: int = seen_by_all(0)
    sides: int = seen_by_all(0)  # seats so far apart are partners; as many as players where there are none
    dealer: int = seen_by_all(0)
    target: int = seen_by_all(0)
    lowest_wins: int = seen_by_all(0)  # 1 where the fewest points win the match
    unwon_scores: int = seen_by_all(0)  # 1 where a round without a winner scores, too

    decks: int = seen_by_all(0)  # left for later rounds
    rounds: int = seen_by_all(0)  # that are over
    round_winner: int = seen_by_all(NO_WINNER)
    points: list[int] = seen_by_all(factory=each_seat(SEATS))
    totals: list[int] = seen_by_all(factory=each_seat(SEATS))

    ending: int = seen_by_all(0)
    winner: int = seen_by_all(NO_WINNER)
    winners: int = seen_by_all(0)  # a mask of seats, where there are partners


def winner_takes(left: RuleFunction) -> RuleFunction:
    """The points of a round where the winner scores all that the others are left with, and they score nothing.

    left: counts the points a seat is left with (table, seat).
    """

    @query
    def winnings(table, seat):  # type: ignore[no-untyped-def]
        """The points that all others are left with, for the winner; nothing for the others."""
        scored = 0
        if seat == table.winner:
            for other in range(table.players):
                if other != seat:
                    scored += left(table, other)
        return scored

    return winnings


@effect
def take_deck(table: MatchTable) -> None:
    """The next round is played with the next deck."""
    table.decks -= 1


@guard("nobody won the round")
def round_scores(table: MatchTable) -> bool:
    """Somebody won the round that is over, or it scores without a winner as well."""
    return table.round_winner != NO_WINNER or table.unwon_scores == 1


@effect
def score_nothing(table: MatchTable) -> None:
    """Nobody gets points for the round."""
    for seat in range(table.players):
        table.points[seat] = 0


@effect
def count_round(table: MatchTable) -> None:
    """One round more is over."""
    table.rounds += 1


@rule
def total_after_round(table: MatchTable, seat: int) -> int:
    """The total of a seat with the points of the round that is over."""
    return table.totals[seat] + table.points[seat]


@guard("nobody has the target")
def somebody_has_target(table: MatchTable) -> bool:
    """With the points of the round, the total of a seat is the target or more."""
    for seat in range(table.players):
        if total_after_round(table, seat) >= table.target:
            return True
    return False


@rule
def beats(table: MatchTable, seat: int, other: int) -> bool:
    """Whether the total of a seat is better than that of another one."""
    one, another = total_after_round(table, seat), total_after_round(table, other)
    return one < another if table.lowest_wins else one > another


@rule
def best_seat(table: MatchTable) -> int:
    """The first seat whose total no other seat beats."""
    best = 0
    for seat in range(1, table.players):
        if beats(table, seat, best):
            best = seat
    return best


@guard("several are ahead with equal totals")
def one_is_ahead(table: MatchTable) -> bool:
    """With the points of the round, the total of one seat, or side, is better than those of all others."""
    best = best_seat(table)
    for seat in range(table.players):
        if seat % table.sides != best % table.sides and not beats(table, best, seat):
            return False
    return True


@guard("no deck is left")
def deck_left(table: MatchTable) -> bool:
    """There is a deck for another round."""
    return table.decks > 0


@effect
def win_match(table: MatchTable) -> None:
    """Who is ahead wins the match, with the partners."""
    best, winners = best_seat(table), 0
    table.ending = WON
    if table.sides == table.players:
        table.winner = best
    else:
        for seat in range(table.players):
            if seat % table.sides == best % table.sides:
                winners |= 1 << seat
        win_together(table, winners)


@effect
def tie_match(table: MatchTable) -> None:
    """Several are ahead: nobody wins the match."""
    table.ending = TIED


@effect
def stop_without_decks(table: MatchTable) -> None:
    """There is no deck for another round: nobody wins the match."""
    table.ending = OUT_OF_DECKS


@effect
def add_points(table: MatchTable) -> None:
    """The points of the round are added to the totals."""
    for seat in range(table.players):
        table.totals[seat] += table.points[seat]
        table.points[seat] = 0


@effect
def move_dealer(table: MatchTable) -> None:
    """The next player deals the next round."""
    table.dealer = (table.dealer + 1) % table.players
