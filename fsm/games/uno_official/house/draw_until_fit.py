"""A player who draws goes on until a card fits, and plays it."""

from __future__ import annotations

from fsm.declaration.arcs import Arc, Postcondition
from fsm.games.uno_official.arcs import DRAWING, DRAWN_CHOICE
from fsm.games.uno_official.house.where import PLAY_DRAWN, could_be_laid_without_bluff, decide
from fsm.variants.edits import AddArcs, Arcs, ChangeArcs, Check, Force, Means, Reveal, Variant, Withdraw
from rules.cards import NO_CARD
from rules.drawing import card_due, draw_one
from rules.piles import cards_under_open_card
from rules.rule import guard, query
from rules.uno_official import game, postconditions
from rules.uno_official.decision import drawn_card_is_honest
from rules.uno_official.game import OWN_DRAW, UnoOfficialTable, drawn_may_be_laid
from rules.uno_official.postconditions import drawn_card_could_be_laid, drawn_card_is_kept, one_is_due


@guard("no card was drawn that fits, or only one that would be a bluff")
def drawn_is_to_be_laid(table: UnoOfficialTable) -> bool:
    """A card was drawn that fits, or is an honest wild draw four."""
    return drawn_may_be_laid(table) and drawn_card_is_honest(table)


@guard("the drawn card fits, or there is no other")
def draws_on(table: UnoOfficialTable) -> bool:
    """A card was drawn that does not fit, and there is another one."""
    if table.why != OWN_DRAW or table.drawn == NO_CARD or drawn_may_be_laid(table):
        return False
    return table.stock > 0 or cards_under_open_card(table) > 0


@query
def one_more_is_due(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """One card is due, as the player likes or since the drawn one does not fit; or what was due before."""
    if before.why == OWN_DRAW and before.due == 0:
        return after.due == 1 and after.why == OWN_DRAW and not drawn_card_could_be_laid(before)
    return one_is_due(before, after)


@query
def nothing_to_be_laid(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Who passes after drawing could not lay the last card, and there is no other one."""
    if before.why == OWN_DRAW:
        return drawn_card_is_kept(before, after) and before.stock == 0 and cards_under_open_card(before) == 0
    return drawn_card_is_kept(before, after)


RULE = Variant(
    "draw-until-fit",
    "A player who draws goes on until a card fits, and plays it.",
    (
        AddArcs((Arc("draw", DRAWING, DRAWING, conditions=(draws_on,), unless=(card_due,), before=(draw_one,),
                     description="The drawn card does not fit: another one is drawn."),)),
        Force(DRAWING, "draw"),
        Reveal("draw", "a player who draws on shows that the drawn card does not fit"),
        ChangeArcs(Arcs("pass_turn", conditions=(game.own_draw,)), unless=(draws_on,),
                   description="Neither pile has another card: the turn is over."),
        Withdraw(DRAWN_CHOICE, "keep"),
        *decide(DRAWN_CHOICE, PLAY_DRAWN),
        Means(drawn_card_could_be_laid, could_be_laid_without_bluff),
        Means(drawn_may_be_laid, drawn_is_to_be_laid, narrows=True),
        Means(one_is_due, one_more_is_due),
        Means(drawn_card_is_kept, nothing_to_be_laid),
        Check(Postcondition("a player who draws on is the same player",
                            postconditions.same_in_turn, ("draw",), (DRAWING,),
                            (DRAWING,))),
    ),
)  # fmt: skip
