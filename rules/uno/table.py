"""The table of UNO and the deal."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass

from rules.chance import below
from rules.piles import deal_piles
from rules.rule import effect, query
from rules.table import TwinTable, dealt_in_rows, each_seat, receive_twin, ring_of
from rules.uno.cards import CODES, DECK_SIZE, FIRST_WILD, NO_COLOUR, ONLY_ONCE
from rules.visibility import discards_seen, seen_by_all, seen_by_owner

FEWEST_PLAYERS, MAX_PLAYERS = 2, 10
CARDS_EACH = 7
RING = 128
EXPOSING = 1 << 20
"""The random numbers for the exposed card have places above those of the players."""


@dataclass(slots=True)
class UnoTable(TwinTable):
    """What the tables of all rule sets of UNO share: `suit` is the colour that is named."""

    hands: list[int] = seen_by_owner(factory=each_seat(MAX_PLAYERS))
    twins: list[int] = seen_by_owner(factory=each_seat(MAX_PLAYERS))
    ring: bytearray = discards_seen(ring_of(RING))

    reversed: int = seen_by_all(0)  # 1 while the turn goes round counter-clockwise
    colour: int = seen_by_all(NO_COLOUR)
    uno_calls: list[int] = seen_by_all(factory=each_seat(MAX_PLAYERS))


@dataclass(slots=True)
class ProblemUnoTable(UnoTable):
    """The table of UNO: `colour` is the one named with the open wild. `returned` and `reshuffles` stay 0, for the draw
    pile only shrinks and the discard pile is not turned.
    """

    wilds: list[int] = seen_by_all(factory=each_seat(MAX_PLAYERS))  # dropped by each player, wild draw fours too


@query
def cards_each(players: int) -> int:
    """Cards that each player is dealt: seven, for any number of players."""
    return CARDS_EACH


@effect
def fill(deck: bytearray) -> None:
    """Put the whole deck, unshuffled, into `deck`."""
    for card in range(FIRST_WILD):
        deck[card] = card
    for card in range(ONLY_ONCE, CODES):
        deck[FIRST_WILD - ONLY_ONCE + card] = card


@effect
def expose_no_wild(deck: MutableSequence[int], players: int, seed: int, number: int) -> None:
    """Make a shuffled deck valid: a wild that would be exposed is exchanged with another card.

    All other cards are equally likely, so all valid decks remain equally likely.
    """
    opening = players * CARDS_EACH
    index = opening
    roll = EXPOSING
    while deck[index] >= FIRST_WILD:
        index = below(DECK_SIZE, seed, number, roll)
        roll += 1
    card = deck[index]
    deck[index] = deck[opening]
    deck[opening] = card


@effect
def deal(table: UnoTable, deck: Sequence[int], players: int) -> None:
    """Set an empty table for `players`: seven cards in a row for each, then the open card; the rest is the draw pile.

    deck: the 108 card codes, the top card first.
    """
    table.players = players
    index = 0
    for seat in range(players):
        for _ in range(CARDS_EACH):
            receive_twin(table, seat, int(deck[index]))
            index += 1
    deal_piles(table, deck, index)


@effect
def deal_each(table: UnoTable, deck: Sequence[int], players: int, each: int) -> None:
    """Deal `each` cards of any deck to every player. `deal` is the faster version for the whole deck; a test compares
    both.
    """
    table.players = players
    for index in range(players * each):
        receive_twin(table, dealt_in_rows(index, players, each), int(deck[index]))
    deal_piles(table, deck, players * each)
