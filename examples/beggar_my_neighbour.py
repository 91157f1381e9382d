"""Beggar-my-neighbour, declared as phases and arcs: each player turns over the cards of a pile of its own, in order.

    maumau play --game examples/beggar_my_neighbour.py:BeggarMyNeighbour
    maumau check --game examples/beggar_my_neighbour.py:BeggarMyNeighbour --games 100

Two players have a pile of 26 cards face down each, and turn the top card into the middle in turn. A court card or an
ace asks the other player for cards: a jack for one, a queen for two, a king for three, an ace for four. If there is
such a card among these, it asks in turn; else the pile in the middle goes under the pile of who asked, who turns the
next card. Who has no card left loses. Players choose nothing: all follows from the deal. Some games never end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

# fmt: off
from maumau import (  # isort: skip
    FIRST_LEGAL, RANDOM, Choice, Declaration, Fact, Game, Invariant, Look, Policy, Postcondition, Scoring,
    SmallDeck, effect, forced, guard, on, page, phases, query, turn,
)
# fmt: on
from rules.cards import FRENCH_52, NO_CARD
from rules.endless import position_returns, stop_endless
from rules.piles import TRAIL_START, lay_open, trace
from rules.queues import put_last, queue_card, queue_cards, queue_size, queues, take_first
from rules.shedding import next_player, win
from rules.table import CardTable

PLAYERS = 2
TEN = 8
"""The code of the rank of the highest card that asks for none."""


@dataclass(slots=True)
class Table(CardTable):
    """The piles, face down. `due` is the cards that the player in turn owes."""

    own: bytearray = field(default_factory=queues(PLAYERS))


@effect
def deal_piles(table: Table, deck: Sequence[int], players: int, each: int) -> None:
    """Deal the deck one card at a time, each card under those dealt before."""
    table.players = players
    table.trail = TRAIL_START
    for index in range(len(deck)):
        put_last(table.own, index % players, deck[index])


@query
def asked_by(card: int) -> int:
    """The cards that a card asks for."""
    return max((card >> 2) - TEN, 0)


@query
def score(table: Table, seat: int) -> int:
    """The cards that a seat has."""
    return queue_size(table.own, seat)


@guard("it is a card of a payment")
def turn_passes(table: Table) -> bool:
    """Nothing is owed, or the card asks for cards."""
    return table.due == 0 or asked_by(queue_card(table.own, table.player, 0)) > 0


@guard("more is owed, and a card is left")
def payment_ends(table: Table) -> bool:
    """All that was owed is paid, or no card is left."""
    return table.due == 1 or queue_size(table.own, table.player) == 1


@guard("the other player has a card")
def other_has_none(table: Table) -> bool:
    """The other player has no card."""
    return queue_size(table.own, 1 - table.player) == 0


@effect
def turn_top(table: Table) -> None:
    """The top card of the own pile goes face up into the middle; it asks for cards, or is one of those owed."""
    card = take_first(table.own, table.player)
    lay_open(table, card)
    trace(table, card)
    asked = asked_by(card)
    table.due = asked if asked > 0 else max(table.due - 1, 0)


@effect
def take_pile(table: Table) -> None:
    """The cards in the middle go under the own pile, the first one on top."""
    for place in range(table.head, table.tail):
        put_last(table.own, table.player, table.ring[place & len(table.ring) - 1])
    table.head = table.tail
    table.open_card = table.card = NO_CARD
    table.due = 0


# ---------------------------------------------------------------- what must hold


@query
def lying(table: Table) -> int:
    """All cards, as a mask."""
    cards = queue_cards(table.own, 0) | queue_cards(table.own, 1)
    for place in range(table.head, table.tail):
        cards |= 1 << table.ring[place & len(table.ring) - 1]
    return cards


@query
def piles_are_dealt(table: Table) -> bool:
    """The piles are as high, but for a card that is left over, and nothing lies in the middle."""
    more = queue_size(table.own, 0) - queue_size(table.own, 1)
    return 0 <= more <= 1 and table.head == table.tail and table.player == 0


@query
def owed_follows(table: Table) -> bool:
    """What is owed is what the last card that asks for some has asked for, less what was laid after it."""
    owed = 0
    for place in range(table.head, table.tail):
        asked = asked_by(table.ring[place & len(table.ring) - 1])
        owed = asked if asked > 0 else max(owed - 1, 0)
    return table.due == owed


@query
def has_card(table: Table) -> bool:
    """The player in turn has a card, and so has the other one before the first card is turned."""
    return queue_size(table.own, table.player) > 0


@query
def middle_is_taken(table: Table) -> bool:
    """There are cards in the middle, and all is paid, or the other player has none."""
    return table.tail > table.head and (table.due == 0 or queue_size(table.own, 1 - table.player) == 0)


@query
def winner_has_all(table: Table) -> bool:
    """Who has won has all cards."""
    return table.winner < 0 or queue_cards(table.own, table.winner) == lying(table)


@query
def top_card_is_open(before: Table, after: Table) -> bool:
    """The card that was on the top of the pile is the open one, and the next one lies there."""
    size = queue_size(after.own, before.player)
    follows = size == 0 or queue_card(after.own, before.player, 0) == queue_card(before.own, before.player, 1)
    return after.open_card == queue_card(before.own, before.player, 0) and follows


@query
def middle_lies_under(before: Table, after: Table) -> bool:
    """The pile is as it was down to where the cards of the middle begin, in the order in which they were turned."""
    size, seat = queue_size(before.own, before.player), before.player
    for depth in range(size):
        if queue_card(after.own, seat, depth) != queue_card(before.own, seat, depth):
            return False
    for place in range(before.head, before.tail):
        if queue_card(after.own, seat, size + place - before.head) != before.ring[place & len(before.ring) - 1]:
            return False
    return after.head == after.tail


# ---------------------------------------------------------------- the declaration


BeggarPhase = phases("BeggarPhase", "initial turning taking game-over")
INITIAL, TURNING, TAKING, GAME_OVER = BeggarPhase

# fmt: off
PAGE = page({
    INITIAL: forced(on("begin", TURNING, rule="Player 1 turns the first card.")),
    TURNING: turn(
        on("turn_card", TURNING, conditions=turn_passes, before=(turn_top, next_player),
           rule="The other player goes on, and pays what a jack, queen, king or ace asks for."),
        on("turn_card", TAKING, conditions=(turn_passes, other_has_none), before=turn_top,
           rule="The other player has no card to go on with."),
        on("turn_card", TURNING, unless=turn_passes, before=turn_top, rule="The player pays a card, and owes more."),
        on("turn_card", TAKING, conditions=payment_ends, unless=turn_passes, before=(turn_top, next_player),
           rule="All is paid, or no card is left."),
    ) | forced(on("abandon", GAME_OVER, conditions=position_returns, before=stop_endless,
                  rule="The position returns: nobody wins.")),
    TAKING: forced(
        on("take_pile", TURNING, before=take_pile, rule="The cards in the middle go under the pile of who takes them."),
        on("take_pile", GAME_OVER, conditions=other_has_none, before=(take_pile, win),
           rule="The other player has no card: who takes the last cards wins.")),
})

HOUSE = Policy("house", {TURNING: (Choice("turn_card", "top", description="there is nothing to choose"),)})
# fmt: on

DECLARATION = Declaration(
    title="Beggar-my-neighbour",
    table=Table,
    deck=FRENCH_52,
    players=PLAYERS,
    cards_each=0,
    facts=(Fact("due"), Fact("own", kind="queues")),
    deal_each=deal_piles,
    score=score,
    scoring=Scoring(target=100, lowest_wins=False),
    page=PAGE,
    policies=(HOUSE, RANDOM, FIRST_LEGAL),
    reveals={"turn_card": "all see the card that is turned over"},
    look=Look(
        draw_pile="not dealt",
        summary="Nobody decides anything: jacks, queens, kings and aces ask for cards, and who has all of them wins.",
        asks={"turn_card": "turn a card"},
        events={"turn_card": "turns a card", "take_pile": "takes the cards in the middle"},
        number_facts={"due": ("1 card is owed", "{} cards are owed")},
        scores="Cards",
    ),
    invariants=(
        Invariant("at the start all cards are dealt", piles_are_dealt, (INITIAL,)),
        Invariant("what is owed follows from the cards in the middle", owed_follows),
        Invariant("who turns a card has one", has_card, (INITIAL, TURNING)),
        Invariant("cards are taken when all is paid, or no card is left", middle_is_taken, (TAKING,)),
        Invariant("who has won has all cards", winner_has_all, (GAME_OVER,)),
    ),
    postconditions=(
        Postcondition("the top card of the pile is open", top_card_is_open, ("turn_card",)),
        Postcondition("the cards in the middle go under the pile in their order", middle_lies_under, ("take_pile",)),
    ),
    small_decks=(
        SmallDeck("2S JS 3S QS 4S", 2, 0),
        SmallDeck("2S JS 3S QS 4S KS 5S", 2, 0, large=True),
    ),
)


class BeggarMyNeighbour(Game, declaration=DECLARATION):
    """A game of Beggar-my-neighbour, stepped event by event. Cards are named by rank and suit: `QS`."""
