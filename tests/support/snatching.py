"""A small game in which others than the player in turn act: who holds a card of the rank may snatch a discarded card.

The player in turn discards a card. The others are asked for it, one after another from the next seat on, but only those
who hold a card of its rank have a choice. Who snatches it has won; if nobody does, it is the next player's turn. A
player without a card has won, too.
"""

from __future__ import annotations

from dataclasses import dataclass

from three_cards import game_of_three_cards, hand, is_held, lowest_card

from fsm import Arc, Choice, Control, Game, Offer, Policy
from fsm.declaration.arcs import Invariant, Phase, SmallDeck
from fsm.declaration.facts import Fact
from fsm.declaration.page import Asking
from rules.asking import ask_first, take_turn, turn_resumes
from rules.ending import WON
from rules.invariants import all_hold_cards
from rules.piles import lay_open, trace
from rules.rule import effect, guard, query
from rules.seats import seat_after
from rules.table import CardTable
from rules.visibility import seen_by_all


@dataclass(slots=True)
class Table(CardTable):
    """`player` is who acts, `turn` whose turn it is."""

    turn: int = seen_by_all(0)


@query
def score(table: Table, seat: int) -> int:
    return table.hands[seat].bit_count()


@guard("no card of the rank of {open_card} is held")
def holds_its_rank(table: Table) -> bool:
    """The seat that acts holds a card of the rank of the open card."""
    return table.hands[table.player] >> (table.open_card & ~3) & 0b1111 != 0


@guard("a card is left")
def last_card(table: Table) -> bool:
    """The card is the last one of the hand."""
    return table.hands[table.player] == 1 << table.card


@effect
def discard(table: Table) -> None:
    table.hands[table.player] ^= 1 << table.card
    lay_open(table, table.card)
    trace(table, table.card)
    table.turns += 1


@effect
def next_turn(table: Table) -> None:
    table.player = seat_after(table.turn, table.players)
    take_turn(table)


@effect
def win(table: Table) -> None:
    table.ending, table.winner = WON, table.player


@query
def the_turn_is_a_players(table: Table) -> bool:
    return 0 <= table.turn < table.players


@query
def another_is_asked(table: Table) -> bool:
    return table.player != table.turn


@query
def who_acts_is_in_turn(table: Table) -> bool:
    return table.player == table.turn


@query
def no_card_lies(table: Table) -> bool:
    return table.tail == table.head + table.stock


@query
def a_card_lies(table: Table) -> bool:
    return table.tail > table.head + table.stock


@query
def who_is_out_or_snatched_has_won(table: Table) -> bool:
    """The player in turn alone has no card and has won, or another who holds a card of the rank."""
    for seat in range(table.players):
        if table.hands[seat] == 0 and seat != table.turn:
            return False
    if table.winner == table.turn:
        return table.ending == WON and table.hands[table.turn] == 0
    snatched = table.hands[table.winner] >> (max(table.open_card, 0) & ~3) & 0b1111 != 0
    return table.ending == WON and table.hands[table.turn] != 0 and snatched


class SnatchingPhase(Phase):
    INITIAL = "initial"
    TURN = "turn"
    ASKING = "asking"
    GAME_OVER = "game-over"


INITIAL, TURN, ASKING, GAME_OVER = SnatchingPhase

ASKED = Asking(
    phase=ASKING,
    nobody=TURN,
    before=(next_turn,),
    able=holds_its_rank,
    description="Nobody wants it: the next player's turn.",
)

SNATCHING = game_of_three_cards(
    "Snatching",
    Table,
    facts=(Fact("turn", "turn", "seat"),),
    score=score,
    phases=SnatchingPhase,
    control={
        INITIAL: Control(forced=("open",)),
        TURN: Control(offers=(Offer("discard", hand),), starts_turn=True),
        ASKING: ASKED.control(Offer("snatch")),
    },
    arcs=(
        Arc("open", INITIAL, TURN, description="The first player begins."),
        Arc(
            "discard",
            TURN,
            ASKING,
            conditions=(is_held,),
            unless=(last_card,),
            before=(discard, ask_first),
            description="The others are asked.",
        ),
        Arc(
            "discard",
            TURN,
            GAME_OVER,
            conditions=(is_held, last_card),
            before=(discard, win),
            description="The last card wins.",
        ),
        Arc(
            "snatch",
            ASKING,
            GAME_OVER,
            conditions=(holds_its_rank,),
            before=(win, turn_resumes),
            description="Who snatches it has won.",
        ),
        *ASKED.arcs(),
    ),
    policies=(
        Policy(
            "house",
            {
                TURN: (Choice("discard", "lowest card", card=lowest_card),),
                ASKING: (Choice("snatch", "snatch", description="a card of the rank is held"),),
            },
        ),
        Policy(
            "modest",
            {
                TURN: (Choice("discard", "lowest card", card=lowest_card),),
                ASKING: (Choice("decline", "modest", description="it leaves the card to others"),),
            },
        ),
    ),
    invariants=(
        Invariant("the turn is a player's", the_turn_is_a_players),
        Invariant("another than the player in turn is asked", another_is_asked, (ASKING,)),
        Invariant(
            "but while others are asked the player in turn acts", who_acts_is_in_turn, (INITIAL, TURN, GAME_OVER)
        ),
        Invariant("no card lies there at the start", no_card_lies, (INITIAL,)),
        Invariant("others are asked for the open card", a_card_lies, (ASKING, GAME_OVER)),
        Invariant("all hold cards until the end", all_hold_cards, (INITIAL, TURN, ASKING)),
        Invariant("who is out has won, or who has snatched the card", who_is_out_or_snatched_has_won, (GAME_OVER,)),
    ),
    small_deck=SmallDeck("2D 2C 2H 3D 3C 4H", 3, 2),
)


class Snatching(Game, declaration=SNATCHING):
    """A game of Snatching, stepped event by event."""
