"""A small game of tricks with a stock, as Briscola: a card is turned, its suit is trump, and all draw after each trick.

Three cards each. One leads any card, the others follow with any card; the highest trump, else the highest card of the
suit led, takes the trick. Then each draws a card, who has taken it first, and the turned card goes last. After the last
trick the most cards win.
"""

from __future__ import annotations

from dataclasses import dataclass

from fsm.declaration.arcs import Choice, Codec, Invariant, Phase, Policy, SmallDeck
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact, Look
from fsm.declaration.page import forced, lay, on, page, turn
from fsm.declaration.parts import Scoring
from fsm.declaration.policy import FIRST_LEGAL, RANDOM
from fsm.stepping.game import Game
from maumau import TRICK_FACTS
from rules.cards import FRENCH_52, highest, suit_of
from rules.ending import OUT_OF_CARDS, WON
from rules.piles import take_top
from rules.queues import put_first, queue_size, queues, take_first
from rules.rule import among, choice, effect, query
from rules.shedding import next_player
from rules.table import deal_in_turn_unopened, dealing, each_seat, fill_once
from rules.tricks import (
    TrickTable,
    all_played,
    beat,
    fills_trick,
    held,
    lead_suit,
    play_card,
    taker,
    taker_in_turn,
)
from rules.visibility import seen_by_all

SEATS, EACH = 4, 3


@dataclass(slots=True)
class Table(TrickTable):
    turned: bytearray = seen_by_all(factory=queues(1))
    points: list[int] = seen_by_all(factory=each_seat(SEATS))


@query
def cards_each(players: int) -> int:
    return EACH


@query
def score(table: Table, seat: int) -> int:
    return table.points[seat]


is_held = among(held, "is_held", "{card} is no card of the hand", "The card is one of the hand.")


@effect
def turn_trump(table: Table) -> None:
    """The top card of the stock is turned."""
    card = take_top(table)
    put_first(table.turned, 0, card)
    table.trump = suit_of(card)


@effect
def take_and_draw(table: Table) -> None:
    """Who has taken the trick has its cards; all draw, as long as there are cards."""
    table.points[table.taker] += table.players
    left = table.stock + queue_size(table.turned, 0)
    for step in range(table.players):
        seat = (table.taker + step) % table.players
        if left >= table.players:
            card = take_first(table.turned, 0) if table.stock == 0 else take_top(table)
            table.hands[seat] |= 1 << card
    taker_in_turn(table)


@effect
def most_cards_win(table: Table) -> None:
    """The most cards win."""
    best, shared = 0, 0
    for seat in range(1, table.players):
        if table.points[seat] == table.points[best]:
            shared = 1
        if table.points[seat] > table.points[best]:
            best, shared = seat, 0
    table.ending = OUT_OF_CARDS if shared == 1 else WON
    table.winner = -1 if shared == 1 else best


@choice
def highest_card(table: Table) -> int:
    """The highest card."""
    return highest(table.hands[table.player])


@query
def nothing_was_taken(table: Table) -> bool:
    return table.laid == 0 and table.points[0] == 0


class DrawingPhase(Phase):
    INITIAL = "initial"
    LEADING = "leading"
    FOLLOWING = "following"
    TRICK = "trick"
    GAME_OVER = "game-over"


INITIAL, LEADING, FOLLOWING, TRICK, GAME_OVER = DrawingPhase

# fmt: off
ARCS, CONTROL = page({
    INITIAL: forced(on("begin", LEADING, before=turn_trump, rule="A card is turned, whose suit is trump.")),
    LEADING: turn(
        lay(is_held, on("play", FOLLOWING, before=(play_card, lead_suit, next_player), rule="A card is led."))),
    FOLLOWING: turn(lay(
        is_held,
        on("play", FOLLOWING, before=(play_card, beat, next_player), rule="A card follows."),
        on("play", TRICK, conditions=fills_trick, before=(play_card, beat), rule="The trick is full."))),
    TRICK: forced(
        on("take_trick", LEADING, unless=all_played, before=take_and_draw, rule="The best card takes it; all draw."),
        on("count", GAME_OVER, conditions=all_played, before=(take_and_draw, most_cards_win),
           rule="After the last trick the most cards win.")),
})
# fmt: on

DRAWING_TRICKS = Declaration(
    title="Drawing tricks",
    name="drawing-tricks",
    table=Table,
    codec=Codec(
        notation=FRENCH_52,
        players=range(2, SEATS + 1),
        cards_each=cards_each,
        facts=(*TRICK_FACTS, Fact("trump", "trump", "suit"), Fact("turned", "turned", "queue"),
               Fact("points", "points", "counts")),
    ),
    deck_size=52,
    fill=fill_once,
    deal=dealing(cards_each, deal_in_turn_unopened),
    deal_each=deal_in_turn_unopened,
    score=score,
    scoring=Scoring(lowest_wins=False, unwon_scores=True),
    phases=DrawingPhase,
    initial=INITIAL,
    final=GAME_OVER,
    control=CONTROL,
    arcs=ARCS,
    policies=(
        Policy("house", {LEADING: (Choice("play", "highest", card=highest_card),),
                         FOLLOWING: (Choice("play", "highest", card=highest_card),)}),
        RANDOM,
        FIRST_LEGAL,
    ),
    look=Look(
        draw_pile="stock",
        discard_pile="played",
        events={"take_trick": "takes the trick"},
        doers={"take_trick": taker},
        suit_facts={"led": "suit led"},
        number_facts={"laid": ("", ""), "points": ("1 card taken", "{} cards taken")},
    ),
    invariants=(Invariant("at the start nothing was taken", nothing_was_taken, (INITIAL,)),),
    small_decks=(SmallDeck("2D 2H 3D 3H 4D 4H 5D 5H", players=2, each=2),),
)  # fmt: skip


class DrawingTricks(Game, declaration=DRAWING_TRICKS):
    """The game, stepped event by event."""
