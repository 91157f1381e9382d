"""Briscola where the turned card stays in the stock, as its last card: all see it where it lies."""

from __future__ import annotations

from dataclasses import dataclass, replace

from examples.briscola import BRISCOLA, Table
from fsm.declaration.facts import Fact
from fsm.stepping.game import Game
from rules.cards import NO_CARD, suit_of
from rules.rule import effect
from rules.stock import each_draws
from rules.table import deal_in_turn_unopened, dealing
from rules.visibility import turned_up


@dataclass(slots=True)
class TurnedTable(Table):
    """The card under the stock is `upcard`, until it is drawn."""

    upcard: int = turned_up(NO_CARD)


@effect
def turn_last(table: TurnedTable) -> None:
    """The card under the stock is turned up."""
    table.upcard = table.ring[table.head + table.stock - 1 & len(table.ring) - 1]
    table.trump = suit_of(table.upcard)


@effect
def all_draw(table: TurnedTable) -> None:
    """All draw, as long as there are cards for all, the turned one last."""
    each_draws(table)
    if table.stock == 0:
        table.upcard = NO_CARD


ARCS = tuple(
    replace(arc, before=(turn_last,))
    if arc.trigger == "begin"
    else replace(arc, before=tuple(all_draw if each is each_draws else each for each in arc.before))
    for arc in BRISCOLA.arcs
)
FACTS = (
    Fact("upcard", "upcard", "card"),
    *(fact for fact in BRISCOLA.codec.facts if fact.name != "left_out"),
)


class TurnedTrump(
    Game,
    declaration=replace(
        BRISCOLA,
        title="Turned trump",
        name="turned-trump",
        table=TurnedTable,
        deal=dealing(BRISCOLA.codec.cards_each, deal_in_turn_unopened),
        deal_each=deal_in_turn_unopened,
        arcs=ARCS,
        codec=replace(BRISCOLA.codec, facts=FACTS),
        without={},
        invariants=(),
        postconditions=(),
        reveals={"begin": "all see the card under the stock", "take_trick": "each sees the own new card"},
    ),
):
    """The game, stepped event by event."""
