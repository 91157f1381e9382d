"""Asking another player for cards of a rank, and books: whoever has all four cards of a rank lays them down.

The table is a `QuartetTable`; its facts are `QUARTET_FACTS`. A question is two events, as each names one thing: a seat,
then a rank of which the asking player holds a card. The books lie in the place of a discard pile, four cards each.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.cards import of_rank, rank_of
from rules.piles import lay_open, trace
from rules.rule import choice, effect, guard, query
from rules.table import CardTable, each_seat
from rules.visibility import seen_by_all, seen_by_owner

SEATS, RANKS = 6, 13
"""The most players, and the ranks."""
NOBODY = NO_RANK = -1


@dataclass(slots=True)
class QuartetTable(CardTable):
    """The cards and facts of a game of quartets. `seat` and `rank` are what a player names, `asked` is what holds."""

    hands: list[int] = seen_by_owner(factory=each_seat(SEATS))
    books: list[int] = seen_by_all(factory=each_seat(SEATS))  # that each has laid down
    seat: int = seen_by_all(NOBODY)
    rank: int = seen_by_all(NO_RANK)
    asked: int = seen_by_all(NOBODY)


@query
def books_of(table: QuartetTable, seat: int) -> int:
    """The books of a seat."""
    return table.books[seat]


# ---------------------------------------------------------------- what may be asked


@query
def others(table: QuartetTable) -> int:
    """All seats but that of the player in turn."""
    return (1 << table.players) - 1 & ~(1 << table.player)


@query
def ranks_held(table: QuartetTable) -> int:
    """The ranks of which the player in turn holds a card."""
    ranks = 0
    for rank in range(RANKS):
        if table.hands[table.player] & of_rank(rank):
            ranks |= 1 << rank
    return ranks


@guard("the player who is asked has no card of that rank")
def has_rank(table: QuartetTable) -> bool:
    """The player who is asked holds a card of the rank that is named."""
    return table.hands[table.asked] & of_rank(table.rank) != 0


@query
def book(table: QuartetTable, seat: int) -> int:
    """The lowest rank of which a seat holds all four cards, or none."""
    for rank in range(RANKS):
        if table.hands[seat] & of_rank(rank) == of_rank(rank):
            return rank
    return NO_RANK


@guard("no four cards of a rank are held")
def holds_book(table: QuartetTable) -> bool:
    """The player in turn holds a book."""
    return book(table, table.player) != NO_RANK


# ---------------------------------------------------------------- what is done


@effect
def lay_book_of(table: QuartetTable, seat: int) -> None:
    """The four cards of a book go from the hand of a seat onto the pile of books."""
    rank = book(table, seat)
    table.hands[seat] &= ~of_rank(rank)
    table.books[seat] += 1
    for card in range(4 * rank, 4 * rank + 4):
        lay_open(table, card)
        trace(table, card)


@effect
def lay_dealt_books(table: QuartetTable) -> None:
    """Everybody a player who was dealt a book lays it down."""
    for seat in range(table.players):
        while book(table, seat) != NO_RANK:
            lay_book_of(table, seat)


@effect
def lay_book(table: QuartetTable) -> None:
    """The player in turn lays down a book."""
    lay_book_of(table, table.player)


@effect
def ask_seat(table: QuartetTable) -> None:
    """The player at the seat that is named is asked."""
    table.asked = table.seat
    table.turns += 1


@effect
def hand_over(table: QuartetTable) -> None:
    """All cards of the rank go from the player who is asked to the player in turn."""
    given = table.hands[table.asked] & of_rank(table.rank)
    table.hands[table.asked] ^= given
    table.hands[table.player] |= given
    table.asked = NOBODY


# ---------------------------------------------------------------- how the house plays


@choice
def largest_hand(table: QuartetTable) -> int:
    """Of the others, the seat with most cards; of equals the one that comes next."""
    best, most = table.player, -1
    for step in range(1, table.players):
        seat = (table.player + step) % table.players
        if table.hands[seat].bit_count() > most:
            best, most = seat, table.hands[seat].bit_count()
    return best


@choice
def rank_of_most(table: QuartetTable) -> int:
    """The rank of which most cards are held; of equals the highest."""
    best = most = 0
    for rank in range(RANKS):
        count = (table.hands[table.player] & of_rank(rank)).bit_count()
        if count > 0 and count >= most:
            best, most = rank, count
    return best


# ---------------------------------------------------------------- what must hold


@query
def books_lie(table: QuartetTable) -> bool:
    """Four cards lie on the pile of books for each book."""
    books = 0
    for seat in range(table.players):
        books += table.books[seat]
    return table.tail - table.head - table.stock == 4 * books


@query
def books_are_whole(table: QuartetTable) -> bool:
    """The cards of each four on the pile of books have one rank."""
    first = table.head + table.stock
    for place in range(first, table.tail):
        lowest = first + (place - first & ~3)
        card, other = table.ring[place & len(table.ring) - 1], table.ring[lowest & len(table.ring) - 1]
        if rank_of(card) != rank_of(other):
            return False
    return True


@query
def others_hold_no_book(table: QuartetTable) -> bool:
    """Only the player in turn may hold four cards of a rank."""
    for seat in range(table.players):
        if seat != table.player and book(table, seat) != NO_RANK:
            return False
    return True


@query
def no_book_is_held(table: QuartetTable) -> bool:
    """Nobody holds four cards of a rank."""
    return others_hold_no_book(table) and book(table, table.player) == NO_RANK


@query
def other_is_asked(table: QuartetTable) -> bool:
    """One of the players is asked, and not the one in turn."""
    return 0 <= table.asked < table.players and table.asked != table.player


@query
def cards_are_given(before: QuartetTable, after: QuartetTable) -> bool:
    """Who was asked has no card of the rank any more, and the player in turn has them."""
    given = before.hands[before.asked] & of_rank(before.rank)
    mine = after.hands[before.player] == before.hands[before.player] | given
    return given != 0 and mine and after.hands[before.asked] == before.hands[before.asked] ^ given
