"""What lies on a table of UNO, and the deal."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass, field

from rules.chance import below
from rules.ending import NO_WINNER
from rules.piles import lay_out
from rules.rule import effect, query
from rules.uno.cards import CODES, DECK_SIZE, FIRST_WILD, NO_CARD, NO_COLOUR, ONLY_ONCE

FEWEST_PLAYERS, MOST_PLAYERS = 2, 10
CARDS_EACH = 7
RING = 128
EXPOSING = 1 << 20
"""The dice for the exposed card lie beyond those that players roll."""


def _for_each_seat() -> list[int]:
    return [0] * MOST_PLAYERS


@dataclass(slots=True)
class Table:
    """One game's cards and facts: integers, lists of integers and byte rings, nothing else.

    The compiler derives the compiled table from this class, so a field stands here and nowhere else. Facts never
    name the phase. Cards and colours are codes, hands are bit masks of card codes, players count from 0.
    """

    players: int = 0
    player: int = 0  # in turn
    reversed: int = 0  # 1 while the turn goes round counter-clockwise
    hands: list[int] = field(default_factory=_for_each_seat)  # the codes held
    twins: list[int] = field(default_factory=_for_each_seat)  # of these the codes held twice

    ring: bytearray = field(default_factory=lambda: bytearray(RING))  # both piles, see rules.piles
    head: int = 0
    stock: int = 0
    tail: int = 0
    bottom: int = 0
    open_card: int = NO_CARD

    due: int = 0  # cards that must be drawn
    drawn: int = NO_CARD  # the card last drawn
    colour: int = NO_COLOUR  # the colour named with the open wild
    wilds: list[int] = field(default_factory=_for_each_seat)  # dropped by each player, wild draw fours too
    uno_calls: list[int] = field(default_factory=_for_each_seat)

    card: int = NO_CARD  # the card that is being dropped
    suit: int = NO_COLOUR  # the colour that is named with it

    returned: int = 0  # never: the draw pile only shrinks, so no position comes back
    ending: int = 0
    winner: int = NO_WINNER

    turns: int = 0  # in which a card was dropped or drawn
    reshuffles: int = 0  # never: the discard pile is not turned
    trail: int = 0  # a hash of the laid cards in their order

    seed: int = 0  # the dice of random players: see rules.chance
    number: int = 0
    rolls: int = 0


@query
def cards_each(players: int) -> int:
    """Cards that each player is dealt: seven, for any number of players."""
    return CARDS_EACH


@query
def dealt_to(place: int, players: int, each: int) -> int:
    """The seat that is dealt the card at `place` of the deck: its `each` cards in a row."""
    return place // each


@effect
def fill(deck: bytearray) -> None:
    """Put the whole deck, unshuffled, into `deck`."""
    for card in range(FIRST_WILD):
        deck[card] = card
    for card in range(ONLY_ONCE, CODES):
        deck[FIRST_WILD - ONLY_ONCE + card] = card


@effect
def receive(table: Table, seat: int, card: int) -> None:
    """Put a card into the hand of `seat`."""
    table.twins[seat] |= table.hands[seat] & 1 << card
    table.hands[seat] |= 1 << card


def held(table: Table, seat: int) -> list[int]:
    """The codes of the cards in the hand of `seat`, ascending; a code held twice stands twice."""
    hand, twins = table.hands[seat], table.twins[seat]
    return [card for card in range(CODES) for _ in range((hand >> card & 1) + (twins >> card & 1))]


@effect
def expose_no_wild(deck: MutableSequence[int], players: int, seed: int, number: int) -> None:
    """Make a shuffled deck one that may be dealt: a wild that would be exposed changes places with another card.

    With any other card, equally likely: so all decks that may be dealt stay equally likely.
    """
    opening = players * CARDS_EACH
    place = opening
    roll = EXPOSING
    while deck[place] >= FIRST_WILD:
        place = below(DECK_SIZE, seed, number, roll)
        roll += 1
    card = deck[place]
    deck[place] = deck[opening]
    deck[opening] = card


@effect
def deal(table: Table, deck: Sequence[int], players: int) -> None:
    """Set an empty table for `players`: seven cards in a row for each, then the open card; the rest is the draw pile.

    deck: the 108 card codes, the top card first.
    """
    table.players = players
    place = 0
    for seat in range(players):
        for _ in range(CARDS_EACH):
            receive(table, seat, int(deck[place]))
            place += 1
    lay_out(table, deck, place)


@effect
def deal_each(table: Table, deck: Sequence[int], players: int, each: int) -> None:
    """Deal `each` cards to every player, of any deck; `deal` does so with the whole deck, faster, and a test holds both
    together.
    """
    table.players = players
    for place in range(players * each):
        receive(table, dealt_to(place, players, each), int(deck[place]))
    lay_out(table, deck, players * each)
