"""What lies on a table of Mau-Mau, and the deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules.cards import DECK_SIZE, NO_CARD, NO_SUIT
from rules.ending import NO_WINNER
from rules.piles import lay_out
from rules.rule import effect, query

FEWEST_PLAYERS, MOST_PLAYERS = 2, 4


@dataclass(slots=True)
class Table:
    """One game's cards and facts: integers, lists of integers and byte rings, nothing else.

    The compiler derives the compiled table from this class, so a field stands here and nowhere else. Facts never
    name the phase. Cards and suits are codes, hands are bit masks of card codes, players count from 0.
    """

    players: int = 0
    player: int = 0  # in turn
    hands: list[int] = field(default_factory=lambda: [0] * MOST_PLAYERS)

    ring: bytearray = field(default_factory=lambda: bytearray(DECK_SIZE))  # both piles, see rules.piles
    head: int = 0
    stock: int = 0
    tail: int = 0
    bottom: int = 0
    open_card: int = NO_CARD

    due: int = 0  # cards that must be drawn: by the seven's victim, or in this turn
    punished: int = 0  # 1 while the cards drawn in this turn are a penalty
    drawn: int = NO_CARD  # the card last drawn in this turn
    bound_suit: int = NO_SUIT  # the suit that the open jack binds

    card: int = NO_CARD  # the card that is being played
    suit: int = NO_SUIT  # the suit that is named with it

    returned: int = 0  # 1 when this whole position was there before
    ending: int = 0
    winner: int = NO_WINNER

    turns: int = 0
    reshuffles: int = 0
    trail: int = 0  # a hash of the laid cards in their order

    seed: int = 0  # the dice of random players: see rules.chance
    number: int = 0
    rolls: int = 0


@query
def cards_each(players: int) -> int:
    """Cards that each player is dealt: 7, 6 or 5 for 2, 3 or 4 players."""
    return 9 - players


@query
def dealt_to(place: int, players: int, each: int) -> int:
    """The seat that is dealt the card at `place` of the deck: one at a time in turn."""
    return place % players


@effect
def fill(deck: bytearray) -> None:
    """Put the whole deck, unshuffled, into `deck`."""
    for card in range(DECK_SIZE):
        deck[card] = card


@effect
def receive(table: Table, seat: int, card: int) -> None:
    """Put a card into the hand of `seat`."""
    table.hands[seat] |= 1 << card


def held(table: Table, seat: int) -> list[int]:
    """The codes of the cards in the hand of `seat`, ascending."""
    return [card for card in range(DECK_SIZE) if table.hands[seat] >> card & 1]


@effect
def deal(table: Table, deck: Sequence[int], players: int) -> None:
    """Set an empty table for `players`: cards one at a time in turn, then the open card; the rest is the draw pile.

    deck: the 32 card codes, the top card first.
    """
    table.players = players
    place = 0
    for _ in range(cards_each(players)):
        for seat in range(players):
            receive(table, seat, deck[place])
            place += 1
    lay_out(table, deck, place)


@effect
def deal_each(table: Table, deck: Sequence[int], players: int, each: int) -> None:
    """Deal `each` cards to every player, of any deck; `deal` does so with the whole deck, faster, and a test holds both
    together.
    """
    table.players = players
    for place in range(players * each):
        receive(table, dealt_to(place, players, each), deck[place])
    lay_out(table, deck, players * each)
