"""The game of Mau-Mau: its table and the deal, which card fits, turns, the cards with an action, and drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.cards import (
    DECK_SIZE,
    EIGHT,
    JACK,
    JACKS,
    NO_CARD,
    NO_SUIT,
    OTHERS_THAN_JACKS,
    RANK_CARDS,
    SEVEN,
    SEVENS,
    SUIT_CARDS,
    WHOLE_DECK,
    points,
    rank_of,
    suit_of,
)
from rules.ending import OUT_OF_CARDS, WON
from rules.piles import cards_under_open_card, deal_piles, lay_open, take_top, trace, turn_over
from rules.rule import Reason, among, effect, guard, query
from rules.seats import seat_after
from rules.table import CardTable, receive, ring_of
from rules.visibility import discards_seen, seen_by_all

FEWEST_PLAYERS, MAX_PLAYERS = 2, 4


@dataclass(slots=True)
class MauMauTable(CardTable):
    """The table of Mau-Mau: `due` are the cards that the seven's victim must draw, or that are drawn in this turn."""

    ring: bytearray = discards_seen(ring_of(DECK_SIZE))

    punished: int = seen_by_all(0)  # 1 while the cards drawn in this turn are a penalty
    bound_suit: int = seen_by_all(NO_SUIT)  # the suit that the open jack binds


@query
def cards_each(players: int) -> int:
    """Cards that each player is dealt: 7, 6 or 5 for 2, 3 or 4 players."""
    return 9 - players


@effect
def fill(deck: bytearray) -> None:
    """Put the whole deck, unshuffled, into `deck`."""
    for card in range(DECK_SIZE):
        deck[card] = card


@effect
def deal(table: MauMauTable, deck: Sequence[int], players: int) -> None:
    """Set an empty table for `players`: cards one at a time in turn, then the open card; the rest is the draw pile.

    deck: the 32 card codes, the top card first.
    """
    table.players = players
    index = 0
    for _ in range(cards_each(players)):
        for seat in range(players):
            receive(table, seat, deck[index])
            index += 1
    deal_piles(table, deck, index)


# ---------------------------------------------------------------- matching

# A card fits the open card by suit or by rank, and a jack fits every card but a jack.


@query
def matching_cards(card: int) -> int:
    """The cards of the suit or the rank of `card`, jacks left out."""
    return (SUIT_CARDS << suit_of(card) | RANK_CARDS << (card & ~3)) & OTHERS_THAN_JACKS


@query
def fitting(table: MauMauTable) -> int:
    """The cards in the hand of the player in turn that fit the open card, which is not a jack."""
    return table.hands[table.player] & (matching_cards(table.open_card) | JACKS)


@query
def others_than_matching(table: MauMauTable) -> int:
    """The cards that match neither the suit nor the rank of the open card, jacks left out."""
    return OTHERS_THAN_JACKS & ~matching_cards(table.open_card)


fits = among(
    fitting, "fits", Reason("{card} fits neither the suit nor the rank of {open_card}", others_than_matching),
    "The card that is played fits the open card, which is not a jack.")  # fmt: skip


# ---------------------------------------------------------------- turns

# A card is laid, the next player is in turn, the last card wins; the ends without a winner, and the score.


@effect
def lay_card(table: MauMauTable) -> None:
    """The card that is played goes from the hand onto the discard pile; a jack under it does not bind any more."""
    table.hands[table.player] ^= 1 << table.card
    table.bound_suit = NO_SUIT
    lay_open(table, table.card)
    trace(table, table.card)


@effect
def end_turn(table: MauMauTable) -> None:
    """The turn is over: what was drawn in it is a card like any other."""
    table.drawn = NO_CARD
    table.punished = 0
    table.turns += 1


@query
def next_seat(table: MauMauTable) -> int:
    """The seat whose turn comes after that of the player in turn."""
    return seat_after(table.player, table.players)


@effect
def next_player(table: MauMauTable) -> None:
    """The turn moves on to the following seat."""
    end_turn(table)
    table.player = next_seat(table)


@guard("{card} is not the last card")
def last_card(table: MauMauTable) -> bool:
    """The card that is played is the only one in the hand."""
    return table.hands[table.player] == 1 << table.card


@effect
def win(table: MauMauTable) -> None:
    """The player in turn has laid the last card and wins; its action is not carried out."""
    end_turn(table)
    table.ending = WON
    table.winner = table.player


@guard("the piles can give a card")
def piles_exhausted(table: MauMauTable) -> bool:
    """Neither pile can give a card: none to draw, none under the open card."""
    return table.tail - table.head == 1


@effect
def run_out_of_cards(table: MauMauTable) -> None:
    """A card must be drawn and there is none: nobody wins."""
    table.ending = OUT_OF_CARDS


@query
def score(table: MauMauTable, seat: int) -> int:
    """The points that `seat` is left with: the values in hand, doubled if the game was won with a jack."""
    doubled = 2 if table.ending == WON and rank_of(table.open_card) == JACK else 1
    return doubled * points(table.hands[seat])


# ---------------------------------------------------------------- actions

# The seven is answered or drawn for, the eight skips, and the jack binds a suit.


FOR_EACH_SEVEN = 2
"""Cards that are due for each seven in a row."""


@guard("{card} is not a seven")
def seven(table: MauMauTable) -> bool:
    """The card that is played is a seven."""
    return rank_of(table.card) == SEVEN


@query
def sevens_in_hand(table: MauMauTable) -> int:
    """The sevens of the player in turn: all that may be played while a seven is active."""
    return table.hands[table.player] & SEVENS


answers_seven = among(
    sevens_in_hand, "answers_seven", Reason("only another seven answers an active seven", WHOLE_DECK ^ SEVENS),
    "The card that is played is a seven of the player in turn.")  # fmt: skip


@guard("neither pile can give a card")
def may_give_in(table: MauMauTable) -> bool:
    """A player may draw the penalty while the piles can give a card; who has no seven must."""
    return not piles_exhausted(table) or sevens_in_hand(table) == 0


@effect
def add_two(table: MauMauTable) -> None:
    """Two more cards are due."""
    table.due += 2


@effect
def punish(table: MauMauTable) -> None:
    """What is drawn now is a penalty: no card may be played after it."""
    table.punished = 1


@guard("not exactly one seven is active")
def one_seven(table: MauMauTable) -> bool:
    """One seven is active."""
    return table.due == FOR_EACH_SEVEN


@guard("not exactly two sevens are active")
def two_sevens(table: MauMauTable) -> bool:
    """Two sevens in a row are active."""
    return table.due == 2 * FOR_EACH_SEVEN


@guard("not exactly three sevens are active")
def three_sevens(table: MauMauTable) -> bool:
    """Three sevens in a row are active."""
    return table.due == 3 * FOR_EACH_SEVEN


@guard("not all four sevens are active")
def four_sevens(table: MauMauTable) -> bool:
    """All four sevens in a row are active."""
    return table.due == 4 * FOR_EACH_SEVEN


@guard("{card} is not an eight")
def eight(table: MauMauTable) -> bool:
    """The card that is played is an eight."""
    return rank_of(table.card) == EIGHT


@effect
def skip_player(table: MauMauTable) -> None:
    """The player in turn loses the turn."""
    table.player = next_seat(table)


ALL_SUITS = 0b1111


@guard("{card} is not a jack")
def jack(table: MauMauTable) -> bool:
    """The card that is played is a jack."""
    return rank_of(table.card) == JACK


@guard("the open card is not a jack")
def jack_is_open(table: MauMauTable) -> bool:
    """The open card is a jack."""
    return rank_of(table.open_card) == JACK


@query
def suits_to_name(table: MauMauTable) -> int:
    """The suits, as a mask, of which one is named with the card that is played; none except for a jack, not the
    last."""
    return ALL_SUITS if jack(table) and not last_card(table) else 0


@effect
def bind_suit(table: MauMauTable) -> None:
    """The named suit binds as long as the jack lies open."""
    table.bound_suit = table.suit


@query
def bound_cards(table: MauMauTable) -> int:
    """The cards in the hand of the player in turn that the open jack allows: the bound suit, no jack.

    A jack as the opening card binds no suit: it allows every card but a jack.
    """
    hand = table.hands[table.player] & OTHERS_THAN_JACKS
    if table.bound_suit == NO_SUIT:
        return hand
    return hand & SUIT_CARDS << table.bound_suit


@query
def cards_of_other_suits(table: MauMauTable) -> int:
    """The cards that are not of the bound suit; none if no suit is bound."""
    return 0 if table.bound_suit == NO_SUIT else WHOLE_DECK & ~(SUIT_CARDS << table.bound_suit)


fits_bound_suit = among(
    bound_cards, "fits_bound_suit",
    (Reason("no jack may be laid on a jack", JACKS),
     Reason("{card} is not of suit {bound_suit}, which the open {open_card} binds", cards_of_other_suits)),
    "The open jack allows the card that is played.")  # fmt: skip


# ---------------------------------------------------------------- drawing

# Cards are drawn one by one, and the discard pile is turned when none is left.


@guard("neither pile can give a card")
def may_draw(table: MauMauTable) -> bool:
    """A player may draw while the piles can give a card; who cannot play must draw."""
    return not piles_exhausted(table) or playable(table) == 0


@query
def playable(table: MauMauTable) -> int:
    """The cards that the player in turn may play while no seven is active."""
    if jack_is_open(table):
        return bound_cards(table)
    return fitting(table)


@effect
def take_card(table: MauMauTable) -> None:
    """The top card of the draw pile goes into the hand of the player in turn."""
    card = take_top(table)
    receive(table, table.player, card)
    table.drawn = card
    table.due -= 1


@query
def drawn_to_keep(table: MauMauTable) -> bool:
    """The drawn card may not be played in this turn: it was drawn as a penalty."""
    return table.punished == 1


@query
def drawn_cards(table: MauMauTable) -> int:
    """The drawn card, as a mask, if it may be played: it fits, and was not drawn as a penalty."""
    if table.drawn == NO_CARD or drawn_to_keep(table):
        return 0
    return playable(table) & 1 << table.drawn


@query
def all_after_penalty(table: MauMauTable) -> int:
    """All cards, if a penalty was drawn."""
    return WHOLE_DECK if table.punished == 1 else 0


@query
def others_than_drawn(table: MauMauTable) -> int:
    """The cards that were not just drawn."""
    return WHOLE_DECK if table.drawn == NO_CARD else WHOLE_DECK ^ 1 << table.drawn


@query
def just_drawn(table: MauMauTable) -> int:
    """The card that was just drawn, as a mask."""
    return WHOLE_DECK ^ others_than_drawn(table)


fits_as_drawn = among(
    drawn_cards, "fits_as_drawn",
    (Reason("no card is played after a penalty", all_after_penalty),
     Reason("after drawing only the drawn card may be played", others_than_drawn),
     Reason("{card} was drawn and does not fit", just_drawn)),
    "The card that is played is the one just drawn, it fits, and is not a penalty.")  # fmt: skip


@guard("the draw pile does not run out")
def pile_runs_out(table: MauMauTable) -> bool:
    """The last card of the draw pile is being taken, and cards lie under the open card."""
    return table.stock == 1 and cards_under_open_card(table) > 0


@guard("the draw pile is not empty, or nothing lies under the open card")
def pile_must_be_turned(table: MauMauTable) -> bool:
    """The draw pile is empty, because nothing lay under the open card when it ran out, and now something does."""
    return table.stock == 0 and cards_under_open_card(table) > 0


@effect
def turn_the_pile(table: MauMauTable) -> None:
    """Everything under the open card becomes the draw pile, with its bottom card on top."""
    turn_over(table)
