"""The game of official UNO: the current colour, its table and the deal, which card fits, turns, and drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rules.asking import take_turn, turn_resumes
from rules.cards import NO_CARD
from rules.drawing import draw_one
from rules.ending import WON
from rules.piles import TRAIL_START, cards_under_open_card, trace
from rules.rule import Reason, among, choice, effect, guard, query, rule
from rules.seats import seat_after
from rules.table import dealt_in_rows, receive_twin
from rules.uno.cards import (
    ALL_CARDS,
    COLOUR_CARDS,
    FIFTIES,
    FIRST_ACTION,
    FIRST_WILD,
    MATCHING_CARDS,
    NO_COLOUR,
    WILD_DRAW_FOURS,
    WILDS,
    one_of,
    others_than,
)
from rules.uno.game import ALL_COLOURS, CARDS_EACH, UnoTable, end_turn, move_on
from rules.uno.game import lay_card as drop_card
from rules.visibility import follows_from, seen_by_all

# ---------------------------------------------------------------- the current colour


COLOURS_OF_CARDS = (
    *(card & 3 if card < FIRST_ACTION else (card - FIRST_ACTION) // 3 for card in range(FIRST_WILD)),
    *(NO_COLOUR for _ in range(8)),
)
"""The colour of each card code; none for wilds."""
FIRST_NAMED = 1
"""Red: of colours that are equally frequent, the first in the order red, green, blue, yellow is named."""


class Colouring(Protocol):
    """The fields of a table that naming a colour needs."""

    player: int
    hands: list[int]
    twins: list[int]
    suit: int
    colour: int
    laid_by: int


@query
def colour_of(card: int) -> int:
    """The colour of a card; none for a wild."""
    return COLOURS_OF_CARDS[card]


@query
def colours(table: Colouring) -> int:
    """The colours that may be named, as a mask: all four."""
    return ALL_COLOURS


@guard("a card was laid")
def no_card_laid(table: Colouring) -> bool:
    """No card was laid yet: the wild was turned up by the deal."""
    return table.laid_by < 0


@effect
def set_colour(table: Colouring) -> None:
    """The named colour is the current one."""
    table.colour = table.suit


@choice
def most_frequent_colour(table: Colouring) -> int:
    """The colour of most cards in the hand, wilds not counted; of equals the first of red, green, blue, yellow."""
    hand, twins = table.hands[table.player], table.twins[table.player]
    best, most = FIRST_NAMED, -1
    for index in range(4):
        colour = FIRST_NAMED + index & 3
        count = (hand & COLOUR_CARDS[colour]).bit_count() + (twins & COLOUR_CARDS[colour]).bit_count()
        if count > most:
            best, most = colour, count
    return best


# ---------------------------------------------------------------- the table

# A wild draw four is never the opening card.


NOBODY = -1


class HandTable(Protocol):
    """The field of a table that holds the hands."""

    hands: list[int]


class LaidDrawFour(HandTable, Protocol):
    """The fields of a table that show whether a wild draw four was honest."""

    colour_before: int
    laid_by: int


@rule
def holds_colour(table: HandTable, seat: int, colour: int) -> bool:
    """Whether a seat holds a card of a colour, if it is one."""
    return colour != NO_COLOUR and table.hands[seat] & COLOUR_CARDS[colour] != 0


@query
def holds_colour_before(table: LaidDrawFour) -> int:
    """1 if who laid the wild draw four holds a card of the colour before; cards drawn for silence count as well."""
    return 1 if table.laid_by >= 0 and holds_colour(table, table.laid_by, table.colour_before) else 0


@dataclass(slots=True)
class UnoOfficialTable(UnoTable):
    """The table of official UNO: `player` is who acts, `turn` whose turn it is, `colour` the current colour.

    Nobody sees whether a player is guilty: only who laid the wild draw four knows it.
    """

    turn: int = seen_by_all(0)
    dealer: int = seen_by_all(0)  # the seat after it plays first
    colour_before: int = seen_by_all(NO_COLOUR)  # the current colour before the wild draw four
    guilty: int = follows_from(holds_colour_before)  # 1 if that card was laid although such a card was held
    laid_by: int = seen_by_all(NOBODY)  # who laid the card whose effect is not over
    why: int = seen_by_all(0)  # cards are drawn: see `rules.uno_official.game`


@effect
def deal(table: UnoOfficialTable, deck: Sequence[int], players: int) -> None:
    """Set an empty table for `players`, of whom `table.dealer` is the dealer: seven cards in a row for each, then the
    open card; the rest is the draw pile.

    deck: the 108 card codes, the top card first.
    """
    deal_each(table, deck, players, CARDS_EACH)


@effect
def deal_each(table: UnoOfficialTable, deck: Sequence[int], players: int, each: int) -> None:
    """Deal `each` cards of any deck to every player, in a row for each, and expose a card."""
    table.players = players
    for index in range(players * each):
        receive_twin(table, dealt_in_rows(index, players, each), int(deck[index]))
    expose(table, deck, players * each)
    table.player = table.turn = seat_after(table.dealer, players)


@effect
def expose(table: UnoOfficialTable, deck: Sequence[int], dealt: int) -> None:
    """Expose the card of `deck` that follows the `dealt` first ones; those after it are the draw pile.

    A wild draw four goes under the draw pile instead, and the next card is exposed.
    """
    opening = dealt
    while opening < len(deck) - 1 and WILD_DRAW_FOURS >> deck[opening] & 1 == 1:
        opening += 1
    table.open_card = table.card = deck[opening]
    table.colour = colour_of(table.open_card)
    after = len(deck) - opening - 1
    for index in range(after):
        table.ring[index] = deck[opening + 1 + index]
    for index in range(opening - dealt):
        table.ring[after + index] = deck[dealt + index]
    table.stock = table.bottom = len(deck) - dealt - 1
    table.tail = table.bottom + 1
    table.ring[table.bottom] = table.open_card
    table.trail = TRAIL_START
    trace(table, table.open_card)


# ---------------------------------------------------------------- matching

# A coloured card fits by the current colour or the symbol of the open card; wilds may always be laid.


@query
def coloured(table: UnoOfficialTable) -> int:
    """The coloured cards of the player who acts that fit."""
    if table.open_card < FIRST_WILD:
        return table.hands[table.player] & MATCHING_CARDS[table.open_card]
    if table.colour == NO_COLOUR:
        return 0
    return table.hands[table.player] & COLOUR_CARDS[table.colour]


@query
def playable(table: UnoOfficialTable) -> int:
    """All cards that the player who acts may lay: one of equal wilds stands for all."""
    hand = table.hands[table.player]
    return coloured(table) | one_of(hand & WILDS) | one_of(hand & WILD_DRAW_FOURS)


@query
def others_than_fitting(table: UnoOfficialTable) -> int:
    """The cards that have neither the current colour nor the symbol of the open card, wilds left out."""
    same_symbol = MATCHING_CARDS[table.open_card] if table.open_card < FIRST_WILD else 0
    same_colour = COLOUR_CARDS[table.colour] if table.colour != NO_COLOUR else 0
    return ALL_CARDS & ~(same_symbol | same_colour | FIFTIES)


may_be_laid = among(
    playable, "may_be_laid",
    Reason("{card} must be of the current colour {colour}, have the symbol of {open_card}, or be a wild",
           others_than_fitting),
    "The card fits, or is a wild draw four.")  # fmt: skip


@guard("{card} does not leave one card")
def leaves_one_card(table: UnoOfficialTable) -> bool:
    """The card leaves exactly one in the hand."""
    hand = table.hands[table.player]
    return hand.bit_count() + table.twins[table.player].bit_count() == 2


# ---------------------------------------------------------------- turns

# A card is laid, the turn moves on in the direction of play, and the last card wins.


@effect
def forget(table: UnoOfficialTable) -> None:
    """The effect of the last card and all drawing are over."""
    drawing_is_over(table)
    table.laid_by = NOBODY
    table.guilty = 0
    table.colour_before = NO_COLOUR


@effect
def victim_in_turn(table: UnoOfficialTable) -> None:
    """The following seat, which the open card is laid against, is in turn."""
    move_on(table)
    take_turn(table)


@effect
def next_player(table: UnoOfficialTable) -> None:
    """The following seat is in turn, and a new turn begins."""
    forget(table)
    victim_in_turn(table)


@effect
def same_player(table: UnoOfficialTable) -> None:
    """The player in turn acts again, and a new turn begins."""
    forget(table)
    turn_resumes(table)


@effect
def dealer_in_turn(table: UnoOfficialTable) -> None:
    """The dealer is in turn."""
    table.player = table.dealer
    take_turn(table)


@guard("more than two play")
def two_play(table: UnoOfficialTable) -> bool:
    """Only two play."""
    return table.players == 2


@query
def is_dishonest(table: UnoOfficialTable) -> bool:
    """The player who acts holds a card of the current colour, so that a wild draw four would be a bluff."""
    return holds_colour(table, table.player, table.colour)


@effect
def settle_guilt(table: UnoOfficialTable) -> None:
    """Who lays a wild draw four is guilty if a card of the current colour is held; that colour is remembered."""
    if WILD_DRAW_FOURS >> table.card & 1 == 1:
        table.guilty = 1 if is_dishonest(table) else 0
        table.colour_before = table.colour


@effect
def lay_card(table: UnoOfficialTable) -> None:
    """The card goes from the hand onto the discard pile; its colour is the current one."""
    drop_card(table)
    end_turn(table)
    table.colour = colour_of(table.card)
    table.laid_by = table.player
    drawing_is_over(table)


@guard("the player of the open card has cards left")
def out(table: UnoOfficialTable) -> bool:
    """Who laid the open card has laid the last one."""
    return table.laid_by != NOBODY and table.hands[table.laid_by] == 0


@effect
def win(table: UnoOfficialTable) -> None:
    """Who laid the last card has won."""
    table.ending = WON
    table.winner = table.laid_by


# ---------------------------------------------------------------- drawing

# Cards are taken one by one, of one's own will, when caught, as a victim, or for guilt.


OWN_DRAW, CAUGHT, VICTIM, GUILT = 1, 2, 3, 4
"""Why cards are drawn; 0 where none are."""


@effect
def draw_own(table: UnoOfficialTable) -> None:
    """One card is due, as the player in turn likes."""
    draw_one(table)
    table.why = OWN_DRAW


@guard("no card is drawn of one's own will")
def own_draw(table: UnoOfficialTable) -> bool:
    """The player in turn draws a card as he likes."""
    return table.why == OWN_DRAW


@guard("nobody was caught")
def caught(table: UnoOfficialTable) -> bool:
    """The player in turn draws because he was caught."""
    return table.why == CAUGHT


@guard("nobody is a victim of the open card")
def victim(table: UnoOfficialTable) -> bool:
    """The player in turn draws for the open card."""
    return table.why == VICTIM


@guard("nobody is guilty")
def guilt(table: UnoOfficialTable) -> bool:
    """Who laid the wild draw four draws, being guilty."""
    return table.why == GUILT


@guard("no card lies under the open card")
def cards_to_turn(table: UnoOfficialTable) -> bool:
    """A card lies under the open card."""
    return cards_under_open_card(table) > 0


@effect
def nothing_due(table: UnoOfficialTable) -> None:
    """No card is due any more."""
    table.due = 0


@effect
def drawing_is_over(table: UnoOfficialTable) -> None:
    """Nobody draws any more."""
    table.drawn = NO_CARD
    table.why = 0


@query
def drawn_card(table: UnoOfficialTable) -> int:
    """The card just drawn as a mask: of equal wilds the one that stands for all; none if no card was drawn."""
    if table.drawn == NO_CARD:
        return 0
    hand, drawn = table.hands[table.player], 1 << table.drawn
    if drawn & WILDS != 0:
        return one_of(hand & WILDS)
    if drawn & WILD_DRAW_FOURS != 0:
        return one_of(hand & WILD_DRAW_FOURS)
    return drawn


@guard("no card was drawn that may be laid")
def drawn_may_be_laid(table: UnoOfficialTable) -> bool:
    """A card was drawn that fits, or is a wild draw four."""
    return drawn_card(table) & playable(table) != 0


@query
def others_than_drawn(table: UnoOfficialTable) -> int:
    """The cards that differ from the one just drawn."""
    return ALL_CARDS if table.drawn == NO_CARD else others_than(table.drawn)


is_drawn_card = among(
    drawn_card, "is_drawn_card", Reason("after drawing only the drawn card may be laid", others_than_drawn),
    "The card is the one just drawn, or equal to it.")  # fmt: skip
