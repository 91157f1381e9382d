"""A wild draw four is laid only if it is honest, and nobody challenges it."""

from __future__ import annotations

from fsm.declaration.arcs import Arc, Postcondition
from fsm.games.uno_official.arcs import (
    AWAIT_PLAY,
    CHALLENGE_PENDING,
    COLOUR_CHOICE,
    DRAW_PENDING,
    DRAWING,
    DRAWN_CHOICE,
)
from fsm.games.uno_official.house.answering import ANSWER_PENDING
from fsm.games.uno_official.house.where import BY_WHAT_MAY_BE_LAID, could_be_laid_without_bluff
from fsm.variants.edits import Arcs, Beside, ChangeArcs, Check, DropArcs, DropPhase, Means, Refuse, ReplaceArcs, Variant
from rules.rule import Reason, query
from rules.uno.cards import WILD_DRAW_FOURS
from rules.uno_official import asked, game, invariants
from rules.uno_official.game import UnoOfficialTable, is_dishonest, may_be_laid, playable
from rules.uno_official.postconditions import drawn_card_could_be_laid


@query
def playable_honestly(table: UnoOfficialTable) -> int:
    """The cards that may be laid: no wild draw four while a card of the current colour is held."""
    cards = playable(table)
    return cards & ~WILD_DRAW_FOURS if is_dishonest(table) else cards


@query
def dishonest(table: UnoOfficialTable) -> int:
    """The wild draw fours, while a card of the current colour is held."""
    return WILD_DRAW_FOURS if is_dishonest(table) else 0


HONEST = Reason("WF may be laid only while no card of the current colour {colour} is held", dishonest)


@query
def nobody_challenges(table: UnoOfficialTable) -> bool:
    """No wild draw four can be challenged."""
    return False


@query
def nobody_is_guilty(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """No wild draw four is laid while a card of the current colour is held."""
    return after.guilty == 0


THE_FOUR_ARE_DRAWN = "The next player draws four cards and misses the turn."

RULE = Variant(
    "no-bluff",
    "A wild draw four may be laid only if it is honest.",
    (
        ChangeArcs(Arcs("name", dest=CHALLENGE_PENDING), dest=DRAW_PENDING, description=THE_FOUR_ARE_DRAWN,
                   put_after=((game.victim_in_turn, (asked.victim_draws_four,)),)),
        DropPhase(CHALLENGE_PENDING),
        DropArcs(Arcs("resume", DRAWING, AWAIT_PLAY)),
        Means(playable, playable_honestly, narrows=True),
        Refuse(may_be_laid, (HONEST,)),
        Means(drawn_card_could_be_laid, could_be_laid_without_bluff),
        *BY_WHAT_MAY_BE_LAID,
        Means(invariants.may_be_challenged, nobody_challenges),
        Check(Postcondition("nobody is guilty", nobody_is_guilty, ("play",), sources=(AWAIT_PLAY, DRAWN_CHOICE))),
        Beside(("stack-draws",), ReplaceArcs(
            Arcs("name", conditions=(asked.draw_four_is_open,)),
            (Arc("name", COLOUR_CHOICE, ANSWER_PENDING, conditions=(asked.draw_four_is_open,),
                 unless=(game.no_card_laid,), before=(game.set_colour, game.victim_in_turn),
                 description="The next player answers the wild draw four, or draws all that is due."),))),
    ),
)  # fmt: skip
