"""Invariants and postconditions of UNO, for the checks.

Each function states a rule of the problem independently of the guards and callbacks of the arcs.
"""

from __future__ import annotations

from rules.ending import NO_WINNER, OUT_OF_CARDS, WON
from rules.invariants import NO, YES, all_hold_cards, card_in_piles, card_lies_open, piles_stay, top_card_leaves
from rules.piles import cards_under_open_card
from rules.rule import query
from rules.seats import seat_after, seat_before
from rules.uno.cards import (
    CODES,
    COLOUR_CARDS,
    COLOURS,
    DRAW_TWOS,
    FIRST_ACTION,
    FIRST_WILD,
    MATCHING_CARDS,
    NO_COLOUR,
    NUMBERS,
    REVERSES,
    SKIPS,
    WILD_DRAW_FOURS,
    WILDS,
)
from rules.uno.game import ProblemUnoTable, UnoTable

FOR_DRAW_TWO, FOR_WILD_DRAW_FOUR = 2, 4
"""Cards that are due for each kind of card that makes the next player draw."""
FOR_WANT = 1
"""Cards that are due because no held card fits."""

# ---------------------------------------------------------------- what holds


@query
def penalty_of(card: int) -> int:
    """The cards that the next player draws for `card`."""
    if DRAW_TWOS >> card & 1 == 1:
        return FOR_DRAW_TWO
    return FOR_WILD_DRAW_FOUR if WILD_DRAW_FOURS >> card & 1 == 1 else 0


@query
def cards_held(table: UnoTable, seat: int) -> int:
    """How many cards `seat` holds."""
    return table.hands[seat].bit_count() + table.twins[seat].bit_count()


@query
def dropped(table: ProblemUnoTable, cards: int) -> int:
    """How many cards of a mask lie on the discard pile."""
    found = 0
    for index in range(table.stock, table.tail - table.head):
        found += cards >> card_in_piles(table, index) & 1
    return found


@query
def last_card_has_no_effect(table: ProblemUnoTable) -> bool:
    """The game was won with the open card, and it makes nobody draw: so its effect was not carried out."""
    return table.ending == WON and penalty_of(table.open_card) == 0


@query
def direction_is_valid(table: UnoTable) -> bool:
    """The direction of play is one of two."""
    return table.reversed in (NO, YES)


@query
def hands_are_dealt(table: ProblemUnoTable) -> bool:
    """All hold equally many cards, the first player is in turn, clockwise, and nobody has dropped or called."""
    for seat in range(table.players):
        if cards_held(table, seat) != cards_held(table, 0) or table.wilds[seat] > 0 or table.uno_calls[seat] > 0:
            return False
    return table.player == 0 and table.reversed == NO


@query
def reverses_were_dropped(table: ProblemUnoTable) -> bool:
    """The direction of play has turned with each reverse on the discard pile."""
    open_one = REVERSES >> table.open_card & 1 if last_card_has_no_effect(table) else 0
    return table.reversed == (dropped(table, REVERSES) - open_one) % 2


@query
def wilds_were_dropped(table: ProblemUnoTable) -> bool:
    """The wilds that players have dropped to name a colour lie on the discard pile."""
    wilds = WILDS | WILD_DRAW_FOURS
    counted = wilds >> table.open_card & 1 if last_card_has_no_effect(table) else 0
    for seat in range(table.players):
        counted += table.wilds[seat]
    return counted == dropped(table, wilds)


@query
def calls_were_made(table: ProblemUnoTable) -> bool:
    """Each call came with a dropped card, and the last card of a player without a call."""
    made = 0
    for seat in range(table.players):
        made += table.uno_calls[seat] + (1 if table.hands[seat] == 0 else 0)
    return made <= cards_under_open_card(table)


@query
def no_wild_is_open(table: ProblemUnoTable) -> bool:
    """The open card is not a wild, and no colour is named."""
    return table.open_card < FIRST_WILD and table.colour == NO_COLOUR


@query
def colour_is_named(table: ProblemUnoTable) -> bool:
    """The open card is a wild, and a colour was named with it."""
    return table.open_card >= FIRST_WILD and 0 <= table.colour < 4


@query
def skip_is_open(table: ProblemUnoTable) -> bool:
    """The open card is a skip."""
    return SKIPS >> table.open_card & 1 == 1


@query
def penalty_is_due(table: ProblemUnoTable) -> bool:
    """A draw two is open and two cards are due, or a wild draw four and four."""
    return table.due == penalty_of(table.open_card) > 0


@query
def preceding_seat(table: UnoTable, seat: int) -> int:
    """The seat before `seat` in the direction of play."""
    return seat_after(seat, table.players) if table.reversed == YES else seat_before(seat, table.players)


@query
def hand_is_out(table: UnoTable, seat: int) -> bool:
    """Whether `seat` alone holds no card."""
    for other in range(table.players):
        if (table.hands[other] == 0) != (other == seat):
            return False
    return True


@query
def wild_names_a_colour(table: ProblemUnoTable) -> bool:
    """A colour is named exactly while a wild is open, unless it was the last card of its player."""
    if table.open_card < FIRST_WILD:
        return table.colour == NO_COLOUR
    return (table.colour == NO_COLOUR) == (not all_hold_cards(table))


@query
def no_card_fits(table: ProblemUnoTable) -> bool:
    """The player in turn holds neither a wild nor a card of the colour or rank that counts."""
    wilds = WILDS | WILD_DRAW_FOURS
    fitting = MATCHING_CARDS[table.open_card] if table.open_card < FIRST_WILD else COLOUR_CARDS[table.colour]
    return table.hands[table.player] & (fitting | wilds) == 0


@query
def fewest_drawn(table: ProblemUnoTable) -> int:
    """How many cards the player in turn has drawn already, at least."""
    if table.due > FOR_WANT:
        return penalty_of(table.open_card) - table.due
    return FOR_WANT - table.due


@query
def drawing_is_on(table: ProblemUnoTable) -> bool:
    """One card is due, to a player whose cards do not fit, or what the open card demands; what was drawn is in the
    hand, and who has no card left is the one who made the next player draw.
    """
    penalty = penalty_of(table.open_card)
    out = penalty > 0 and hand_is_out(table, preceding_seat(table, table.player))
    if not out and not all_hold_cards(table):
        return False
    if not 0 <= table.due <= max(penalty, FOR_WANT) or cards_held(table, table.player) <= fewest_drawn(table):
        return False
    return penalty > 0 or table.due == 0 or no_card_fits(table)


@query
def won_rightly(table: ProblemUnoTable) -> bool:
    """The winner alone holds no card, and has dropped the open one; of a penalty all is drawn that can be."""
    if not hand_is_out(table, table.winner) or cards_under_open_card(table) == 0:
        return False
    if penalty_of(table.open_card) == 0:
        return table.winner == table.player and table.due == 0
    drawn = table.due == 0 or table.stock == 0
    return drawn and table.winner == preceding_seat(table, table.player) and drawing_is_on(table)


@query
def ended_rightly(table: ProblemUnoTable) -> bool:
    """The winner has dropped the last card; or a card is due that is not there."""
    if table.ending == WON:
        return won_rightly(table)
    short = table.ending == OUT_OF_CARDS and table.due > 0 and table.stock == 0
    return short and all_hold_cards(table) and drawing_is_on(table)


# ---------------------------------------------------------------- what events do


@query
def same_hand(before: UnoTable, after: UnoTable, seat: int) -> bool:
    """The hand of `seat` stays as it was."""
    return after.hands[seat] == before.hands[seat] and after.twins[seat] == before.twins[seat]


@query
def other_hands_stay(before: UnoTable, after: UnoTable) -> bool:
    """The hands of all but the player who was in turn stay as they were."""
    for seat in range(before.players):
        if seat != before.player and not same_hand(before, after, seat):
            return False
    return True


@query
def nothing_moves(before: UnoTable, after: UnoTable) -> bool:
    """All cards stay where they were."""
    same = same_hand(before, after, before.player) and other_hands_stay(before, after)
    return same and piles_stay(before, after)


@query
def card_is_laid(before: UnoTable, after: UnoTable) -> bool:
    """The card goes from the hand of the player in turn onto the open card, and no other card moves."""
    seat, card = before.player, 1 << before.card
    hands = before.hands[seat] ^ after.hands[seat]
    twins = before.twins[seat] ^ after.twins[seat]
    gone = hands == 0 and twins == card if before.twins[seat] & card != 0 else hands == card and twins == 0
    gone = gone and before.hands[seat] & card != 0
    return gone and other_hands_stay(before, after) and card_lies_open(before, after)


@query
def card_is_taken(before: UnoTable, after: UnoTable) -> bool:
    """The top card of the draw pile goes into the hand of the player in turn; one card less is due."""
    seat, card = before.player, 1 << card_in_piles(before, 0)
    twin = before.hands[seat] & card
    hand = after.hands[seat] == before.hands[seat] | card and after.twins[seat] == before.twins[seat] | twin
    return hand and after.due == before.due - 1 and other_hands_stay(before, after) and top_card_leaves(before, after)


@query
def following_seat(table: UnoTable, seat: int) -> int:
    """The seat after `seat` in the direction of play."""
    return seat_before(seat, table.players) if table.reversed == YES else seat_after(seat, table.players)


@query
def next_in_turn(before: ProblemUnoTable, after: ProblemUnoTable) -> bool:
    """The turn is over, the following seat in the direction of play is in turn."""
    return after.player == following_seat(after, before.player) and after.turns == before.turns + 1


@query
def turn_moves_on(before: ProblemUnoTable, after: ProblemUnoTable) -> bool:
    """The following seat in the direction of play is in turn, and no turn was taken."""
    return after.player == following_seat(after, before.player) and after.turns == before.turns


@query
def reverse_turns_direction(before: ProblemUnoTable, after: ProblemUnoTable) -> bool:
    """The direction turns with a reverse that lies newly open, and only then."""
    return after.reversed == before.reversed ^ (REVERSES >> after.open_card & 1)


@query
def direction_stays(before: UnoTable, after: UnoTable) -> bool:
    """The direction of play stays."""
    return after.reversed == before.reversed


@query
def penalty_becomes_due(before: ProblemUnoTable, after: ProblemUnoTable) -> bool:
    """A draw two that lies newly open makes two cards due, a wild draw four four, any other card none."""
    return after.due == penalty_of(after.open_card)


@query
def drawing_goes_on(before: ProblemUnoTable, after: ProblemUnoTable) -> bool:
    """The player in turn, who stays in turn, is about to draw or has drawn a card."""
    return after.player == before.player and (after.due > 0 or after.due < before.due)


@query
def nothing_fits(before: ProblemUnoTable, after: ProblemUnoTable) -> bool:
    """A penalty is drawn, or the player in turn holds no card that fits."""
    return before.due > 0 or no_card_fits(before)


@query
def what_is_drawn(before: ProblemUnoTable, after: ProblemUnoTable) -> bool:
    """All that a penalty demands is drawn, else one card is."""
    return after.due == (before.due if before.due > 0 else FOR_WANT)


@query
def wild_names_colour(before: ProblemUnoTable, after: ProblemUnoTable) -> bool:
    """With a wild, which counts for its player, its named colour is set; with another card none is."""
    wild = 1 if before.card >= FIRST_WILD else 0
    for seat in range(before.players):
        if after.wilds[seat] - before.wilds[seat] != (wild if seat == before.player else 0):
            return False
    return after.colour == (before.suit if wild == 1 else NO_COLOUR)


@query
def colour_stays(before: ProblemUnoTable, after: ProblemUnoTable) -> bool:
    """The same colour is named, or none, and nobody has named another."""
    for seat in range(before.players):
        if after.wilds[seat] != before.wilds[seat]:
            return False
    return after.colour == before.colour


@query
def one_card_left_is_called(before: ProblemUnoTable, after: ProblemUnoTable) -> bool:
    """Who drops down to one card calls once; nobody else does."""
    for seat in range(before.players):
        called = 1 if seat == before.player and cards_held(after, seat) == 1 else 0
        if after.uno_calls[seat] - before.uno_calls[seat] != called:
            return False
    return True


@query
def nobody_calls(before: UnoTable, after: UnoTable) -> bool:
    """Nobody calls."""
    for seat in range(before.players):
        if after.uno_calls[seat] != before.uno_calls[seat]:
            return False
    return True


@query
def number_or_reverse(before: ProblemUnoTable, after: ProblemUnoTable) -> bool:
    """The card that lies newly open is a number or a reverse."""
    return (NUMBERS | REVERSES) >> after.open_card & 1 == 1


@query
def plain_wild(before: ProblemUnoTable, after: ProblemUnoTable) -> bool:
    """The card that lies newly open makes nobody draw."""
    return penalty_of(after.open_card) == 0


@query
def who_dropped_last_card_wins(before: ProblemUnoTable, after: ProblemUnoTable) -> bool:
    """The player who dropped the last card has won, and its effect is not carried out, for it takes no card."""
    won = after.ending == WON and after.winner == before.player and after.player == before.player
    return won and after.turns == before.turns + 1 and penalty_of(after.open_card) == 0 and after.due == before.due


@query
def who_is_out_wins(before: ProblemUnoTable, after: ProblemUnoTable) -> bool:
    """If the previous player has no card left, that player has won, in this turn; else nobody has."""
    out = preceding_seat(before, before.player)
    if before.hands[out] == 0:
        return after.ending == WON and after.winner == out and after.turns == before.turns + 1
    return after.ending == OUT_OF_CARDS and after.winner == NO_WINNER and after.turns == before.turns


# ---------------------------------------------------------------- points


@query
def value_of(card: int) -> int:
    """The points of a card: the number on it, 20 for a skip, a reverse or a draw two, 50 for a wild."""
    return 50 if card >= FIRST_WILD else 20 if card >= FIRST_ACTION else card // len(COLOURS)


@query
def points_held(table: UnoTable, seat: int) -> int:
    """The points of the cards in a hand, each as often as it is held."""
    held = 0
    for card in range(CODES):
        held += (table.hands[seat] >> card & 1) * value_of(card) + (table.twins[seat] >> card & 1) * value_of(card)
    return held


@query
def is_left_with(table: UnoTable, seat: int, points: int) -> bool:
    """The points are those of the cards in hand."""
    return points == points_held(table, seat)


@query
def winner_scores_other_hands(table: UnoTable, seat: int, points: int) -> bool:
    """The winner scores the points of all hands, because the winner's hand is empty; nobody else scores."""
    total = 0
    for each in range(table.players):
        total += points_held(table, each)
    return points == (total if seat == table.winner else 0)
