"""The small game of tricks with a stock, where the turned card stays under the stock: all see it in the draw pile."""

from __future__ import annotations

from dataclasses import dataclass, replace

from drawing_tricks import (
    ARCS,
    DRAWING_TRICKS,
    SEATS,
    take_and_draw,
    turn_trump,
)

from fsm.declaration.facts import Fact
from fsm.stepping.game import Game
from maumau import TRICK_FACTS
from rules.cards import NO_CARD, suit_of
from rules.piles import take_top
from rules.rule import effect
from rules.table import each_seat
from rules.tricks import TrickTable, taker_in_turn
from rules.visibility import seen_by_all, turned_up


@dataclass(slots=True)
class TurnedTable(TrickTable):
    """The card under the stock is `upcard`, until it is drawn."""

    upcard: int = turned_up(NO_CARD)
    points: list[int] = seen_by_all(factory=each_seat(SEATS))


@effect
def turn_last(table: TurnedTable) -> None:
    """The card under the stock is turned up."""
    table.upcard = table.ring[table.head + table.stock - 1 & len(table.ring) - 1]
    table.trump = suit_of(table.upcard)


@effect
def take_and_draw_all(table: TurnedTable) -> None:
    """Who has taken the trick has its cards; all draw, as long as there are cards, the turned one last."""
    table.points[table.taker] += table.players
    if table.stock >= table.players:
        for step in range(table.players):
            table.hands[(table.taker + step) % table.players] |= 1 << take_top(table)
    if table.stock == 0:
        table.upcard = NO_CARD
    taker_in_turn(table)


INSTEAD = {turn_trump: turn_last, take_and_draw: take_and_draw_all}
MOVED = {arc: replace(arc, before=tuple(INSTEAD.get(each, each) for each in arc.before)) for arc in ARCS}
FACTS = (*TRICK_FACTS, Fact("trump", "trump", "suit"), Fact("upcard", "upcard", "card"),
         Fact("points", "points", "counts"))  # fmt: skip


class TurnedTrump(
    Game,
    declaration=replace(
        DRAWING_TRICKS,
        title="Turned trump",
        name="turned-trump",
        table=TurnedTable,
        arcs=tuple(MOVED.values()),
        codec=replace(DRAWING_TRICKS.codec, facts=FACTS),
        reveals={"begin": "all see the card under the stock", "take_trick": "each sees the own new card"},
    ),
):
    """The game, stepped event by event."""
