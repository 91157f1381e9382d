"""The arcs of official UNO, and who acts in each phase."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from fsm.declaration.arcs import Arc, Control, Guards, Offer, Phase
from fsm.declaration.asking import Asking
from fsm.games.uno_official.phases import (
    AWAIT_PLAY,
    CHALLENGE_PENDING,
    COLOUR_CHOICE,
    DRAW_PENDING,
    DRAWING,
    DRAWN_CHOICE,
    EFFECT_PENDING,
    INITIAL,
    RESHUFFLE,
    ROUND_OVER,
    SKIP_PENDING,
    UNO_CALL,
    UNO_PENDING,
)  # fmt: skip
from rules.asking import turn_resumes
from rules.drawing import card_due, draw_pile_left
from rules.endless import position_returns, stop_endless
from rules.piles import turn_over
from rules.uno.actions import draw_two, reverse, skip, turn_direction, wild, wild_draw_four
from rules.uno.drawing import take_card
from rules.uno.finish import last_card
from rules.uno.matching import number
from rules.uno.turn import end_turn
from rules.uno_official import colour, draw_four, drawing, finish, laying, matching, turn, uno_call
from rules.uno_official.turn import two_play

A_NUMBER = "A number has no effect."
A_SKIP = "A skip: the next player misses the turn."
TWO_REVERSE = "A reverse: of two players the other one misses the turn."
A_DRAW_TWO = "A draw two: the next player draws two cards and misses the turn."
A_WILD = "A wild: its player names the colour."
A_WILD_DRAW_FOUR = "A wild draw four: its player names the colour, the next player accepts or challenges."
ONE_LEFT = "Who has one card left calls or stays silent, before the card takes effect."
LAID = "The card is laid and takes effect."
WON = "Whoever lays the last card goes out and wins."

LAY = (laying.settle_guilt, laying.lay_card)
DISJOINT = ((number, skip, reverse, draw_two, wild, wild_draw_four),
            (drawing.own_draw, drawing.caught, drawing.victim, drawing.guilt))  # fmt: skip
CATCHING = Asking(
    phase=UNO_PENDING, nobody=EFFECT_PENDING, then=(turn_resumes,), decline="let_pass",
    another=uno_call.another_to_ask, ask=uno_call.ask_next,
    description="Nobody catches the silent player: the chance is over.",
)  # fmt: skip


def laying_in(source: Phase, which: Guards, last: Guards) -> Iterator[Arc]:
    """The arcs of a card that is laid in `source`, of those that the guards `which` admit."""
    one = matching.leaves_one_card
    yield Arc("play", source, UNO_CALL, when=(*which, one), then=LAY, description=ONE_LEFT)
    yield Arc("play", source, EFFECT_PENDING, when=which, unless=(one, *last), then=LAY, description=LAID)


effect = partial(Arc, "take_effect", EFFECT_PENDING)

ARCS = (
    Arc("open", INITIAL, AWAIT_PLAY, when=(number,), description="A number is open: the seat after the dealer begins."),
    Arc("open", INITIAL, AWAIT_PLAY, when=(reverse,), unless=(two_play,), then=(turn_direction, turn.dealer_in_turn),
        description="A reverse is open: the direction turns, the dealer begins."),
    Arc("open", INITIAL, SKIP_PENDING, when=(skip,), description="A skip is open: the first player misses the turn."),
    Arc("open", INITIAL, SKIP_PENDING, when=(reverse, two_play), description=TWO_REVERSE),
    Arc("open", INITIAL, DRAW_PENDING, when=(draw_two,), then=(draw_four.victim_draws_two,), description=A_DRAW_TWO),
    Arc("open", INITIAL, COLOUR_CHOICE, when=(wild,), description="A wild is open: the first player names the colour."),
    Arc("abandon", AWAIT_PLAY, ROUND_OVER, when=(position_returns,), then=(stop_endless,),
        description="A position returns: no winner."),
    *laying_in(AWAIT_PLAY, (matching.may_be_laid,), ()),
    Arc("draw", AWAIT_PLAY, DRAWING, then=(drawing.draw_own,), description="Who likes draws one card instead."),
    *laying_in(DRAWN_CHOICE, (drawing.is_drawn_card,), (last_card,)),
    Arc("keep", DRAWN_CHOICE, AWAIT_PLAY, then=(end_turn, turn.next_player), description="The drawn card is kept."),
    Arc("call", UNO_CALL, EFFECT_PENDING, then=(uno_call.count_call,), description='The player calls "Uno".'),
    Arc("stay_silent", UNO_CALL, UNO_PENDING, then=(uno_call.ask_next,), description="The others may catch it."),
    Arc("catch", UNO_PENDING, DRAWING, then=(uno_call.punish_silence,), description="Who is caught draws two cards."),
    *CATCHING.arcs(),
    effect(AWAIT_PLAY, when=(number,), unless=(finish.out,), then=(turn.next_player,), description=A_NUMBER),
    effect(AWAIT_PLAY, when=(reverse,), unless=(two_play, finish.out), then=(turn_direction, turn.next_player),
           description="A reverse: the direction of play turns."),
    effect(SKIP_PENDING, when=(skip,), unless=(finish.out,), then=(turn.next_player,), description=A_SKIP),
    effect(SKIP_PENDING, when=(reverse, two_play), unless=(finish.out,), then=(turn.next_player,),
           description=TWO_REVERSE),
    effect(DRAW_PENDING, when=(draw_two,), then=(turn.victim_in_turn, draw_four.victim_draws_two),
           description=A_DRAW_TWO),
    effect(DRAW_PENDING, when=(wild_draw_four, finish.out), then=(turn.victim_in_turn, draw_four.victim_draws_four),
           description="A wild draw four as last card is not challenged."),
    effect(COLOUR_CHOICE, when=(wild,), unless=(finish.out,), description=A_WILD),
    effect(COLOUR_CHOICE, when=(wild_draw_four,), unless=(finish.out,), description=A_WILD_DRAW_FOUR),
    effect(ROUND_OVER, when=(finish.out,), unless=(draw_two, wild_draw_four), then=(finish.win,), description=WON),
    Arc("name", COLOUR_CHOICE, AWAIT_PLAY, when=(colour.no_card_laid,), then=(colour.set_colour,),
        description="The colour of the opening wild is named, its player begins."),
    Arc("name", COLOUR_CHOICE, AWAIT_PLAY, unless=(colour.no_card_laid, draw_four.draw_four_is_open),
        then=(colour.set_colour, turn.next_player), description="The named colour is the current one."),
    Arc("name", COLOUR_CHOICE, CHALLENGE_PENDING, when=(draw_four.draw_four_is_open,), unless=(colour.no_card_laid,),
        then=(colour.set_colour, turn.victim_in_turn), description="The next player accepts or challenges."),
    Arc("accept", CHALLENGE_PENDING, DRAW_PENDING, then=(draw_four.victim_draws_four,),
        description="The four are accepted."),
    Arc("challenge", CHALLENGE_PENDING, DRAW_PENDING, when=(draw_four.guilty,), then=(draw_four.offender_draws_four,),
        description="The challenge is right: who laid the wild draw four draws four cards."),
    Arc("challenge", CHALLENGE_PENDING, DRAW_PENDING, unless=(draw_four.guilty,), then=(draw_four.victim_draws_six,),
        description="The challenge is wrong: the challenger draws six cards."),
    Arc("skip", SKIP_PENDING, AWAIT_PLAY, then=(turn.next_player,), description="The skipped player misses the turn."),
    Arc("draw", DRAW_PENDING, DRAWING, description="All cards that are due are drawn."),
    Arc("take", DRAWING, DRAWING, when=(card_due, draw_pile_left), then=(take_card,), description="The top card."),
    Arc("run_out", DRAWING, RESHUFFLE, when=(card_due, drawing.cards_to_turn), unless=(draw_pile_left,),
        description="The pile is empty."),
    Arc("lapse", DRAWING, DRAWING, when=(card_due,), unless=(draw_pile_left, drawing.cards_to_turn),
        then=(drawing.nothing_due,), description="Neither pile has a card: what is due lapses."),
    Arc("look", DRAWING, DRAWN_CHOICE, when=(drawing.own_draw, drawing.drawn_may_be_laid), unless=(card_due,),
        description="The drawn card may be laid."),
    Arc("pass_turn", DRAWING, AWAIT_PLAY, when=(drawing.own_draw,), unless=(card_due, drawing.drawn_may_be_laid),
        then=(end_turn, turn.next_player), description="No card was drawn that may be laid."),
    Arc("pass_turn", DRAWING, AWAIT_PLAY, when=(drawing.victim,), unless=(card_due, finish.out),
        then=(turn.next_player,), description="The cards are drawn, the turn is missed."),
    Arc("settle", DRAWING, ROUND_OVER, when=(drawing.victim, finish.out), unless=(card_due,), then=(finish.win,),
        description="The penalty of the last card is drawn: its player has won."),
    Arc("resume", DRAWING, AWAIT_PLAY, when=(drawing.guilt,), unless=(card_due,), then=(turn.same_player,),
        description="The challenger goes on."),
    Arc("resume", DRAWING, EFFECT_PENDING, when=(drawing.caught,), unless=(card_due,), then=(drawing.drawing_is_over,),
        description="The card takes effect after all."),
    Arc("turn_pile", RESHUFFLE, DRAWING, then=(turn_over,),
        description="Everything under the open card is turned over, its bottom card is drawn first."),
)  # fmt: skip

CONTROL = {
    INITIAL: Control(forced=("open",)),
    AWAIT_PLAY: Control(forced=("abandon",), starts_turn=True, offers=(
        Offer("play", cards=matching.playable), Offer("draw", always=True))),
    DRAWN_CHOICE: Control(seen_as=DRAWING, offers=(
        Offer("play", cards=drawing.drawn_card), Offer("keep", always=True, seen_as="pass_turn"))),
    UNO_CALL: Control(offers=(Offer("call", always=True), Offer("stay_silent", always=True))),
    UNO_PENDING: CATCHING.control(Offer("catch", always=True)),
    EFFECT_PENDING: Control(forced=("take_effect",)),
    COLOUR_CHOICE: Control(offers=(Offer("name", suits=colour.colours),)),
    CHALLENGE_PENDING: Control(offers=(Offer("accept", always=True), Offer("challenge", always=True))),
    SKIP_PENDING: Control(forced=("skip",)),
    DRAW_PENDING: Control(forced=("draw",)),
    DRAWING: Control(forced=("take", "run_out", "lapse", "look", "pass_turn", "settle", "resume")),
    RESHUFFLE: Control(forced=("turn_pile",)),
}  # fmt: skip
