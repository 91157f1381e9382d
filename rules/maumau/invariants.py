"""Invariants and postconditions of Mau-Mau, for the checks.

Each function states a rule of the problem independently of the guards and callbacks of the arcs.
"""

from __future__ import annotations

from rules.cards import (
    ACE,
    DECK_SIZE,
    EIGHT,
    JACK,
    KING,
    NO_CARD,
    NO_SUIT,
    QUEEN,
    SEVEN,
    SEVENS,
    TEN,
    rank_of,
)
from rules.ending import ENDLESS, NO_WINNER, OUT_OF_CARDS, WON
from rules.invariants import (
    NO,
    YES,
    all_hold_cards,
    all_under_open_card_turned,
    card_in_piles,
    hands_are_equal,
    other_hands_stay,
    top_card_is_taken,
)
from rules.maumau.game import FOR_EACH_SEVEN, MauMauTable, playable, sevens_in_hand
from rules.piles import cards_under_open_card
from rules.rule import query
from rules.seats import seat_after

FOR_WANT = 1
"""Cards that are due because no held card fits."""

# ---------------------------------------------------------------- what holds


@query
def penalty_or_not(table: MauMauTable) -> bool:
    """What is drawn in this turn is a penalty or is not."""
    return table.punished in (NO, YES)


@query
def hands_are_dealt(table: MauMauTable) -> bool:
    """All hold equally many cards, the first player is in turn, and no suit is bound."""
    return hands_are_equal(table) and table.player == 0 and table.bound_suit == NO_SUIT


@query
def turn_is_fresh(table: MauMauTable) -> bool:
    """Nothing was drawn in this turn yet."""
    return table.drawn == NO_CARD and table.punished == NO


@query
def sevens_at_the_end(table: MauMauTable, cards: int) -> int:
    """How many sevens lie in a row at the end of both piles, the open card the last, of the last `cards` cards."""
    size = table.tail - table.head
    sevens = 0
    while sevens < cards and rank_of(card_in_piles(table, size - 1 - sevens)) == SEVEN:
        sevens += 1
    return sevens


@query
def sevens_in_a_row(table: MauMauTable) -> int:
    """How many sevens lie in a row on top of the discard pile."""
    return sevens_at_the_end(table, cards_under_open_card(table) + 1)


@query
def sevens_drawn_for(table: MauMauTable) -> int:
    """For how many sevens a penalty may be drawn: those in a row on top of the discard pile.

    If the open card lies alone, the pile may have been turned in this turn: then the sevens under it are the last cards
    of the draw pile, or the player in turn has drawn them already.
    """
    if cards_under_open_card(table) > 0:
        return sevens_in_a_row(table)
    size = table.tail - table.head
    sevens = sevens_at_the_end(table, size)
    if sevens == size and table.drawn != NO_CARD:
        sevens += (table.hands[table.player] & SEVENS).bit_count()
    return sevens


@query
def penalty_is_due(table: MauMauTable) -> bool:
    """A seven is open, and two cards are due for each of the sevens that were laid in a row."""
    sevens = table.due // FOR_EACH_SEVEN
    return 0 < sevens <= sevens_in_a_row(table) and table.due == sevens * FOR_EACH_SEVEN


@query
def eight_is_open(table: MauMauTable) -> bool:
    """The open card is an eight."""
    return rank_of(table.open_card) == EIGHT


@query
def no_jack_is_open(table: MauMauTable) -> bool:
    """The open card is not a jack, so no suit is bound."""
    return rank_of(table.open_card) != JACK and table.bound_suit == NO_SUIT


@query
def jack_lies_open(table: MauMauTable) -> bool:
    """The open card is a jack."""
    return rank_of(table.open_card) == JACK


@query
def suit_is_bound_by_jack(table: MauMauTable) -> bool:
    """A suit is bound exactly while a jack is open that is neither the opening card nor the last one of the winner."""
    if table.bound_suit != NO_SUIT:
        return rank_of(table.open_card) == JACK and table.ending != WON
    return rank_of(table.open_card) != JACK or table.ending == WON or cards_under_open_card(table) == 0


@query
def drawn_for_want(table: MauMauTable) -> bool:
    """One card is due and none was drawn, or one was drawn and none is due."""
    return table.due == (FOR_WANT if table.drawn == NO_CARD else 0)


@query
def drawn_as_penalty(table: MauMauTable) -> bool:
    """A seven is open, and of the cards that were due for the sevens in a row some were drawn and the rest is due."""
    if table.due < 0 or rank_of(table.open_card) != SEVEN:
        return False
    most = FOR_EACH_SEVEN * sevens_drawn_for(table)
    odd = table.due % FOR_EACH_SEVEN
    if table.drawn == NO_CARD:
        return 0 < table.due <= most and odd == 0
    drawn = FOR_EACH_SEVEN - odd
    return table.due + drawn <= most and table.hands[table.player].bit_count() > drawn


@query
def drawing_is_on(table: MauMauTable) -> bool:
    """One card is drawn or a penalty, by a player who could do nothing else if there is none to draw; the card drawn
    last is in the hand, with those that were there before.
    """
    hand = table.hands[table.player]
    if not (drawn_as_penalty(table) if table.punished == YES else drawn_for_want(table)):
        return False
    if table.drawn != NO_CARD:
        return hand >> table.drawn & 1 == 1 and hand.bit_count() > 1
    if table.tail - table.head > 1:
        return True
    return (sevens_in_hand(table) if table.punished == YES else playable(table)) == 0


@query
def pile_was_turned_in_time(table: MauMauTable) -> bool:
    """Once a card was drawn, the draw pile is not left empty while cards lie under the open card."""
    return table.drawn == NO_CARD or table.stock > 0 or cards_under_open_card(table) == 0


@query
def pile_ran_out(table: MauMauTable) -> bool:
    """The last card of the draw pile was drawn, and cards lie under the open card."""
    return table.drawn != NO_CARD and table.stock == 0 and cards_under_open_card(table) > 0


@query
def won_rightly(table: MauMauTable) -> bool:
    """The winner, who is in turn, alone holds no card, and has laid the open one: a seven, if cards were due."""
    for seat in range(table.players):
        if (table.hands[seat] == 0) != (seat == table.winner):
            return False
    laid = table.winner == table.player and turn_is_fresh(table) and cards_under_open_card(table) > 0
    sevens = table.due // FOR_EACH_SEVEN
    return laid and (table.due == 0 or (0 < sevens < sevens_in_a_row(table) and table.due == sevens * FOR_EACH_SEVEN))


@query
def ended_rightly(table: MauMauTable) -> bool:
    """The winner has laid the last card; or a card was due that nobody can give, to one who could not play; or the
    position came back at the start of a turn.
    """
    if table.ending == WON:
        return won_rightly(table)
    if not all_hold_cards(table):
        return False
    if table.ending == OUT_OF_CARDS:
        return table.due > 0 and table.tail - table.head == 1 and drawing_is_on(table)
    return table.ending == ENDLESS and turn_is_fresh(table) and (table.due == 0 or penalty_is_due(table))


# ---------------------------------------------------------------- what events do


@query
def card_is_taken(before: MauMauTable, after: MauMauTable) -> bool:
    """The top card of the draw pile goes into the hand of the player in turn; one card less is due."""
    counted = after.due == before.due - 1 and after.punished == before.punished
    return counted and after.drawn == card_in_piles(before, 0) and top_card_is_taken(before, after)


@query
def pile_is_turned(before: MauMauTable, after: MauMauTable) -> bool:
    """Everything under the open card is the draw pile, its bottom card on top; what is due and was drawn stays."""
    same = after.hands[before.player] == before.hands[before.player] and other_hands_stay(before, after)
    same = same and after.due == before.due and after.drawn == before.drawn and after.punished == before.punished
    return same and all_under_open_card_turned(before, after)


@query
def next_in_turn(before: MauMauTable, after: MauMauTable) -> bool:
    """The turn is over, the next player is in turn."""
    return after.player == seat_after(before.player, before.players) and after.turns == before.turns + 1


@query
def next_is_skipped(before: MauMauTable, after: MauMauTable) -> bool:
    """The player in turn loses the turn to the next one; it does not count."""
    return after.player == seat_after(before.player, before.players) and after.turns == before.turns


@query
def seven_makes_two_due(before: MauMauTable, after: MauMauTable) -> bool:
    """A seven that lies newly open makes two more cards due, any other card none."""
    return after.due - before.due == (FOR_EACH_SEVEN if rank_of(after.open_card) == SEVEN else 0)


@query
def what_is_drawn(before: MauMauTable, after: MauMauTable) -> bool:
    """As a penalty all that is due is drawn, else one card is."""
    if before.due > 0:
        return after.due == before.due and after.punished == YES
    return after.due == FOR_WANT and after.punished == NO


@query
def named_suit_binds(before: MauMauTable, after: MauMauTable) -> bool:
    """The suit that was named binds."""
    return after.bound_suit == before.suit and before.suit != NO_SUIT


@query
def binding_stays(before: MauMauTable, after: MauMauTable) -> bool:
    """The same suit is bound, or none."""
    return after.bound_suit == before.bound_suit


@query
def card_has_no_action(before: MauMauTable, after: MauMauTable) -> bool:
    """The card that lies newly open is not a seven, eight or jack."""
    return rank_of(after.open_card) not in (SEVEN, EIGHT, JACK)


@query
def who_laid_last_card_wins(before: MauMauTable, after: MauMauTable) -> bool:
    """The player who laid the last card has won, in this turn, and its action is not carried out."""
    won = after.ending == WON and after.winner == before.player and after.player == before.player
    return won and after.turns == before.turns + 1 and after.due == before.due


@query
def nobody_wins(before: MauMauTable, after: MauMauTable) -> bool:
    """The game is over without a winner, as it stood; it is endless if the position was there before."""
    ended = after.ending == (ENDLESS if before.returned == YES else OUT_OF_CARDS)
    return ended and after.winner == NO_WINNER and after.due == before.due


# ---------------------------------------------------------------- points


@query
def value_of(card: int) -> int:
    """The value of a card, as the statement of the game gives it."""
    rank = rank_of(card)
    if rank == JACK:
        return 20
    if rank == ACE:
        return 11
    if rank == TEN:
        return 10
    if rank == QUEEN:
        return 3
    if rank == KING:
        return 4
    return 7 if rank == SEVEN else 8 if rank == EIGHT else 9


@query
def is_left_with(table: MauMauTable, seat: int, points: int) -> bool:
    """The points are the sum of the values of the cards in hand, and twice as many if the last card was a jack."""
    left = 0
    for card in range(DECK_SIZE):
        if table.hands[seat] >> card & 1 == 1:
            left += value_of(card)
    if table.ending == WON and rank_of(table.open_card) == JACK:
        left += left
    return points == left
