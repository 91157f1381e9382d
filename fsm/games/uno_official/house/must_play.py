"""A player who can play must play."""

from __future__ import annotations

from fsm.declaration.arcs import Arc, Choice, Control, Offer, Postcondition
from fsm.games.uno_official.arcs import AWAIT_PLAY, CHALLENGE_PENDING, DRAWING, DRAWN_CHOICE, ENDS_TURN
from fsm.games.uno_official.house.answering import ACCEPT, ANSWER, ANSWER_PENDING, can_answer
from fsm.games.uno_official.house.where import KEEP_BLUFF, PLAY_DRAWN, decide
from fsm.games.uno_official.players import HOARDER, HOUSE
from fsm.variants.edits import (
    Allow,
    Arcs,
    Beside,
    ChangeArcs,
    Check,
    Decide,
    DropArcs,
    ReplaceArcs,
    SetControl,
    Variant,
    Withdraw,
)
from rules.rule import guard, query
from rules.uno.cards import WILD_DRAW_FOURS
from rules.uno_official.game import UnoOfficialTable, drawn_card, is_dishonest, playable
from rules.uno_official.invariants import fits


@query
def to_be_laid(table: UnoOfficialTable) -> int:
    """The cards that may be laid without a bluff."""
    cards = playable(table)
    return cards & ~WILD_DRAW_FOURS if is_dishonest(table) else cards


@guard("no card can be laid")
def must_lay(table: UnoOfficialTable) -> bool:
    """A card is held that may be laid, so that one must be."""
    return to_be_laid(table) != 0


@guard("a card is held that must be laid")
def may_draw(table: UnoOfficialTable) -> bool:
    """No card is held that must be laid."""
    return to_be_laid(table) == 0


@guard("the drawn card need not be laid")
def must_lay_drawn(table: UnoOfficialTable) -> bool:
    """The drawn card may be laid, so that it must be."""
    return drawn_card(table) & to_be_laid(table) != 0


@query
def only_a_bluff_is_kept(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """The card that is kept is a wild draw four."""
    return WILD_DRAW_FOURS >> before.drawn & 1 == 1 and fits(before, before.drawn)


HOARD = Choice("draw", "hoard", conditions=(may_draw,), description="no card must be laid")
STACKING = ("stack-draw-two", "stack-draws")

RULE = Variant(
    "must-play",
    "A player who can play must play.",
    (
        ChangeArcs(Arcs("draw", AWAIT_PLAY), unless=(must_lay,),
                   description="A player who can lay no card draws one."),
        Allow(AWAIT_PLAY, Offer("draw")),
        DropArcs(Arcs("keep")),
        SetControl(DRAWN_CHOICE, Control(offers=(Offer("play", drawn_card),), seen_as=DRAWING)),
        *decide(DRAWN_CHOICE, PLAY_DRAWN),
        Decide(AWAIT_PLAY, (HOARD, *HOUSE.choices[AWAIT_PLAY]), HOARDER.name),
        *(Beside(STACKING, edit) for edit in (
            ChangeArcs(Arcs("accept", ANSWER_PENDING), unless=(can_answer,)),
            Allow(ANSWER_PENDING, Offer("accept")),
            Decide(ANSWER_PENDING, (ANSWER, ACCEPT), HOARDER.name),
        )),
        *(Beside(STACKING[1:], edit) for edit in (
            ChangeArcs(Arcs("accept", CHALLENGE_PENDING), unless=(can_answer,)),
            ChangeArcs(Arcs("challenge", CHALLENGE_PENDING), unless=(can_answer,)),
            Allow(CHALLENGE_PENDING, Offer("accept")),
            Allow(CHALLENGE_PENDING, Offer("challenge")),
            Decide(CHALLENGE_PENDING, (ANSWER, *HOUSE.choices[CHALLENGE_PENDING]), HOARDER.name),
        )),
        *(Beside(("no-action-last",), edit) for edit in (
            ReplaceArcs(Arcs("keep"), (
                Arc("keep", DRAWN_CHOICE, AWAIT_PLAY, unless=(must_lay_drawn,), before=ENDS_TURN,
                    description="A wild draw four that would be a bluff may be kept."),)),
            Allow(DRAWN_CHOICE, Offer("keep", seen_as="pass_turn")),
            *decide(DRAWN_CHOICE, KEEP_BLUFF, PLAY_DRAWN),
            Check(Postcondition("only a wild draw four that would be a bluff is kept", only_a_bluff_is_kept,
                                ("keep",))),
        )),
        Beside(("no-bluff",), Withdraw(DRAWN_CHOICE, "keep")),
    ),
)  # fmt: skip
