"""Once the penalty is drawn, the same player may lay a card."""

from __future__ import annotations

from fsm.games.maumau.arcs import AWAIT_PLAY, DRAWING, GAME_OVER
from fsm.games.maumau.players import HOUSE
from fsm.variants import (
    AddArcs,
    AddDeck,
    Allow,
    Arcs,
    ChangeArcs,
    Check,
    Choice,
    CopyPhase,
    Decide,
    DropArcs,
    Force,
    Invariant,
    Offer,
    Postcondition,
    Refuse,
    SmallDeck,
    Variant,
    Withdraw,
    added_phase,
    on,
)
from rules.cards import NO_CARD, SEVEN, rank_of
from rules.drawing import card_due
from rules.invariants import nothing_moves, same_player
from rules.maumau.game import FOR_EACH_SEVEN, MauMauTable, all_after_penalty, fits_as_drawn, next_player
from rules.piles import cards_under_open_card
from rules.rule import Reason, effect, guard, guard_reasons, query


@guard("no penalty was drawn")
def penalty_is_drawn(table: MauMauTable) -> bool:
    """The whole penalty was drawn."""
    return table.punished == 1 and table.due == 0


@effect
def spend_penalty(table: MauMauTable) -> None:
    """The penalty is paid: what was drawn are cards like any other."""
    table.drawn = NO_CARD
    table.punished = 0


@query
def least_penalty(table: MauMauTable) -> int:
    """How many cards the open card alone makes due, 0 if it makes none due."""
    return FOR_EACH_SEVEN if rank_of(table.open_card) == SEVEN else 0


@query
def penalty_was_drawn(table: MauMauTable) -> bool:
    """The open card made cards due, and the player in turn holds them and a card from before."""
    least = least_penalty(table)
    return 0 < least < table.hands[table.player].bit_count()


@query
def no_pile_to_turn(table: MauMauTable) -> bool:
    """The draw pile is not left empty while cards lie under the open card."""
    return table.stock > 0 or cards_under_open_card(table) == 0


@query
def penalty_is_over(before: MauMauTable, after: MauMauTable) -> bool:
    """The whole penalty was drawn, and it is over."""
    return before.punished == 1 and before.due == 0 and after.punished == 0 and after.due == 0


@query
def no_penalty_drawn(before: MauMauTable, after: MauMauTable) -> bool:
    """Who passes has drawn no penalty just now: else the player would go on."""
    return before.punished == 0


PLAY_ON = added_phase("play-on")
FIRST_DRAWN = Reason("a card may be played once the penalty is drawn", all_after_penalty)

RULE = Variant(
    "play-on-after-penalty",
    "Once you have drawn the penalty, you may still play.",
    (
        CopyPhase(PLAY_ON, AWAIT_PLAY),
        Refuse(fits_as_drawn, (FIRST_DRAWN, *guard_reasons(fits_as_drawn)[1:]), instead=True),
        Withdraw(PLAY_ON, "draw"),
        Allow(PLAY_ON, Offer("pass_turn")),
        AddArcs((
            on("play_on", PLAY_ON, conditions=penalty_is_drawn, unless=card_due, before=spend_penalty,
               rule="The penalty is drawn: its player may still lay a card.").leaving(DRAWING),
            on("pass_turn", AWAIT_PLAY, before=next_player, rule="The turn moves on.").leaving(PLAY_ON),
        )),
        DropArcs(Arcs("play", PLAY_ON, GAME_OVER)),
        ChangeArcs(Arcs("pass_turn", DRAWING), unless=(penalty_is_drawn,)),
        Force(DRAWING, "play_on"),
        Decide(PLAY_ON, (*HOUSE.choices[AWAIT_PLAY], Choice("pass_turn", description="no card fits"))),
        Check(Invariant("a player who plays on has drawn the penalty for the open card",
                        penalty_was_drawn, (PLAY_ON,))),
        Check(Invariant("a player who plays on has turned the pile that was drawn empty", no_pile_to_turn, (PLAY_ON,))),
        Check(Postcondition("to play on moves no card", nothing_moves, ("play_on",))),
        Check(Postcondition("a player who plays on is the one who drew", same_player, ("play_on",))),
        Check(Postcondition("the penalty is over", penalty_is_over, ("play_on",))),
        Check(Postcondition("nobody passes right after a penalty", no_penalty_drawn, ("pass_turn",))),
        AddDeck(SmallDeck("DS HS DQ HE DJ", 2, 1)),
    ),
)  # fmt: skip
