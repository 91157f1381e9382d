"""The page of UNO: what is forced in each phase, and among what the player in turn chooses."""

from functools import partial

from fsm.declaration.arcs import Phase
from fsm.declaration.page import forced, lay, on, page, turn
from rules.drawing import card_due, draw_one, draw_pile_left
from rules.uno import decision
from rules.uno import turn as turns


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

PENALTIES = (turns.draw_two, turns.wild_draw_four)
"""The kinds whose effect is carried out before the game is over, also of the last card."""
DISJOINT = ((turns.number, turns.skip, turns.reverse, turns.draw_two, turns.wild, turns.wild_draw_four),)

# fmt: off
NUMBER = on("play", AWAIT_PLAY, conditions=turns.number, rule="A number has no effect, the next player is in turn.")
SKIP = on("play", SKIP_PENDING, conditions=turns.skip, rule="A skip: the next player loses the turn.")
REVERSE = on("play", AWAIT_PLAY, conditions=turns.reverse, before=turns.turn_direction,
             rule="A reverse: the direction of play turns.")
DRAW_TWO = on("play", DRAW_PENDING, conditions=turns.draw_two, before=turns.add_two,
              rule="A draw two: the next player draws two cards and loses the turn.")
WILD = on("play", COLOUR_NAMED, conditions=turns.wild, before=turns.name_colour,
          rule="A wild: its player names the colour of the next card.")
WILD_DRAW_FOUR = on(
    "play", DRAW_PENDING, conditions=turns.wild_draw_four, before=(turns.name_colour, turns.add_four),
    rule="A wild draw four: its player names a colour, the next player draws four cards and loses the turn.")
LAST = on("play", GAME_OVER, conditions=turns.last_card, unless=PENALTIES, before=(turns.lay_card, turns.win),
          rule="The last card ends the game.")
NOTHING_FITS = "Who holds no fitting card draws one."

KINDS = NUMBER, SKIP, REVERSE, DRAW_TWO, WILD, WILD_DRAW_FOUR
dropped = partial(
    lay, suits=turns.colours_to_name, first=(turns.lay_card, turns.call_uno), then=turns.next_player, last=LAST
)

ARCS, CONTROL = page({
    INITIAL: forced(
        on("open", AWAIT_PLAY, conditions=turns.number, before=turns.move_on,
           rule="The opening card counts as dropped by player 1."),
        on("open", SKIP_PENDING, conditions=turns.skip, before=turns.move_on, rule=SKIP.rule),
        on("open", AWAIT_PLAY, conditions=turns.reverse, before=(turns.turn_direction, turns.move_on),
           rule=REVERSE.rule),
        on("open", DRAW_PENDING, conditions=turns.draw_two, before=(turns.add_two, turns.move_on),
           rule=DRAW_TWO.rule)),
    AWAIT_PLAY: turn(
        dropped(turns.fits, *KINDS),
        on("draw", DRAWING, unless=decision.holds_fitting_card, before=draw_one, rule=NOTHING_FITS)),
    COLOUR_NAMED: turn(
        dropped(turns.fits_colour, *KINDS),
        on("draw", DRAWING, unless=decision.holds_fitting_colour, before=draw_one, rule=NOTHING_FITS)),
    SKIP_PENDING: forced(
        on("skip", AWAIT_PLAY, before=turns.move_on, rule="The skipped player loses the turn.")),
    DRAW_PENDING: forced(on("draw", DRAWING, rule="All cards that are due are drawn.")),
    DRAWING: forced(
        on("take", DRAWING, conditions=(card_due, draw_pile_left), before=turns.take_card,
           rule="The top card of the draw pile."),
        on("pass_turn", AWAIT_PLAY, unless=(card_due, turns.previous_player_is_out), before=turns.next_player,
           rule="What was drawn is not played, the turn moves on."),
        on("pass_turn", COLOUR_NAMED, conditions=turns.wild_is_open, unless=card_due, before=turns.next_player,
           rule="What was drawn is not played, the turn moves on, the named colour holds on."),
        on("pass_turn", GAME_OVER, conditions=turns.previous_player_is_out, unless=card_due,
           before=turns.previous_player_wins, rule="The penalty of the last card is drawn, the game is over."),
        on("abandon", GAME_OVER, conditions=card_due, unless=draw_pile_left, before=turns.run_out_of_cards,
           rule="A card must be drawn and the draw pile is empty: the game is over."),
        on("abandon", GAME_OVER, conditions=(card_due, turns.previous_player_is_out), unless=draw_pile_left,
           before=turns.previous_player_wins,
           rule="The draw pile cannot give the whole penalty of the last card, the game is over.")),
}, DISJOINT)
# fmt: on
