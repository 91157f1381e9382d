"""Parts of games in which players get rid of their cards: cards are laid and drawn, and the last one wins.

Each part does all that every executor relies on: it counts the turn, traces the laid cards, tells the card that was
drawn, how the game ended and who won.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.cards import NO_CARD, NO_SUIT, of_suit, suit_of
from rules.chance import below
from rules.ending import OUT_OF_CARDS, WON
from rules.piles import lay_open, take_top, trace
from rules.rule import RuleFunction, choice, effect, guard, query
from rules.seats import seat_after
from rules.table import CardTable, receive
from rules.visibility import seen_by_all

STARTER_ROLLS = 1 << 20
"""The first die that is rolled for another starter: random players never come so far."""


@guard("it is not the last card")
def last_card(table: CardTable) -> bool:
    """The card that is played is the only one in the hand."""
    return table.hands[table.player] == 1 << table.card


@effect
def lay_card(table: CardTable) -> None:
    """The card goes from the hand onto the discard pile."""
    table.hands[table.player] ^= 1 << table.card
    lay_open(table, table.card)
    trace(table, table.card)


@effect
def take_card(table: CardTable) -> None:
    """The top card of the draw pile goes into the hand."""
    card = take_top(table)
    receive(table, table.player, card)
    table.drawn = card


@effect
def next_player(table: CardTable) -> None:
    """The turn is over, and the next player is in turn."""
    table.drawn = NO_CARD
    table.turns += 1
    table.player = seat_after(table.player, table.players)


@effect
def win(table: CardTable) -> None:
    """The player in turn wins."""
    table.turns += 1
    table.ending = WON
    table.winner = table.player


@effect
def nobody_wins(table: CardTable) -> None:
    """The game is over, and nobody wins."""
    table.ending = OUT_OF_CARDS


@query
def next_in_turn(before: CardTable, after: CardTable) -> bool:
    """The next player is in turn."""
    return after.player == (before.player + 1) % before.players


def starting_without(cards: int, cards_each: Mapping[int, int]) -> RuleFunction:
    """Return what amends a deck: one of some cards that would be the starter changes places with another card.

    cards: those that do not start, a mask. cards_each: the cards dealt to each, by the number of players.
    """
    starters = tuple(players * cards_each.get(players, 0) for players in range(max(cards_each) + 1))

    @effect
    def another_starts(deck, players, seed, number):  # type: ignore[no-untyped-def]
        """A card that may not be the starter changes places with another card of the deck."""
        starter = place = starters[players]
        roll = STARTER_ROLLS
        while cards >> int(deck[place]) & 1 == 1:
            place = below(len(deck), seed, number, roll)
            roll += 1
        deck[starter], deck[place] = deck[place], deck[starter]

    return another_starts


# ---------------------------------------------------------------- a card that names a suit


@dataclass(slots=True)
class SuitTable(CardTable):
    """The cards and facts of a game in which some cards name the suit to follow; it is a fact of the game."""

    named: int = seen_by_all(NO_SUIT)


@query
def suit_to_follow(table: SuitTable) -> int:
    """The suit that was named, else that of the open card."""
    return suit_of(table.open_card) if table.named == NO_SUIT else table.named


@effect
def lay_card_over(table: SuitTable) -> None:
    """The card goes from the hand onto the discard pile, and no suit is named."""
    lay_card(table)
    table.named = NO_SUIT


@effect
def name_suit(table: SuitTable) -> None:
    """The named suit must be followed."""
    table.named = table.suit


def suits_for(kind: RuleFunction) -> RuleFunction:
    """A query (table): all four suits if the card that is played is of a kind, and not the last one; else none.

    kind: the guard of the cards that name a suit.
    """

    @query
    def suits_to_name(table):  # type: ignore[no-untyped-def]
        """The suits, of which one is named with the card that is played; none with the last card."""
        return 15 if kind(table) and not last_card(table) else 0

    return suits_to_name


def most_frequent_suit(cards: int) -> RuleFunction:
    """A choice (table): the suit of most cards in hand, the weakest of equals; none with the last card.

    cards: those that are counted, a mask.
    """

    @choice
    def most_frequent(table):  # type: ignore[no-untyped-def]
        """The suit of most cards in hand; none with the last card."""
        if last_card(table):
            return NO_SUIT
        best, most = 0, -1
        for suit in range(4):
            count = (table.hands[table.player] & cards & of_suit(suit)).bit_count()
            if count > most:
                best, most = suit, count
        return best

    return most_frequent


# ---------------------------------------------------------------- what must hold


def starter_is_none_of(cards: int) -> RuleFunction:
    """Return a query: the open card is none of some cards. cards: a mask."""

    @query
    def is_another_card(table):  # type: ignore[no-untyped-def]
        """The open card is none of those that may not start."""
        return cards >> table.open_card & 1 == 0

    return is_another_card


def suit_is_named_by(cards: int) -> RuleFunction:
    """Return a query: a suit is named if, and only if, the open card is of a kind. cards: of that kind, a mask."""

    @query
    def names_suit(table):  # type: ignore[no-untyped-def]
        """A suit is named if, and only if, the open card names one."""
        return (cards >> table.open_card & 1 == 1) == (table.named >= 0)

    return names_suit
