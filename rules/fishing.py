"""Fishing: a card takes cards from the middle, one of its value or a set that sums to it, or stays there.

The table is a `FishingTable`; its facts are `FISHING_FACTS`. The cards of a set are named one by one, the lowest code
first, so that each set is named in one way. `values` are those of the ranks, by code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.cards import NO_CARD, of_rank, rank_of
from rules.ending import sides_among
from rules.piles import stack_up, take_top
from rules.rule import RuleFunction, effect, guard, query
from rules.table import CardTable, deal_hands_in_turn, each_seat
from rules.visibility import seen_by_all

NOBODY = -1
IN_MIDDLE = 4
"""The cards that are dealt to the middle."""


@dataclass(slots=True)
class FishingTable(CardTable):
    """The cards and facts of a game of fishing."""

    middle: list[int] = seen_by_all(factory=each_seat(4))  # the cards in the middle are a mask at 0
    taken: list[int] = seen_by_all(factory=each_seat(4))  # that each player has taken
    sweeps: list[int] = seen_by_all(factory=each_seat(4))  # how often each has cleared the middle
    rest: int = seen_by_all(0)  # of the value of the card that takes, what is still to be taken
    named: int = seen_by_all(NO_CARD)  # the last card of the set that was named
    taker: int = seen_by_all(NOBODY)  # who has taken cards last


@effect
def deal_around_middle(table: FishingTable, deck: Sequence[int], players: int, each: int) -> None:
    """Deal `each` cards to every player, one at a time in turn, then four to the middle, while there are cards."""
    deal_hands_in_turn(table, deck, players, each)
    dealt = min(players * each + IN_MIDDLE, len(deck))
    for place in range(players * each, dealt):
        table.middle[0] |= 1 << int(deck[place])
    stack_up(table, deck, dealt)


@effect
def deal_again(table: FishingTable) -> None:
    """Deal three cards more to every player, one at a time in turn, while there are cards for all."""
    for _ in range(min(3, table.stock // table.players)):
        for step in range(table.players):
            table.hands[(table.player + step) % table.players] |= 1 << take_top(table)


@guard("somebody holds cards")
def hands_are_empty(table: FishingTable) -> bool:
    """Nobody holds a card."""
    for seat in range(table.players):
        if table.hands[seat] != 0:
            return False
    return True


@guard("there is a stock")
def cannot_deal(table: FishingTable) -> bool:
    """The stock has too few cards for all."""
    return table.stock < table.players


def sets_by_sum(values: tuple[int, ...]) -> RuleFunction:
    """Return a query (cards, total, least): the cards that may be the next of a set that sums to `total`.

    cards: those of which the set consists. least: the lowest code. The others of the set follow with higher codes.
    """
    codes = 4 * len(values)

    @query
    def next_of_sum(cards, total, least):  # type: ignore[no-untyped-def]
        """The cards that may be the next of a set that sums to a total."""
        sums, found = 1, 0
        for step in range(codes):
            card = codes - 1 - step
            if cards >> card & 1 == 1:
                value = values[rank_of(card)]
                if card >= least and value <= total and sums >> total - value & 1 == 1:
                    found |= 1 << card
                sums |= sums << value
                sums &= (2 << total) - 1
        return found

    return next_of_sum


def caught_by(values: tuple[int, ...]) -> RuleFunction:
    """Return a query (table, card): the cards that may be named first of those that a card takes from the middle.

    A card of its own rank goes before a set that sums to its value.
    """
    next_of_sum = sets_by_sum(values)

    @query
    def caught(table, card):  # type: ignore[no-untyped-def]
        """The cards that may be named first of those that a card takes."""
        same = table.middle[0] & of_rank(rank_of(card))
        return same if same != 0 else next_of_sum(table.middle[0], values[rank_of(card)], 0)

    return caught


def still_caught(values: tuple[int, ...]) -> RuleFunction:
    """Return a query: the cards that may be named next, in the middle of a set or as its first card."""
    next_of_sum = sets_by_sum(values)

    @query
    def to_take(table):  # type: ignore[no-untyped-def]
        """The cards that may be taken next: one of the value that is left, else one of a set that sums to it."""
        middle, rest = table.middle[0], table.rest
        if table.named == NO_CARD:
            for rank in range(len(values)):
                if values[rank] == rest and middle & of_rank(rank) != 0:
                    return middle & of_rank(rank)
        return next_of_sum(middle, rest, table.named + 1)

    return to_take


def fishing_with(values: tuple[int, ...]) -> RuleFunction:
    """Return an effect: the card goes from the hand to those that its player takes, and its value is to be taken."""

    @effect
    def fish(table):  # type: ignore[no-untyped-def]
        """The card takes others: it lies before its player."""
        table.hands[table.player] ^= 1 << table.card
        table.taken[table.player] |= 1 << table.card
        table.rest = values[rank_of(table.card)]
        table.named = NO_CARD

    return fish


def taking_of(values: tuple[int, ...]) -> RuleFunction:
    """Return an effect: the card that is named goes from the middle to those that the player has taken."""

    @effect
    def take_card(table):  # type: ignore[no-untyped-def]
        """The card is taken from the middle."""
        table.middle[0] ^= 1 << table.card
        table.taken[table.player] |= 1 << table.card
        table.rest -= values[rank_of(table.card)]
        table.named = table.card

    return take_card


def completes(values: tuple[int, ...]) -> RuleFunction:
    """Return a guard: with the card that is named the set has the value of the card that takes it."""

    @guard("more cards are to be taken")
    def set_is_complete(table):  # type: ignore[no-untyped-def]
        """The set is complete."""
        return table.rest == values[rank_of(table.card)]

    return set_is_complete


@effect
def end_take(table: FishingTable) -> None:
    """The player has taken cards last; a middle without cards is a sweep, except with the last card of the game."""
    last = table.stock < table.players
    for seat in range(table.players):
        last = last and table.hands[seat] == 0
    if table.middle[0] == 0 and not last:
        table.sweeps[table.player] += 1
    table.taker, table.named, table.rest = table.player, NO_CARD, 0


@effect
def lay_in_middle(table: FishingTable) -> None:
    """The card goes from the hand to the middle."""
    table.hands[table.player] ^= 1 << table.card
    table.middle[0] |= 1 << table.card


@effect
def last_takes_rest(table: FishingTable) -> None:
    """The player who has taken cards last takes those that are left in the middle."""
    if table.taker != NOBODY:
        table.taken[table.taker] |= table.middle[0]
        table.middle[0] = 0


@query
def taken_by_side(table: FishingTable, seat: int, sides: int) -> int:
    """Return the cards that the side of a seat has taken. sides: as of `sides_among`."""
    cards, several = 0, sides_among(table.players, sides)
    for other in range(table.players):
        if (other - seat) % several == 0:
            cards |= table.taken[other]
    return cards


# ---------------------------------------------------------------- what must hold


@query
def no_set_is_named(table: FishingTable) -> bool:
    """No set is being taken."""
    return table.rest == 0 and table.named == NO_CARD


@query
def set_is_named(table: FishingTable) -> bool:
    """A set is being taken: a value is left, and the last card that was named is the player's."""
    return table.rest > 0 and (table.named == NO_CARD or table.taken[table.player] >> table.named & 1 == 1)


@query
def card_is_used(before: FishingTable, after: FishingTable) -> bool:
    """The card has left the hand: it lies in the middle, or before its player."""
    card, seat = 1 << before.card, before.player
    return before.hands[seat] ^ after.hands[seat] == card and (after.middle[0] | after.taken[seat]) & card != 0


@query
def card_is_taken(before: FishingTable, after: FishingTable) -> bool:
    """The card has left the middle, and is the player's."""
    card, seat = 1 << before.card, before.player
    return before.middle[0] ^ after.middle[0] == card and before.taken[seat] ^ after.taken[seat] == card
