"""A small game with piles whose cards lie in an order: cards go on top or under, and come from either end.

Two cards of the draw pile are put aside unseen. In turn each player lays a card on the own pile, which all see, slips
one under a pile that nobody else sees, or throws one onto the row in the middle; of three cards there the player takes
the lowest one. After three turns each, or if the next player has no card, the top cards of what is slipped are shown,
and the most points win: a card on the own pile counts 1 and one that was slipped 2.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from three_cards import (
    THREE_EACH,
    TURNS,
    count_turn,
    hand,
    is_held,
    last_turn,
    lowest_card,
    next_player,
    with_most_points,
)

from fsm.declaration.arcs import Choice, Invariant, Phase, Policy, Postcondition, SmallDeck
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact
from fsm.declaration.page import forced, lay, on, page, turn
from fsm.declaration.policy import FIRST_LEGAL, RANDOM
from fsm.stepping.game import Game
from rules.piles import take_top
from rules.queues import put_first, put_last, queue_card, queue_size, queues, take_first, take_last
from rules.rule import effect, query
from rules.table import CardTable
from rules.visibility import seen_by_all, seen_by_owner

SEATS, ASIDE, ROW = 4, 2, 2


@dataclass(slots=True)
class Table(CardTable):
    shown: bytearray = seen_by_all(factory=queues(SEATS))
    slipped: bytearray = seen_by_owner(factory=queues(SEATS))
    row: bytearray = seen_by_all(factory=queues(1))
    aside: bytearray = field(default_factory=queues(1))
    played: int = seen_by_all(0)


@query
def score(table: Table, seat: int) -> int:
    return queue_size(table.shown, seat) + 2 * queue_size(table.slipped, seat)


@effect
def put_aside(table: Table) -> None:
    for _ in range(ASIDE):
        put_last(table.aside, 0, take_top(table))


@effect
def show(table: Table) -> None:
    table.hands[table.player] ^= 1 << table.card
    put_first(table.shown, table.player, table.card)


@effect
def slip(table: Table) -> None:
    table.hands[table.player] ^= 1 << table.card
    put_last(table.slipped, table.player, table.card)


@effect
def throw(table: Table) -> None:
    table.hands[table.player] ^= 1 << table.card
    put_first(table.row, 0, table.card)
    if queue_size(table.row, 0) > ROW:
        table.hands[table.player] ^= 1 << take_last(table.row, 0)


@effect
def show_slipped(table: Table) -> None:
    for seat in range(table.players):
        if queue_size(table.slipped, seat) > 0:
            put_first(table.shown, seat, take_first(table.slipped, seat))


@query
def nothing_lies(table: Table) -> bool:
    return table.player == 0 and table.played == 0 and table.head == 0 and table.tail == table.stock and no_piles(table)


@query
def no_piles(table: Table) -> bool:
    return queue_size(table.row, 0) == 0 and queue_size(table.aside, 0) == 0


@query
def cards_lie_aside(table: Table) -> bool:
    in_turn = table.played % table.players == table.player and table.played < TURNS * table.players
    return in_turn and queue_size(table.row, 0) <= ROW and queue_size(table.aside, 0) == ASIDE and hand(table) != 0


@query
def card_lies_on_top(before: Table, after: Table) -> bool:
    return queue_card(after.shown, before.player, 0) == before.card or after.ending != 0


class StackingPhase(Phase):
    INITIAL = "initial"
    PLAYING = "playing"
    GAME_OVER = "game-over"


INITIAL, PLAYING, GAME_OVER = StackingPhase

PAGE = page({
    INITIAL: forced(on("begin", PLAYING, before=put_aside, rule="Two cards are put aside.")),
    PLAYING: turn(*(
        lay(is_held,
            on(trigger, PLAYING, rule=f"A card is {done}."),
            on(trigger, GAME_OVER, conditions=last_turn, before=(with_most_points(score), show_slipped), rule=f"The last card is {done}."),
            first=(moved, count_turn, next_player), face_down=moved is slip)
        for trigger, moved, done in (("show", show, "shown"), ("slip", slip, "slipped"), ("throw", throw, "thrown"))
    )),
})  # fmt: skip

STACKING = Declaration(
    title="Stacking",
    **THREE_EACH,
    table=Table,
    facts=(
        Fact("shown", "shown", "queues"),
        Fact("slipped", "slipped", "queues"),
        Fact("row", "row", "queue"),
        Fact("aside", "aside", "queue"),
        Fact("played", "played"),
    ),
    score=score,
    page=PAGE,
    policies=(
        Policy("house", {PLAYING: (Choice("slip", "lowest", card=lowest_card),)}),
        RANDOM,
        FIRST_LEGAL,
    ),
    invariants=(
        Invariant("at the start player 1 is in turn and nothing lies beside the hands", nothing_lies, (INITIAL,)),
        Invariant(
            "two cards lie aside, at most as many in the row, and who is in turn holds some",
            cards_lie_aside,
            (PLAYING,),
        ),
    ),
    postconditions=(Postcondition("the card lies on the pile", card_lies_on_top, ("show",)),),
    small_decks=(SmallDeck("2D 2H 3D 3H 4D 4H", players=2, each=1),),
)


class Stacking(Game, declaration=STACKING):
    """The game, stepped event by event."""
