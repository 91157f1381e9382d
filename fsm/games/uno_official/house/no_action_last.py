"""A round cannot be won with an action card."""

from __future__ import annotations

from fsm.declaration.arcs import Postcondition
from fsm.games.uno_official.arcs import DRAW_PENDING, DRAWING, ROUND_OVER
from fsm.games.uno_official.house.answering import Stacking, answers, answers_draw
from fsm.games.uno_official.house.jump_in import is_same_card, same_card
from fsm.games.uno_official.house.where import BY_WHAT_MAY_BE_LAID
from fsm.variants.edits import Arcs, Check, DropArcs, Means, Refuse, Variant, Withdraw
from rules.rule import Reason, query
from rules.uno.cards import FIFTIES, NUMBERS, TWENTIES
from rules.uno_official import game
from rules.uno_official.game import UnoOfficialTable, coloured, may_be_laid, playable

ACTIONS = TWENTIES | FIFTIES


@query
def unless_last_action(table: UnoOfficialTable, cards: int) -> int:
    """`cards`, of which none if the only card in hand is an action card."""
    hand = table.hands[table.player]
    single = hand & hand - 1 == 0 and table.twins[table.player] == 0
    return 0 if single and hand & ACTIONS != 0 else cards


@query
def coloured_not_last(table: UnoOfficialTable) -> int:
    """The coloured cards that fit and may be laid."""
    return unless_last_action(table, coloured(table))


@query
def playable_not_last(table: UnoOfficialTable) -> int:
    """The cards that may be laid."""
    return unless_last_action(table, playable(table))


@query
def answers_not_last(table: Stacking) -> int:
    """The cards that answer the open one and may be laid."""
    return unless_last_action(table, answers(table))


@query
def jumps_not_last(table: UnoOfficialTable) -> int:
    """The card that jumps in, if it may be laid."""
    return unless_last_action(table, same_card(table))


@query
def barred_as_last(table: UnoOfficialTable) -> int:
    """The cards that may not be the last one, where only one is left."""
    return ACTIONS & ~unless_last_action(table, ACTIONS)


NOT_LAST = (Reason("the last card must be a number", barred_as_last),)


@query
def last_card_is_number(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """The last card is a number."""
    return NUMBERS >> after.open_card & 1 == 1


RULE = Variant(
    "no-action-last",
    "A round cannot be won with an action card.",
    (
        DropArcs(Arcs("take_effect", dest=DRAW_PENDING, conditions=(game.out,))),
        Withdraw(DRAWING, "settle"),
        Means(coloured, coloured_not_last, narrows=True),
        Means(playable, playable_not_last, narrows=True),
        Refuse(may_be_laid, NOT_LAST),
        Refuse(answers_draw, NOT_LAST, if_used=True),
        Refuse(is_same_card, NOT_LAST, if_used=True),
        Means(answers, answers_not_last, narrows=True, if_used=True),
        Means(same_card, jumps_not_last, narrows=True, if_used=True),
        *BY_WHAT_MAY_BE_LAID,
        Check(Postcondition("the last card is a number", last_card_is_number, ("take_effect",), (ROUND_OVER,))),
    ),
    {"no-draw-on-last": "a D or WF is never the last card, so there is no draw to leave out"},
)  # fmt: skip
