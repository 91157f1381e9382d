"""French cards: the 32 of Mau-Mau with ranks, suits, values and codes, and the decks of 36 and 52 cards.

Codes increase with the value and then with the suit. The highest bit in a mask of playable cards is therefore the
card that players of Mau-Mau prefer.
"""

from __future__ import annotations

from typing import Any

from rules.notation import Notation
from rules.rule import RuleFunction, query

SUITS = "DHSC"
"""Diamonds, hearts, spades, clubs: the weakest suit first."""
SUIT_NAMES = ("diamonds", "hearts", "spades", "clubs")
RANKS = "QKSENTAJ"
"""Queen, king, seven, eight, nine, ten, ace, jack: the lowest value first."""
VALUES = (3, 4, 7, 8, 9, 10, 11, 20)
"""Points of each rank, in the order of RANKS."""

FRENCH = Notation(tuple(suit + rank for rank in RANKS for suit in SUITS), SUITS, "suit", SUIT_NAMES, ranks=RANKS)
DECK_SIZE = 32


def french_deck(ranks: str) -> Notation:
    """The notation of a French deck with these ranks, the lowest first: `QS` is the queen of spades.

    A card's code is four times its rank's plus its suit's, as in FRENCH, whose names begin with the suit.
    """
    return Notation(tuple(rank + suit for rank in ranks for suit in SUITS), SUITS, "suit", SUIT_NAMES, ranks=ranks)


FRENCH_36 = french_deck("6789TJQKA")
FRENCH_52 = french_deck("23456789TJQKA")
"""Also used for two decks of 52 cards: both copies of a card have the same code (see `rules.table.TwinTable`)."""

ITALIAN_SUITS = "DCSB"
"""Coins, cups, swords, clubs: denari, coppe, spade, bastoni."""


def italian_deck(ranks: str) -> Notation:
    """Return the notation of an Italian deck with these ranks, the lowest first: `3D` is the three of coins."""
    names, words = tuple(rank + suit for rank in ranks for suit in ITALIAN_SUITS), ("coins", "cups", "swords", "clubs")
    return Notation(names, ITALIAN_SUITS, "suit", words, ranks=ranks)


ITALIAN_40 = italian_deck("24567JNK3A")
"""The deck of Briscola: jack, knight and king are above the seven, then three and ace. `3D` is the three of coins."""

QUEEN, KING, SEVEN, EIGHT, NINE, TEN, ACE, JACK = range(len(RANKS))
SUIT_CARDS = 0x11111111
"""The diamonds as a mask; shifted left by a suit's code, the cards of that suit."""
RANK_CARDS = 0xF
"""The queens as a mask; shifted left by four times a rank's code, the cards of that rank."""
SEVENS = RANK_CARDS << 4 * SEVEN
JACKS = RANK_CARDS << 4 * JACK
WHOLE_DECK, ANY_CARD = (1 << DECK_SIZE) - 1, (1 << 63) - 1
OTHERS_THAN_JACKS = WHOLE_DECK ^ JACKS

NO_CARD = -1
NO_SUIT = -1

ONES, TWOS, FOURS, EIGHTS, SIXTEENS = (
    sum(RANK_CARDS << 4 * rank for rank, value in enumerate(VALUES) if value >> index & 1) for index in range(5)
)
"""The cards, as masks, whose values have the bit 1, 2, 4, 8 or 16."""


@query
def rank_of(card: int) -> int:
    """The rank code of a card code."""
    return card >> 2


@query
def suit_of(card: int) -> int:
    """The suit code of a card code."""
    return card & 3


@query
def of_rank(rank: int) -> int:
    """The cards of a rank as a mask, also of those that a deck does not have."""
    return RANK_CARDS << 4 * rank


@query
def of_suit(suit: int) -> int:
    """The cards of a suit as a mask, also of those that a deck does not have."""
    return 0x111111111111111 << suit


def bits(mask: int) -> list[int]:
    """The codes of the cards in a mask, ascending. Raises ValueError for a negative one."""
    if mask < 0:
        raise ValueError(f"mask {mask} is negative; use 0 or more")
    codes = []
    while mask:
        codes.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return codes


def held(table: Any, seat: int) -> list[int]:
    """The codes of the cards in the hand of `seat`, ascending."""
    return bits(table.hands[seat])


@query
def highest(cards: int) -> int:
    """The code of the most valuable card of a non-empty mask, of the strongest suit among equals."""
    return cards.bit_length() - 1


@query
def points(cards: int) -> int:
    """The sum of the values of the cards of a mask."""
    return (
        (cards & ONES).bit_count()
        + 2 * (cards & TWOS).bit_count()
        + 4 * (cards & FOURS).bit_count()
        + 8 * (cards & EIGHTS).bit_count()
        + 16 * (cards & SIXTEENS).bit_count()
    )


def points_by_rank(values: tuple[int, ...]) -> RuleFunction:
    """A query (table, seat): the points of the cards in a hand. values: those of the ranks, by their codes."""
    ranks = len(values)

    @query
    def points_held(table: Any, seat: int) -> int:
        """The points of the cards in the hand."""
        total = 0
        for rank in range(ranks):
            total += values[rank] * (table.hands[seat] & of_rank(rank)).bit_count()
        return total

    return points_held
