"""The 108 UNO cards: colours, ranks, points and codes.

Codes increase with the points and, among equal points, in reverse alphabetical order. The highest bit in a mask of
legal cards is therefore the card that players of UNO must drop. The two copies of a coloured card share a code; the
four wilds, and the four wild draw fours, have a code each and one name.
"""

from __future__ import annotations

from rules.notation import Notation
from rules.rule import query

COLOURS = "YRGB"
"""Yellow, red, green, blue: the last in the alphabet first; also the order of naming, which starts with red."""
DIGITS = "0123456789"
ACTIONS = "SRD"
"""Skip, reverse, draw two: the last in the alphabet first."""

UNO_CARDS = Notation(
    (
        *(colour + digit for digit in DIGITS for colour in COLOURS),
        *(colour + action for colour in COLOURS for action in ACTIONS),
        *(["WF"] * 4 + ["WC"] * 4),
    ),
    COLOURS,
    "colour",
    ("yellow", "red", "green", "blue"),
)
DECK_SIZE = 108
ONLY_ONCE = 4
"""The codes below this, the zeros, are one card each."""
FIRST_ACTION, FIRST_WILD, CODES = 40, 52, 60

NUMBERS = (1 << FIRST_ACTION) - 1
SKIPS = 0b001001001001 << FIRST_ACTION
REVERSES = SKIPS << 1
DRAW_TWOS = SKIPS << 2
WILD_DRAW_FOURS = 0b1111 << FIRST_WILD
WILDS = WILD_DRAW_FOURS << 4
"""These masks hold the cards of one kind each; a wild draw four is not among the wilds."""

COLOUR_CARDS = tuple(0x1111111111 << colour | 0b111 << FIRST_ACTION + 3 * colour for colour in range(4))
"""The cards of each colour as a mask."""
RANK_CARDS = (*(0b1111 << 4 * digit for digit in range(10)), SKIPS, REVERSES, DRAW_TWOS)
"""The cards of each rank as a mask."""
MATCHING_CARDS = tuple(
    sum(cards for cards in COLOUR_CARDS if cards >> card & 1) | sum(cards for cards in RANK_CARDS if cards >> card & 1)
    for card in range(CODES)
)
"""For each card the cards of its colour or its rank as a mask; none for wilds."""

ONES, TWOS, FOURS, EIGHTS = (sum(RANK_CARDS[digit] for digit in range(10) if digit >> index & 1) for index in range(4))
"""The number cards, as masks, whose points have the bit 1, 2, 4 or 8."""
TWENTIES = SKIPS | REVERSES | DRAW_TWOS
FIFTIES = WILDS | WILD_DRAW_FOURS
ALL_CARDS = (1 << CODES) - 1

NO_CARD = -1
NO_COLOUR = -1


@query
def kind_of(card: int) -> int:
    """The code that stands for all cards of the same name."""
    return card & ~3 if card >= FIRST_WILD else card


@query
def highest(cards: int) -> int:
    """The code of the card with the most points of a non-empty mask, the first in the alphabet among equals."""
    return cards.bit_length() - 1


@query
def one_of(cards: int) -> int:
    """The lowest card of a mask as a mask: of equal cards it is enough to offer one; none of none."""
    return cards & -cards


@query
def others_than(card: int) -> int:
    """The cards that differ from `card`; all codes of a wild are alike."""
    return ALL_CARDS & ~(0b1111 << (card & ~3) if card >= FIRST_WILD else 1 << card)


@query
def points(cards: int) -> int:
    """The sum of the points of the cards of a mask: a digit its face, an action 20, a wild 50."""
    return (
        (cards & ONES).bit_count()
        + 2 * (cards & TWOS).bit_count()
        + 4 * (cards & FOURS).bit_count()
        + 8 * (cards & EIGHTS).bit_count()
        + 20 * (cards & TWENTIES).bit_count()
        + 50 * (cards & FIFTIES).bit_count()
    )
