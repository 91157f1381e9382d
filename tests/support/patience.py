"""Golf in small, a game of one player: three columns, of which the top card is laid if it is next in rank.

Of six cards each column has one, the fourth lies open, and two are the stock. Who lays all cards of the columns wins.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass

from fsm.declaration.arcs import Choice, Invariant, Phase, Policy, SmallDeck
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact
from fsm.declaration.page import forced, lay, on, page, turn
from fsm.declaration.policy import FIRST_LEGAL, RANDOM
from fsm.stepping.game import Game
from rules.cards import french_deck, of_rank, rank_of
from rules.piles import deal_piles, lay_open, take_top, trace
from rules.queues import put_first, queue_card, queue_size, queues, take_first
from rules.rule import among, any_of, effect, guard, lowest_of, query
from rules.shedding import nobody_wins, win
from rules.table import CardTable
from rules.visibility import seen_by_all

DECK = french_deck("23")
DEALT, CARDS = 3, 6


@dataclass(slots=True)
class Table(CardTable):
    left: bytearray = seen_by_all(factory=queues(1))
    middle: bytearray = seen_by_all(factory=queues(1))
    right: bytearray = seen_by_all(factory=queues(1))


@effect
def fill(deck: MutableSequence[int]) -> None:
    """The twos and threes of three suits."""
    for index in range(len(deck)):
        deck[index] = 4 * (index & 1) + (index >> 1)


@effect
def deal_each(table: Table, deck: Sequence[int], players: int, each: int) -> None:
    table.players = players
    put_first(table.left, 0, int(deck[0]))
    put_first(table.middle, 0, int(deck[1]))
    put_first(table.right, 0, int(deck[2]))
    deal_piles(table, deck, DEALT)


@query
def top(column: bytearray) -> int:
    return 1 << queue_card(column, 0, 0) if queue_size(column, 0) > 0 else 0


@query
def next_in_rank(table: Table) -> int:
    rank, near = rank_of(table.open_card), 0
    if rank > 0:
        near = of_rank(rank - 1)
    return (top(table.left) | top(table.middle) | top(table.right)) & (near | of_rank(rank + 1))


@query
def cards_left(table: Table, seat: int) -> int:
    return queue_size(table.left, 0) + queue_size(table.middle, 0) + queue_size(table.right, 0)


fits = among(next_in_rank, "fits", "{card} is not next in rank to {open_card}", "The card is next in rank.")


@guard("cards are left")
def last_one(table: Table) -> bool:
    """It is the last card."""
    return cards_left(table, 0) == 1


@guard("the stock is used up")
def stock_left(table: Table) -> bool:
    """There is a stock."""
    return table.stock > 0


@guard("a card fits")
def none_fits(table: Table) -> bool:
    """No card fits."""
    return next_in_rank(table) == 0


@effect
def take_off(column: bytearray, card: int) -> None:
    if top(column) == 1 << card:
        take_first(column, 0)


@effect
def lay_top(table: Table) -> None:
    """The card goes from its column onto the open card."""
    take_off(table.left, table.card)
    take_off(table.middle, table.card)
    take_off(table.right, table.card)
    lay_open(table, table.card)
    trace(table, table.card)
    table.turns += 1


@effect
def turn_up(table: Table) -> None:
    """A card of the stock lies open."""
    card = take_top(table)
    lay_open(table, card)
    trace(table, card)
    table.turns += 1


@query
def cards_are_there(table: Table) -> bool:
    """Every card is in a column, open or in the stock."""
    return cards_left(table, 0) + table.tail - table.head == CARDS


class PatiencePhase(Phase):
    INITIAL = "initial"
    LAYING = "laying"
    GAME_OVER = "game-over"


INITIAL, LAYING, GAME_OVER = PatiencePhase
PAGE = page({
    INITIAL: forced(on("begin", LAYING, rule="A card lies open.")),
    LAYING: turn(
        lay(fits,
            on("play", LAYING, before=lay_top, rule="A card next in rank is laid."),
            on("play", GAME_OVER, conditions=last_one, before=(lay_top, win), rule="Who lays the last card wins."),
            from_hand=False),
        on("turn_up", LAYING, conditions=stock_left, before=turn_up, rule="A card of the stock is turned up."),
        on("give_up", GAME_OVER, conditions=none_fits, unless=stock_left, before=nobody_wins, rule="No card fits.")),
})  # fmt: skip

HOUSE = Policy("house", {LAYING: (
    Choice("play", "lowest", (any_of(next_in_rank),),
           lowest_of(next_in_rank), description="the lowest card that fits"),
    Choice("turn_up", "stock", (stock_left,), description="no card fits"),
    Choice("give_up", "end", description="no card fits"),
)})  # fmt: skip
DECLARATION = Declaration(
    title="Patience",
    deck=DECK,
    deck_size=CARDS,
    players=1,
    cards_each=0,
    table=Table,
    facts=(Fact("left", "left", "queue"), Fact("middle", "middle", "queue"), Fact("right", "right", "queue")),
    fill=fill,
    deal_each=deal_each,
    score=cards_left,
    page=PAGE,
    policies=(HOUSE, RANDOM, FIRST_LEGAL),
    invariants=(Invariant("every card is in a column, open or in the stock", cards_are_there),),
    small_decks=(SmallDeck("2D 3D 2H 3H 2S 3S", 1, 0),),
)


class Patience(Game, declaration=DECLARATION):
    """A game of patience."""
