"""What holds at every moment of a game of Mau-Mau, and what each event does: said once more, for the checks.

Each function says a rule of the statement without the guards and callbacks by which it is played.
"""

from __future__ import annotations

from rules.cards import EIGHT, JACK, NO_CARD, NO_SUIT, SEVEN, SEVENS, rank_of
from rules.ending import ENDLESS, NO_WINNER, OUT_OF_CARDS, WON
from rules.invariants import all_under_open_card_turned, card_lies_open, piles_stay, queue_card, top_card_leaves
from rules.maumau.drawing import playable
from rules.maumau.table import Table
from rules.piles import cards_under_open_card
from rules.rule import query
from rules.seats import seat_after

# ---------------------------------------------------------------- what holds


@query
def all_cards(table: Table) -> int:
    """All cards of the game as a mask."""
    cards = 0
    ring, last = table.ring, len(table.ring) - 1
    for place in range(table.head, table.tail):
        cards |= 1 << ring[place & last]
    for seat in range(table.players):
        cards |= table.hands[seat]
    return cards


@query
def every_card_once(table: Table) -> bool:
    """No card is in two places."""
    count = table.tail - table.head
    for seat in range(table.players):
        count += table.hands[seat].bit_count()
    return all_cards(table).bit_count() == count


@query
def turn_is_fresh(table: Table) -> bool:
    """Nothing was drawn in this turn yet."""
    return table.drawn == NO_CARD and table.punished == 0


@query
def nothing_due(table: Table) -> bool:
    """No card is due."""
    return table.due == 0


@query
def penalty_is_due(table: Table) -> bool:
    """A seven is open, and two cards are due for each seven in a row, of which there are four at most."""
    return rank_of(table.open_card) == SEVEN and table.due in (2, 4, 6, 8)


@query
def eight_is_open(table: Table) -> bool:
    """The open card is an eight."""
    return rank_of(table.open_card) == EIGHT


@query
def no_jack_is_open(table: Table) -> bool:
    """The open card is no jack, so no suit is bound."""
    return rank_of(table.open_card) != JACK and table.bound_suit == NO_SUIT


@query
def jack_lies_open(table: Table) -> bool:
    """The open card is a jack."""
    return rank_of(table.open_card) == JACK


@query
def drawing_is_on(table: Table) -> bool:
    """A card is due or was drawn in this turn: one, or up to eight as a penalty; the last one drawn is in the hand."""
    drawn = table.drawn == NO_CARD or table.hands[table.player] >> table.drawn & 1 == 1
    most = 8 if table.punished == 1 else 1
    return drawn and 0 <= table.due <= most and (table.due > 0 or table.drawn != NO_CARD)


@query
def pile_ran_out(table: Table) -> bool:
    """The draw pile is empty and cards lie under the open card."""
    return table.stock == 0 and cards_under_open_card(table) > 0


@query
def all_hold_cards(table: Table) -> bool:
    """Every player holds a card."""
    for seat in range(table.players):
        if table.hands[seat] == 0:
            return False
    return True


@query
def ended_rightly(table: Table) -> bool:
    """The winner alone holds no card; or a card was due that nobody can give, to one who could not play; or the
    position came back.
    """
    if table.ending == WON:
        for seat in range(table.players):
            if (table.hands[seat] == 0) != (seat == table.winner):
                return False
        return table.winner == table.player and table.due in (0, 2, 4, 6)
    if table.ending == OUT_OF_CARDS:
        gone = table.due > 0 and table.tail - table.head == 1
        if table.drawn != NO_CARD:
            return gone
        return gone and (table.hands[table.player] & SEVENS if table.punished == 1 else playable(table)) == 0
    return table.ending == ENDLESS and table.returned == 1


# ---------------------------------------------------------------- what events do


@query
def cards_are_conserved(before: Table, after: Table) -> bool:
    """All cards of the game are there, each once, and no other."""
    return all_cards(before) == all_cards(after)


@query
def other_hands_stay(before: Table, after: Table) -> bool:
    """The hands of all but the player who was in turn stay as they were."""
    for seat in range(before.players):
        if seat != before.player and after.hands[seat] != before.hands[seat]:
            return False
    return True


@query
def nothing_moves(before: Table, after: Table) -> bool:
    """All cards stay where they were."""
    same = after.hands[before.player] == before.hands[before.player]
    return same and other_hands_stay(before, after) and piles_stay(before, after)


@query
def card_is_laid(before: Table, after: Table) -> bool:
    """The card goes from the hand of the player in turn onto the open card, and no other card moves."""
    hand = before.hands[before.player]
    gone = hand - after.hands[before.player] == 1 << before.card and hand >> before.card & 1 == 1
    return gone and other_hands_stay(before, after) and card_lies_open(before, after)


@query
def card_is_taken(before: Table, after: Table) -> bool:
    """The top card of the draw pile goes into the hand of the player in turn; one card less is due."""
    card = queue_card(before, 0)
    hand = after.hands[before.player] == before.hands[before.player] | 1 << card
    told = after.drawn == card and after.due == before.due - 1 and after.punished == before.punished
    return hand and told and other_hands_stay(before, after) and top_card_leaves(before, after)


@query
def pile_is_turned(before: Table, after: Table) -> bool:
    """Everything under the open card is the draw pile, its bottom card on top; what is due and was drawn stays."""
    same = after.hands[before.player] == before.hands[before.player] and other_hands_stay(before, after)
    same = same and after.due == before.due and after.drawn == before.drawn and after.punished == before.punished
    return same and all_under_open_card_turned(before, after)


@query
def same_player(before: Table, after: Table) -> bool:
    """The same player is in turn, in the same turn."""
    return after.player == before.player and after.turns == before.turns


@query
def next_in_turn(before: Table, after: Table) -> bool:
    """The turn is over, the next player is in turn."""
    return after.player == seat_after(before.player, before.players) and after.turns == before.turns + 1


@query
def next_is_skipped(before: Table, after: Table) -> bool:
    """The player in turn loses the turn to the next one; it does not count."""
    return after.player == seat_after(before.player, before.players) and after.turns == before.turns


@query
def seven_makes_two_due(before: Table, after: Table) -> bool:
    """A seven that lies newly open makes two more cards due, any other card none."""
    return after.due - before.due == (2 if rank_of(after.open_card) == SEVEN else 0)


@query
def what_is_drawn(before: Table, after: Table) -> bool:
    """As a penalty all that is due is drawn, else one card is."""
    if before.due > 0:
        return after.due == before.due and after.punished == 1
    return after.due == 1 and after.punished == 0


@query
def due_stays(before: Table, after: Table) -> bool:
    """As many cards are due as before."""
    return after.due == before.due


@query
def named_suit_binds(before: Table, after: Table) -> bool:
    """The suit that was named binds."""
    return after.bound_suit == before.suit and before.suit != NO_SUIT


@query
def binding_stays(before: Table, after: Table) -> bool:
    """The same suit is bound, or none."""
    return after.bound_suit == before.bound_suit


@query
def card_has_no_action(before: Table, after: Table) -> bool:
    """The card that lies newly open is no seven, eight or jack."""
    return rank_of(after.open_card) not in (SEVEN, EIGHT, JACK)


@query
def who_laid_last_card_wins(before: Table, after: Table) -> bool:
    """The player who laid the last card has won, in this turn, and its action is not carried out."""
    won = after.ending == WON and after.winner == before.player and after.player == before.player
    return won and after.turns == before.turns + 1 and after.due == before.due


@query
def nobody_wins(before: Table, after: Table) -> bool:
    """The game is over without a winner, as it stood."""
    return after.ending in (OUT_OF_CARDS, ENDLESS) and after.winner == NO_WINNER and after.due == before.due
