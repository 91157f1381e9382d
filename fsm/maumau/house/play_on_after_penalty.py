"""Once the penalty is drawn, the same player may lay a card."""

from __future__ import annotations

from fsm.arcs import Arc, Choice, Control, Invariant, Offer, Phase, Postcondition, SmallDeck
from fsm.maumau.arcs import AWAIT_PLAY, DRAWING, finishing, laying, stopping
from fsm.maumau.players import HOUSE
from fsm.variants.edits import AddArcs, AddDeck, AddPhase, Arcs, ChangeArcs, Check, Decide, Force, Variant
from rules.drawing import card_due
from rules.invariants import nothing_due, nothing_moves, same_player
from rules.maumau import eight, invariants, jack, matching, seven, turn
from rules.maumau.house import play_on


class PlayOnPhase(Phase):
    """The phase that the rule adds."""

    PLAY_ON = "play-on"


PLAY_ON = PlayOnPhase.PLAY_ON

RULE = Variant(
    "play-on-after-penalty",
    "Once you have drawn the penalty, you may still play.",
    (
        AddPhase(PLAY_ON, Control(("abandon",), (
            Offer("play", matching.fitting, jack.suits_to_name), Offer("pass_turn")), starts_turn=True)),
        AddArcs((
            Arc("play_on", DRAWING, PLAY_ON, (play_on.penalty_is_drawn,), (card_due,), (play_on.spend_penalty,),
                "The penalty is drawn: its player may still lay a card."),
            *laying(PLAY_ON, matching.fits, seven.seven, eight.eight, jack.jack),
            finishing(PLAY_ON, matching.fits),
            Arc("pass_turn", PLAY_ON, AWAIT_PLAY, (), (), (turn.next_player,), "The turn moves on."),
            stopping(PLAY_ON),
        )),
        ChangeArcs(Arcs("pass_turn", DRAWING), unless=(play_on.penalty_is_drawn,)),
        Force(DRAWING, "play_on"),
        Decide(PLAY_ON, (*HOUSE.choices[AWAIT_PLAY][:-1], Choice("pass_turn", description="no card fits"))),
        Check(Invariant("who plays on has paid the penalty", invariants.turn_is_fresh, (PLAY_ON,))),
        Check(Invariant("who plays on has no card to draw", nothing_due, (PLAY_ON,))),
        Check(Invariant("who plays on finds no jack open", invariants.no_jack_is_open, (PLAY_ON,))),
        Check(Postcondition("to play on moves no card", nothing_moves, ("play_on",))),
        Check(Postcondition("who plays on is the one who drew", same_player, ("play_on",))),
        Check(Postcondition("the penalty is over", play_on.penalty_is_over, ("play_on",))),
        Check(Postcondition("nobody passes with a penalty that was not played on", play_on.no_penalty_drawn,
                            ("pass_turn",))),
        AddDeck(SmallDeck("DS HS DQ HQ DE DJ DK", 2, 1)),
    ),
)  # fmt: skip
