"""The base class of card tables: the fields that all games share, hands as bit masks, and the usual deal.

The table of a game inherits CardTable and adds its own facts. If cards occur twice in the deck, it inherits TwinTable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from rules.cards import NO_CARD, NO_SUIT, bits, held
from rules.ending import NO_WINNER
from rules.piles import deal_piles, stack_up
from rules.rule import RuleFunction, effect, query
from rules.visibility import discards_seen, seen_by_all, seen_by_owner


def each_seat(seats: int) -> Callable[[], list[int]]:
    """The default of a field with a number for each of `seats` seats: zeros."""
    return lambda: [0] * seats


def ring_of(indices: int) -> Callable[[], bytearray]:
    """The default of the ring of both piles. indices: a power of two, at least the cards of the deck."""
    if indices < 1 or indices & indices - 1:
        raise ValueError(f"a ring of {indices} places; use a power of two")
    return lambda: bytearray(indices)


@dataclass(slots=True)
class CardTable:
    """One game's cards and facts: integers, lists of integers and byte rings, nothing else.

    The compiler derives the compiled table from the class, so each field is declared once. Facts never contain the
    phase. Cards and suits are codes, hands are bit masks of card codes, players count from 0. There is room for four
    players and 64 cards; a game with more overrides the defaults of `hands` and `ring`.

    is_cleared: whether laid cards leave the table from time to time, so that it does not show them as a discard pile.
    """

    is_cleared: ClassVar[bool] = False

    players: int = seen_by_all(0)
    player: int = seen_by_all(0)  # in turn
    hands: list[int] = seen_by_owner(factory=each_seat(4))

    ring: bytearray = discards_seen(ring_of(64))  # both piles, see rules.piles
    head: int = seen_by_all(0)
    stock: int = seen_by_all(0)
    tail: int = seen_by_all(0)
    bottom: int = seen_by_all(0)
    open_card: int = seen_by_all(NO_CARD)  # none in games without an open card

    due: int = seen_by_all(0)  # cards that must be drawn
    drawn: int = seen_by_owner(NO_CARD)  # the card last drawn

    card: int = seen_by_all(NO_CARD)  # the card that is being played
    suit: int = seen_by_all(NO_SUIT)  # the suit that is named with it

    returned: int = 0  # 1 when this whole position was there before
    ending: int = seen_by_all(0)
    winner: int = seen_by_all(NO_WINNER)

    turns: int = seen_by_all(0)
    reshuffles: int = seen_by_all(0)
    trail: int = seen_by_all(0)  # a hash of the laid cards in their order

    seed: int = 0  # the dice of random players: see rules.chance
    number: int = 0
    rolls: int = 0


@dataclass(slots=True)
class TwinTable(CardTable):
    """A table for decks in which a card may occur twice: both copies have the same code."""

    twins: list[int] = seen_by_owner(factory=each_seat(4))  # of the codes held those held twice


@dataclass(slots=True)
class FourfoldTable(TwinTable):
    """A table for decks in which a card may occur up to four times: all copies have the same code."""

    triples: list[int] = seen_by_owner(factory=each_seat(4))  # of the codes held those held three times or oftener
    quadruples: list[int] = seen_by_owner(factory=each_seat(4))  # of the codes held those held four times


@effect
def fill_once(deck: bytearray) -> None:
    """Put every card once, unshuffled, into `deck`: its length is the number of card codes."""
    for index in range(len(deck)):
        deck[index] = index


@effect
def fill_twice(deck: bytearray) -> None:
    """Put every card twice, unshuffled, into `deck`: its length is twice the number of card codes."""
    for index in range(len(deck)):
        deck[index] = index >> 1


@effect
def fill_four_times(deck: bytearray) -> None:
    """Put every card four times, unshuffled, into `deck`: its length is four times the number of card codes."""
    for index in range(len(deck)):
        deck[index] = index >> 2


@query
def dealt_in_turn(index: int, players: int, each: int) -> int:
    """The seat that is dealt the card at `index` of the deck: one at a time in turn."""
    return index % players


@query
def dealt_in_rows(index: int, players: int, each: int) -> int:
    """The seat that is dealt the card at `index` of the deck: its `each` cards in a row."""
    return index // each


@effect
def receive(table: CardTable, seat: int, card: int) -> None:
    """Put a card into the hand of `seat`."""
    table.hands[seat] |= 1 << card


@query
def card_taken(table: CardTable, seat: int, head: int) -> int:
    """The card that `seat` has taken off the draw pile since its top was `head`, of several the last; none if none of
    them is in the hand.
    """
    for index in range(table.head - 1, head - 1, -1):
        card = table.ring[index & len(table.ring) - 1]
        if table.hands[seat] >> card & 1 == 1:
            return card
    return NO_CARD


@query
def copy_taken(table: CardTable, gained: int, head: int) -> int:
    """The same where a card may be in the hand already. gained: the cards of which the hand has one more, a mask."""
    for index in range(table.head - 1, head - 1, -1):
        card = table.ring[index & len(table.ring) - 1]
        if gained >> card & 1 == 1:
            return card
    return NO_CARD


@effect
def receive_twin(table: TwinTable, seat: int, card: int) -> None:
    """Put a card into the hand of `seat`, which may hold the same card already."""
    table.twins[seat] |= table.hands[seat] & 1 << card
    table.hands[seat] |= 1 << card


@effect
def receive_copy(table: FourfoldTable, seat: int, card: int) -> None:
    """Put a card into the hand of `seat`, which may hold it up to three times already."""
    bit = 1 << card
    table.quadruples[seat] |= table.triples[seat] & bit
    table.triples[seat] |= table.twins[seat] & bit
    table.twins[seat] |= table.hands[seat] & bit
    table.hands[seat] |= bit


@effect
def give_copy(table: FourfoldTable, seat: int, card: int) -> None:
    """Take one copy of a card out of the hand of `seat`, which must hold it."""
    bit = 1 << card
    table.hands[seat] &= table.twins[seat] | ~bit
    table.twins[seat] &= table.triples[seat] | ~bit
    table.triples[seat] &= table.quadruples[seat] | ~bit
    table.quadruples[seat] &= ~bit


@query
def copies_held(table: FourfoldTable, seat: int, card: int) -> int:
    """How often the hand of `seat` has a card."""
    once, twice = table.hands[seat] >> card & 1, table.twins[seat] >> card & 1
    return once + twice + (table.triples[seat] >> card & 1) + (table.quadruples[seat] >> card & 1)


@query
def hand_size(table: FourfoldTable, seat: int) -> int:
    """How many cards the hand of `seat` has."""
    pairs = table.hands[seat].bit_count() + table.twins[seat].bit_count()
    return pairs + table.triples[seat].bit_count() + table.quadruples[seat].bit_count()


def held_with_twins(table: TwinTable, seat: int) -> list[int]:
    """The codes of the cards in the hand of `seat`, ascending; a code that is held twice is listed twice."""
    return sorted(bits(table.hands[seat]) + bits(table.twins[seat]))


def held_with_copies(table: FourfoldTable, seat: int) -> list[int]:
    """The codes of the cards in the hand of `seat`, ascending, each as often as it is held."""
    masks = table.hands[seat], table.twins[seat], table.triples[seat], table.quadruples[seat]
    return sorted(code for mask in masks for code in bits(mask))


@effect
def deal_copies_in_turn_unopened(table: FourfoldTable, deck: Sequence[int], players: int, each: int) -> None:
    """Deal a deck in which cards occur up to four times, in the same way as `deal_in_turn_unopened`."""
    table.players = players
    for index in range(players * each):
        receive_copy(table, dealt_in_turn(index, players, each), int(deck[index]))
    stack_up(table, deck, players * each)


@effect
def deal_twins_in_turn(table: TwinTable, deck: Sequence[int], players: int, each: int) -> None:
    """Deal a deck in which cards occur twice, in the same way as `deal_in_turn`."""
    table.players = players
    for index in range(players * each):
        receive_twin(table, dealt_in_turn(index, players, each), int(deck[index]))
    deal_piles(table, deck, players * each)


@effect
def deal_in_turn(table: CardTable, deck: Sequence[int], players: int, each: int) -> None:
    """Deal `each` cards to every player, one at a time in turn, and expose the next one; the rest is the draw pile."""
    deal_hands_in_turn(table, deck, players, each)
    deal_piles(table, deck, players * each)


def dealing(cards_each: RuleFunction, deal_each: RuleFunction = deal_in_turn) -> RuleFunction:
    """The usual deal (table, deck, players).

    cards_each: cards for each (players). deal_each: deals as many (table, deck, players, each); by default in turn, and
    an open card.
    """

    @effect
    def deal(table, deck, players):  # type: ignore[no-untyped-def]
        """Deal a game as any number of cards is dealt."""
        deal_each(table, deck, players, cards_each(players))

    return deal


@effect
def deal_in_turn_unopened(table: CardTable, deck: Sequence[int], players: int, each: int) -> None:
    """Deal `each` cards to every player, one at a time in turn; the rest, if any, is the draw pile."""
    deal_hands_in_turn(table, deck, players, each)
    stack_up(table, deck, players * each)


@effect
def deal_hands_in_turn(table: CardTable, deck: Sequence[int], players: int, each: int) -> None:
    """Deal `each` cards to every player, one at a time in turn."""
    table.players = players
    for index in range(players * each):
        receive(table, dealt_in_turn(index, players, each), int(deck[index]))


@effect
def deal_out(table: CardTable, deck: Sequence[int], players: int, each: int) -> None:
    """Deal `each` cards to every player, one at a time in turn, as long as there are cards: the last players may get
    one card less. The rest, if any, is the draw pile.
    """
    table.players = players
    dealt = min(players * each, len(deck))
    for index in range(dealt):
        receive(table, dealt_in_turn(index, players, each), int(deck[index]))
    stack_up(table, deck, dealt)


class HandsOf(NamedTuple):
    """How hands are read and dealt on tables of a class.

    receive: puts a card into a hand. held: reads a hand. deal: deals cards to each and opens none; None: nothing does.
    deal_out: does so where the deck ends before all have theirs, if another function does. dealt_to: the seat that is
    dealt the card at an index of the deck.
    """

    table: type
    receive: RuleFunction
    held: RuleFunction
    deal: RuleFunction | None
    deal_out: RuleFunction | None = None
    dealt_to: RuleFunction = dealt_in_turn


HANDS_OF = (
    HandsOf(FourfoldTable, receive_copy, held_with_copies, deal_copies_in_turn_unopened),
    HandsOf(TwinTable, receive_twin, held_with_twins, None),
    HandsOf(CardTable, receive, held, deal_in_turn_unopened, deal_out),
)
"""All of them, the table on which a card is held most often first."""


def hands_of(table: type) -> HandsOf:
    """Return how hands are read and dealt on tables of a class; those of any class hold each card once."""
    return next((each for each in HANDS_OF if issubclass(table, each.table)), HANDS_OF[-1])


READERS = held, held_with_twins, held_with_copies
"""What reads a hand by its masks alone."""
FILLS = {1: fill_once, 2: fill_twice, 4: fill_four_times}
"""What makes a deck in which each card is there so often."""
