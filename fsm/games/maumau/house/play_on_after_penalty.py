"""Once the penalty is drawn, the same player may lay a card."""

from __future__ import annotations

from fsm.declaration.arcs import Arc, Choice, Invariant, Offer, Postcondition, SmallDeck
from fsm.games.maumau.arcs import AWAIT_PLAY, DRAWING, GAME_OVER
from fsm.games.maumau.players import HOUSE
from fsm.variants import edits
from fsm.variants.edits import Arcs, Check
from fsm.variants.phases import added_phase
from rules.drawing import card_due
from rules.invariants import nothing_moves, same_player
from rules.maumau import turn
from rules.maumau.house import play_on

PLAY_ON = added_phase("play-on")

RULE = edits.Variant(
    "play-on-after-penalty",
    "Once you have drawn the penalty, you may still play.",
    (
        edits.CopyPhase(PLAY_ON, AWAIT_PLAY),
        edits.Withdraw(PLAY_ON, "draw"),
        edits.Allow(PLAY_ON, Offer("pass_turn")),
        edits.AddArcs((
            Arc("play_on", DRAWING, PLAY_ON, when=(play_on.penalty_is_drawn,), unless=(card_due,),
                then=(play_on.spend_penalty,), description="The penalty is drawn: its player may still lay a card."),
            Arc("pass_turn", PLAY_ON, AWAIT_PLAY, then=(turn.next_player,), description="The turn moves on."),
        )),
        edits.DropArcs(Arcs("play", PLAY_ON, GAME_OVER)),
        edits.ChangeArcs(Arcs("pass_turn", DRAWING), unless=(play_on.penalty_is_drawn,)),
        edits.Force(DRAWING, "play_on"),
        edits.Decide(PLAY_ON, (*HOUSE.choices[AWAIT_PLAY], Choice("pass_turn", description="no card fits"))),
        Check(Invariant("who plays on has drawn the penalty for the open card", play_on.penalty_was_drawn, (PLAY_ON,))),
        Check(Invariant("who plays on has turned the pile that was drawn empty", play_on.no_pile_to_turn, (PLAY_ON,))),
        Check(Postcondition("to play on moves no card", nothing_moves, ("play_on",))),
        Check(Postcondition("who plays on is the one who drew", same_player, ("play_on",))),
        Check(Postcondition("the penalty is over", play_on.penalty_is_over, ("play_on",))),
        Check(Postcondition("nobody passes right after a penalty", play_on.no_penalty_drawn, ("pass_turn",))),
        edits.AddDeck(SmallDeck("DS HS DQ HE DJ", 2, 1)),
    ),
)  # fmt: skip
