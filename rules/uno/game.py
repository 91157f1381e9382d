"""The game of UNO: its table and the deal, which card fits, turns, the cards with an effect, and drawing."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass

from rules.chance import below
from rules.ending import OUT_OF_CARDS, WON
from rules.piles import deal_piles, lay_open, take_top, trace
from rules.rule import Reason, among, effect, guard, query, rule
from rules.seats import seat_after, seat_before
from rules.table import TwinTable, dealt_in_rows, each_seat, receive_twin, ring_of
from rules.uno.cards import (
    ALL_CARDS,
    CODES,
    COLOUR_CARDS,
    DECK_SIZE,
    DRAW_TWOS,
    FIRST_WILD,
    MATCHING_CARDS,
    NO_COLOUR,
    NUMBERS,
    ONLY_ONCE,
    REVERSES,
    SKIPS,
    WILD_DRAW_FOURS,
    WILDS,
    kind_of,
    one_of,
    points,
)
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


# ---------------------------------------------------------------- matching

# A card fits by colour or by rank; a wild always fits, a wild draw four if nothing else does.


@guard("{card} is not a number")
def number(table: UnoTable) -> bool:
    """The card that is dropped is a number, without an effect."""
    return (NUMBERS >> table.card & 1) == 1


@query
def with_wilds(hand: int, matching: int) -> int:
    """The cards of `hand` that fit where those of the mask `matching` do: one of equal wilds stands for all."""
    cards = hand & matching | one_of(hand & WILDS)
    return one_of(hand & WILD_DRAW_FOURS) if cards == 0 else cards


@query
def fitting(table: ProblemUnoTable) -> int:
    """The cards of the player in turn that fit the open card, which is not a wild."""
    return with_wilds(table.hands[table.player], MATCHING_CARDS[table.open_card])


@query
def fitting_colour(table: ProblemUnoTable) -> int:
    """The cards of the player in turn that fit the named colour."""
    return with_wilds(table.hands[table.player], COLOUR_CARDS[table.colour])


@rule
def unfit(hand: int, matching: int) -> int:
    """The cards that do not fit where those of the mask `matching` do: no wild, wild draw fours if others do."""
    fours = WILD_DRAW_FOURS if hand & (matching | WILDS) == 0 else 0
    return ALL_CARDS & ~(matching | WILDS | fours)


@query
def others_than_matching(table: ProblemUnoTable) -> int:
    """The cards that do not fit the open card, which is not a wild."""
    return unfit(table.hands[table.player], MATCHING_CARDS[table.open_card])


@query
def others_than_coloured(table: ProblemUnoTable) -> int:
    """The cards that do not fit the named colour."""
    return unfit(table.hands[table.player], COLOUR_CARDS[table.colour])


fits = among(
    fitting, "fits",
    Reason("{card} must match the colour or the rank of {open_card}, or be WC; WF needs that nothing else fits",
           others_than_matching),
    "The card that is dropped fits the open card, which is not a wild.")  # fmt: skip
fits_colour = among(
    fitting_colour, "fits_colour",
    Reason("{card} must be of the named colour {colour}, or WC; WF needs that nothing else fits",
           others_than_coloured),
    "The card that is dropped fits the named colour.")  # fmt: skip


# ---------------------------------------------------------------- turns

# Cards are laid, "Uno" is called, the turn moves on, and the last card wins.


@effect
def lay_card(table: UnoTable) -> None:
    """The card that is dropped goes from the hand onto the discard pile; a colour named before is void."""
    card = 1 << table.card
    twin = table.twins[table.player] & card
    table.twins[table.player] ^= twin
    table.hands[table.player] ^= card ^ twin
    table.colour = NO_COLOUR
    lay_open(table, table.card)
    trace(table, kind_of(table.card))


@effect
def end_turn(table: UnoTable) -> None:
    """The turn is over."""
    table.turns += 1


@effect
def move_on(table: UnoTable) -> None:
    """The following seat in the direction of play is in turn."""
    if table.reversed == 1:
        table.player = seat_before(table.player, table.players)
    else:
        table.player = seat_after(table.player, table.players)


@effect
def next_player(table: UnoTable) -> None:
    """The turn is over and moves on to the following seat."""
    end_turn(table)
    move_on(table)


@query
def previous_player(table: UnoTable) -> int:
    """The seat before that of the player in turn, in the direction of play."""
    if table.reversed == 1:
        return seat_after(table.player, table.players)
    return seat_before(table.player, table.players)


@guard("{card} is not the last card")
def last_card(table: UnoTable) -> bool:
    """The card that is dropped is the only one in the hand."""
    return table.hands[table.player] == 1 << table.card and table.twins[table.player] == 0


@effect
def win(table: UnoTable) -> None:
    """The player in turn has dropped the last card and wins."""
    end_turn(table)
    table.ending = WON
    table.winner = table.player


@guard("the previous player has cards left")
def previous_player_is_out(table: UnoTable) -> bool:
    """The previous player has dropped the last card, and its effect is being carried out."""
    return table.hands[previous_player(table)] == 0


@effect
def previous_player_wins(table: UnoTable) -> None:
    """The effect of the last card is carried out, as far as the draw pile goes: who dropped it wins."""
    end_turn(table)
    table.ending = WON
    table.winner = previous_player(table)


@effect
def run_out_of_cards(table: UnoTable) -> None:
    """A card must be drawn and there is none: the points are counted, and nobody has dropped all cards."""
    table.ending = OUT_OF_CARDS


@query
def score(table: UnoTable, seat: int) -> int:
    """The points that `seat` is left with."""
    return points(table.hands[seat]) + points(table.twins[seat])


@effect
def call_uno(table: UnoTable) -> None:
    """The player in turn calls, if exactly one card is left after the drop."""
    hand = table.hands[table.player]
    if hand != 0 and hand & hand - 1 == 0 and table.twins[table.player] == 0:
        table.uno_calls[table.player] += 1


@query
def calls(table: UnoTable, seat: int) -> int:
    """How many times `seat` has called."""
    return table.uno_calls[seat]


# ---------------------------------------------------------------- actions

# Skip, reverse, draw two, wild and wild draw four.


@guard("{card} is not a skip")
def skip(table: UnoTable) -> bool:
    """The card that is dropped is a skip."""
    return (SKIPS >> table.card & 1) == 1


@guard("{card} is not a reverse")
def reverse(table: UnoTable) -> bool:
    """The card that is dropped is a reverse."""
    return (REVERSES >> table.card & 1) == 1


@effect
def turn_direction(table: UnoTable) -> None:
    """The turn goes round the other way."""
    table.reversed ^= 1


@guard("{card} is not a draw two")
def draw_two(table: UnoTable) -> bool:
    """The card that is dropped is a draw two."""
    return (DRAW_TWOS >> table.card & 1) == 1


@effect
def add_two(table: UnoTable) -> None:
    """Two cards are due."""
    table.due = 2


@guard("{card} is not a wild draw four")
def wild_draw_four(table: UnoTable) -> bool:
    """The card that is dropped is a wild draw four."""
    return (WILD_DRAW_FOURS >> table.card & 1) == 1


@effect
def add_four(table: UnoTable) -> None:
    """Four cards are due."""
    table.due = 4


ALL_COLOURS = 0b1111


@guard("{card} is not a wild")
def wild(table: UnoTable) -> bool:
    """The card that is dropped is a wild, and no wild draw four."""
    return (WILDS >> table.card & 1) == 1


@guard("the open card is not a wild")
def wild_is_open(table: UnoTable) -> bool:
    """The open card is a wild or a wild draw four, so the named colour counts."""
    return table.open_card >= FIRST_WILD


@query
def names_colour(table: ProblemUnoTable) -> bool:
    """With the card that is dropped a colour is named: with a wild or a wild draw four, unless it is the last card."""
    return table.card >= FIRST_WILD and not last_card(table)


@query
def colours_to_name(table: ProblemUnoTable) -> int:
    """The colours, as a mask, of which one is named with the card that is dropped."""
    return ALL_COLOURS if names_colour(table) else 0


@effect
def name_colour(table: ProblemUnoTable) -> None:
    """The named colour holds until the next card is dropped."""
    table.colour = table.suit
    table.wilds[table.player] += 1


# ---------------------------------------------------------------- drawing

# Cards that are due are taken one by one; none of them is played in the same turn.


@effect
def take_card(table: UnoTable) -> None:
    """The top card of the draw pile goes into the hand of the player in turn."""
    card = take_top(table)
    receive_twin(table, table.player, card)
    table.drawn = card
    table.due -= 1
