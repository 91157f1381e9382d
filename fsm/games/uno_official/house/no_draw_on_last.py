"""A draw two or wild draw four as last card makes nobody draw."""

from __future__ import annotations

from fsm.games.uno_official.arcs import DRAW_PENDING, DRAWING, ROUND_OVER
from fsm.variants.edits import Arcs, ChangeArcs, DropArcs, Means, Variant, Withdraw
from rules.ending import WON
from rules.rule import query
from rules.uno.game import draw_two, wild_draw_four
from rules.uno.invariants import hand_is_out
from rules.uno_official import game, postconditions
from rules.uno_official.game import UnoOfficialTable
from rules.uno_official.invariants import ended_rightly, is_out, nothing_drawn, wild_has_colour_in_time


@query
def last_card_has_no_effect(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Who laid the open card is out, and nobody draws."""
    return is_out(before) and nothing_drawn(after)


@query
def ended_without_a_draw(table: UnoOfficialTable) -> bool:
    """The winner alone has no card left, laid the open one and acts, and nobody draws; or a position has returned."""
    if table.ending != WON:
        return ended_rightly(table)
    out = table.winner == table.laid_by and hand_is_out(table, table.winner) and wild_has_colour_in_time(table)
    return out and nothing_drawn(table) and table.player == table.turn == table.winner


RULE = Variant(
    "no-draw-on-last",
    "A draw two or wild draw four as last card makes nobody draw.",
    (
        ChangeArcs(Arcs("take_effect", conditions=(draw_two,), but=Arcs(conditions=(game.out,))), unless=(game.out,)),
        DropArcs(Arcs("take_effect", dest=DRAW_PENDING, conditions=(game.out,))),
        ChangeArcs(Arcs("take_effect", dest=ROUND_OVER), without=(draw_two, wild_draw_four),
                   description="Whoever lays the last card goes out and wins, without any effect."),
        Withdraw(DRAWING, "settle"),
        Means(ended_rightly, ended_without_a_draw),
        Means(postconditions.effect_is_left_out, last_card_has_no_effect),
    ),
    {"no-action-last": "a D or WF is never the last card, so there is no draw to leave out"},
)  # fmt: skip
