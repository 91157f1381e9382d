"""The phases and arcs of UNO, and who acts in each phase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fsm.declaration.arcs import Arc, Control, Effects, Offer, Phase
from rules.drawing import card_due, draw_one, draw_pile_left
from rules.rule import Guard
from rules.uno import actions, decision, drawing, finish, matching, turn, uno_call


class UnoPhase(Phase):
    """The phases of a game of UNO."""

    INITIAL = "initial"
    AWAIT_PLAY = "await-play"
    COLOUR_NAMED = "colour-named"
    DRAW_PENDING = "draw-pending"
    SKIP_PENDING = "skip-pending"
    DRAWING = "drawing"
    GAME_OVER = "game-over"


INITIAL, AWAIT_PLAY, COLOUR_NAMED, DRAW_PENDING, SKIP_PENDING, DRAWING, GAME_OVER = UnoPhase

A_NUMBER = "A number has no effect, the next player is in turn."
A_SKIP = "A skip: the next player loses the turn."
A_REVERSE = "A reverse: the direction of play turns."
A_DRAW_TWO = "A draw two: the next player draws two cards and loses the turn."
A_WILD = "A wild: its player names the colour of the next card."
A_WILD_DRAW_FOUR = "A wild draw four: its player names a colour, the next player draws four cards and loses the turn."
LAST = "The last card ends the game."
NOTHING_FITS = "Who holds no fitting card draws one."
OUT = "A card must be drawn and the draw pile is empty: the game is over."

EFFECTS: dict[Guard[Any], tuple[Phase, Effects, str]] = {
    matching.number: (AWAIT_PLAY, (), A_NUMBER),
    actions.skip: (SKIP_PENDING, (), A_SKIP),
    actions.reverse: (AWAIT_PLAY, (actions.turn_direction,), A_REVERSE),
    actions.draw_two: (DRAW_PENDING, (actions.add_two,), A_DRAW_TWO),
    actions.wild: (COLOUR_NAMED, (actions.name_colour,), A_WILD),
    actions.wild_draw_four: (DRAW_PENDING, (actions.name_colour, actions.add_four), A_WILD_DRAW_FOUR),
}
DISJOINT = (tuple(EFFECTS),)
PENALTIES = (actions.draw_two, actions.wild_draw_four)
"""The kinds whose effect is carried out before the game is over, also of the last card."""


def dropping(source: Phase, fits: Guard[Any]) -> Iterator[Arc]:
    """The arcs of a card that is dropped in `source`."""
    for kind, (dest, effects, description) in EFFECTS.items():
        unless = () if kind in PENALTIES else (finish.last_card,)
        yield Arc("play", source, dest, when=(fits, kind), unless=unless,
                  then=(turn.lay_card, uno_call.call_uno, *effects, turn.next_player),
                  description=description)  # fmt: skip
    yield Arc("play", source, GAME_OVER, when=(fits, finish.last_card), unless=PENALTIES,
              then=(turn.lay_card, finish.win), description=LAST)  # fmt: skip


ARCS = (
    Arc("open", INITIAL, AWAIT_PLAY, when=(matching.number,), then=(turn.move_on,),
        description="The opening card counts as dropped by player 1."),
    Arc("open", INITIAL, SKIP_PENDING, when=(actions.skip,), then=(turn.move_on,), description=A_SKIP),
    Arc("open", INITIAL, AWAIT_PLAY, when=(actions.reverse,), then=(actions.turn_direction, turn.move_on),
        description=A_REVERSE),
    Arc("open", INITIAL, DRAW_PENDING, when=(actions.draw_two,), then=(actions.add_two, turn.move_on),
        description=A_DRAW_TWO),
    *dropping(AWAIT_PLAY, matching.fits),
    Arc("draw", AWAIT_PLAY, DRAWING, unless=(decision.holds_fitting_card,), then=(draw_one,), description=NOTHING_FITS),
    *dropping(COLOUR_NAMED, matching.fits_colour),
    Arc("draw", COLOUR_NAMED, DRAWING, unless=(decision.holds_fitting_colour,), then=(draw_one,),
        description=NOTHING_FITS),
    Arc("skip", SKIP_PENDING, AWAIT_PLAY, then=(turn.move_on,), description="The skipped player loses the turn."),
    Arc("draw", DRAW_PENDING, DRAWING, description="All cards that are due are drawn."),
    Arc("take", DRAWING, DRAWING, when=(card_due, draw_pile_left), then=(drawing.take_card,),
        description="The top card of the draw pile."),
    Arc("pass_turn", DRAWING, AWAIT_PLAY, unless=(card_due, finish.previous_player_is_out, actions.wild_is_open),
        then=(turn.next_player,), description="What was drawn is not played, the turn moves on."),
    Arc("pass_turn", DRAWING, COLOUR_NAMED, when=(actions.wild_is_open,),
        unless=(card_due, finish.previous_player_is_out), then=(turn.next_player,),
        description="What was drawn is not played, the turn moves on, the named colour holds on."),
    Arc("pass_turn", DRAWING, GAME_OVER, when=(finish.previous_player_is_out,), unless=(card_due,),
        then=(finish.previous_player_wins,), description="The penalty of the last card is drawn, the game is over."),
    Arc("abandon", DRAWING, GAME_OVER, when=(card_due,), unless=(draw_pile_left, finish.previous_player_is_out),
        then=(finish.run_out_of_cards,), description=OUT),
    Arc("abandon", DRAWING, GAME_OVER, when=(card_due, finish.previous_player_is_out), unless=(draw_pile_left,),
        then=(finish.previous_player_wins,),
        description="The draw pile cannot give the whole penalty of the last card, the game is over."),
)  # fmt: skip

CONTROL = {
    INITIAL: Control(forced=("open",)),
    AWAIT_PLAY: Control(starts_turn=True, offers=(
        Offer("play", cards=matching.fitting, suits=actions.colours_to_name), Offer("draw"))),
    COLOUR_NAMED: Control(starts_turn=True, offers=(
        Offer("play", cards=matching.fitting_colour, suits=actions.colours_to_name), Offer("draw"))),
    DRAW_PENDING: Control(forced=("draw",)),
    SKIP_PENDING: Control(forced=("skip",)),
    DRAWING: Control(forced=("take", "pass_turn", "abandon")),
}  # fmt: skip
