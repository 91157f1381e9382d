"""The phases and arcs of Mau-Mau, and who acts in each phase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fsm.declaration.arcs import Arc, Control, Effects, Offer, Phase
from rules.drawing import card_due, draw_one, draw_pile_left
from rules.endless import position_returns, stop_endless
from rules.maumau import drawing, eight, finish, jack, matching, reshuffle, seven, turn
from rules.rule import Guard


class MauMauPhase(Phase):
    """The phases of a game of Mau-Mau."""

    INITIAL = "initial"
    AWAIT_PLAY = "await-play"
    PENALTY_PENDING = "penalty-pending"
    SKIP_PENDING = "skip-pending"
    JACK_BINDING = "jack-binding"
    DRAWING = "drawing"
    RESHUFFLE = "reshuffle"
    GAME_OVER = "game-over"


INITIAL, AWAIT_PLAY, PENALTY_PENDING, SKIP_PENDING, JACK_BINDING, DRAWING, RESHUFFLE, GAME_OVER = MauMauPhase

A_SEVEN = "A seven: the next player answers with a seven or draws two cards for each seven in a row."
AN_EIGHT = "An eight: the next player is skipped."
A_JACK = "A jack binds the suit that its player names."
ORDINARY = "The card has no action, the next player is in turn."
LAST = "The last card wins, its action is not carried out."
DRAW_ONE = "Who cannot play draws one card."
OUT = "A card must be drawn and neither pile can give one: nobody wins."
AGAIN = "The whole position was there before and would come back for ever: nobody wins."

ACTIONS: dict[Guard[Any], tuple[Phase, Effects, str]] = {
    seven.seven: (PENALTY_PENDING, (seven.add_two,), A_SEVEN),
    eight.eight: (SKIP_PENDING, (), AN_EIGHT),
    jack.jack: (JACK_BINDING, (jack.bind_suit,), A_JACK),
}
DISJOINT = ((seven.seven, eight.eight, jack.jack), (reshuffle.pile_runs_out, reshuffle.pile_must_be_turned))


def laying(source: Phase, fits: Guard[Any], *ranks: Guard[Any]) -> Iterator[Arc]:
    """The arcs of a card, not the last, laid in `source`, where of the ranks with an action `ranks` may fit."""
    yield Arc("play", source, AWAIT_PLAY, when=(fits,), unless=(finish.last_card, *ranks),
              then=(turn.lay_card, turn.next_player), description=ORDINARY)  # fmt: skip
    for rank in ranks:
        dest, actions, description = ACTIONS[rank]
        yield Arc("play", source, dest, when=(fits, rank), unless=(finish.last_card,),
                  then=(turn.lay_card, *actions, turn.next_player), description=description)  # fmt: skip


def finishing(source: Phase, fits: Guard[Any]) -> Arc:
    """The arc of the last card laid in `source`; a drawn card is never the last, so drawing has none."""
    return Arc(
        "play", source, GAME_OVER, when=(fits, finish.last_card), then=(turn.lay_card, finish.win), description=LAST
    )  # fmt: skip


def stopping(source: Phase) -> Arc:
    """The arc that ends an endless game where a turn starts in `source`."""
    return Arc(
        "abandon", source, GAME_OVER, when=(position_returns,), then=(stop_endless,), description=AGAIN
    )  # fmt: skip


ARCS = (
    Arc("open", INITIAL, AWAIT_PLAY, unless=(seven.seven, eight.eight, jack.jack),
        description="The opening card has no action."),
    Arc("open", INITIAL, PENALTY_PENDING, when=(seven.seven,), then=(seven.add_two,), description=A_SEVEN),
    Arc("open", INITIAL, SKIP_PENDING, when=(eight.eight,), description=AN_EIGHT),
    Arc("open", INITIAL, JACK_BINDING, when=(jack.jack,),
        description="An opening jack binds no suit: any card but a jack fits."),
    *laying(AWAIT_PLAY, matching.fits, seven.seven, eight.eight, jack.jack),
    finishing(AWAIT_PLAY, matching.fits),
    Arc("draw", AWAIT_PLAY, DRAWING, when=(drawing.may_draw,), then=(draw_one,), description=DRAW_ONE),
    stopping(AWAIT_PLAY),
    *laying(JACK_BINDING, jack.fits_bound_suit, seven.seven, eight.eight),
    finishing(JACK_BINDING, jack.fits_bound_suit),
    Arc("draw", JACK_BINDING, DRAWING, when=(drawing.may_draw,), then=(draw_one,), description=DRAW_ONE),
    stopping(JACK_BINDING),
    Arc("play", PENALTY_PENDING, PENALTY_PENDING, when=(seven.answers_seven,), unless=(finish.last_card,),
        then=(turn.lay_card, seven.add_two, turn.next_player), description=A_SEVEN),
    finishing(PENALTY_PENDING, seven.answers_seven),
    Arc("draw", PENALTY_PENDING, DRAWING, when=(seven.may_give_in,), then=(seven.punish,),
        description="Who does not answer the seven draws all that is due."),
    stopping(PENALTY_PENDING),
    Arc("skip", SKIP_PENDING, AWAIT_PLAY, then=(eight.skip_player,),
        description="The skipped player loses the turn, the eight its effect."),
    Arc("take", DRAWING, DRAWING, when=(card_due, draw_pile_left), unless=(reshuffle.pile_runs_out,),
        then=(drawing.take_card,), description="The top card of the draw pile."),
    Arc("take", DRAWING, RESHUFFLE, when=(card_due, reshuffle.pile_runs_out), then=(drawing.take_card,),
        description="The last card of the draw pile."),
    Arc("turn_pile", DRAWING, DRAWING, when=(card_due, reshuffle.pile_must_be_turned), then=(reshuffle.turn_the_pile,),
        description="The draw pile ran out with nothing to turn; it is turned when a card has to be drawn."),
    Arc("abandon", DRAWING, GAME_OVER, when=(card_due, finish.piles_exhausted), then=(finish.run_out_of_cards,),
        description=OUT),
    *laying(DRAWING, drawing.fits_as_drawn, seven.seven, eight.eight, jack.jack),
    Arc("pass_turn", DRAWING, AWAIT_PLAY, unless=(card_due, jack.jack_is_open), then=(turn.next_player,),
        description="The turn moves on."),
    Arc("pass_turn", DRAWING, JACK_BINDING, when=(jack.jack_is_open,), unless=(card_due,), then=(turn.next_player,),
        description="The turn moves on, the jack binds on."),
    Arc("turn_pile", RESHUFFLE, DRAWING, then=(reshuffle.turn_the_pile,),
        description="Everything under the open card becomes the draw pile, its bottom card on top."),
)  # fmt: skip

CONTROL = {
    INITIAL: Control(forced=("open",)),
    AWAIT_PLAY: Control(forced=("abandon",), starts_turn=True, offers=(
        Offer("play", cards=matching.fitting, suits=jack.suits_to_name), Offer("draw"))),
    JACK_BINDING: Control(forced=("abandon",), starts_turn=True, offers=(
        Offer("play", cards=jack.bound_cards), Offer("draw"))),
    PENALTY_PENDING: Control(forced=("abandon",), starts_turn=True, offers=(
        Offer("play", cards=seven.sevens_in_hand), Offer("draw"))),
    SKIP_PENDING: Control(forced=("skip",)),
    DRAWING: Control(forced=("take", "turn_pile", "abandon"), offers=(
        Offer("play", cards=drawing.drawn_cards, suits=jack.suits_to_name), Offer("pass_turn"))),
    RESHUFFLE: Control(forced=("turn_pile",)),
}  # fmt: skip
