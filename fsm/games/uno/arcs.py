"""The page of UNO: what is forced in each phase, and among what the player in turn chooses."""

from functools import partial

from fsm.declaration.arcs import phases
from fsm.declaration.page import forced, lay, on, page, turn
from rules.drawing import card_due, draw_one, draw_pile_left
from rules.uno import decision, game

UnoPhase = phases("UnoPhase", "initial await-play colour-named draw-pending skip-pending drawing game-over")
INITIAL, AWAIT_PLAY, COLOUR_NAMED, DRAW_PENDING, SKIP_PENDING, DRAWING, GAME_OVER = UnoPhase

PENALTIES = (game.draw_two, game.wild_draw_four)
"""The kinds whose effect is carried out before the game is over, also of the last card."""
DISJOINT = ((game.number, game.skip, game.reverse, game.draw_two, game.wild, game.wild_draw_four),)

# fmt: off
NUMBER = on("play", AWAIT_PLAY, conditions=game.number, rule="A number has no effect; it is the next player's turn.")
SKIP = on("play", SKIP_PENDING, conditions=game.skip, rule="A skip: the next player loses the turn.")
REVERSE = on("play", AWAIT_PLAY, conditions=game.reverse, before=game.turn_direction,
             rule="A reverse: the direction of play turns.")
DRAW_TWO = on("play", DRAW_PENDING, conditions=game.draw_two, before=game.add_two,
              rule="A draw two: the next player draws two cards and loses the turn.")
WILD = on("play", COLOUR_NAMED, conditions=game.wild, before=game.name_colour,
          rule="A wild: its player names the colour of the next card.")
WILD_DRAW_FOUR = on(
    "play", DRAW_PENDING, conditions=game.wild_draw_four, before=(game.name_colour, game.add_four),
    rule="A wild draw four: its player names a colour; the next player draws four cards and loses the turn.")
LAST = on("play", GAME_OVER, conditions=game.last_card, unless=PENALTIES, before=(game.lay_card, game.win),
          rule="The last card ends the game.")
NOTHING_FITS = "A player who holds no fitting card draws one."

KINDS = NUMBER, SKIP, REVERSE, DRAW_TWO, WILD, WILD_DRAW_FOUR
dropped = partial(
    lay, suits=game.colours_to_name, first=(game.lay_card, game.call_uno), then=game.next_player, last=LAST
)

ARCS, CONTROL = page({
    INITIAL: forced(
        on("open", AWAIT_PLAY, conditions=game.number, before=game.move_on,
           rule="The opening card counts as dropped by player 1."),
        on("open", SKIP_PENDING, conditions=game.skip, before=game.move_on, rule=SKIP.rule),
        on("open", AWAIT_PLAY, conditions=game.reverse, before=(game.turn_direction, game.move_on),
           rule=REVERSE.rule),
        on("open", DRAW_PENDING, conditions=game.draw_two, before=(game.add_two, game.move_on),
           rule=DRAW_TWO.rule)),
    AWAIT_PLAY: turn(
        dropped(game.fits, *KINDS),
        on("draw", DRAWING, unless=decision.holds_fitting_card, before=draw_one, rule=NOTHING_FITS)),
    COLOUR_NAMED: turn(
        dropped(game.fits_colour, *KINDS),
        on("draw", DRAWING, unless=decision.holds_fitting_colour, before=draw_one, rule=NOTHING_FITS)),
    SKIP_PENDING: forced(
        on("skip", AWAIT_PLAY, before=game.move_on, rule="The skipped player loses the turn.")),
    DRAW_PENDING: forced(on("draw", DRAWING, rule="All cards that are due are drawn.")),
    DRAWING: forced(
        on("take", DRAWING, conditions=(card_due, draw_pile_left), before=game.take_card,
           rule="The top card of the draw pile."),
        on("pass_turn", AWAIT_PLAY, unless=(card_due, game.previous_player_is_out), before=game.next_player,
           rule="The drawn card is not played; the turn moves on."),
        on("pass_turn", COLOUR_NAMED, conditions=game.wild_is_open, unless=card_due, before=game.next_player,
           rule="The drawn card is not played; the turn moves on, and the named colour still holds."),
        on("pass_turn", GAME_OVER, conditions=game.previous_player_is_out, unless=card_due,
           before=game.previous_player_wins, rule="The penalty of the last card is drawn; the game is over."),
        on("abandon", GAME_OVER, conditions=card_due, unless=draw_pile_left, before=game.run_out_of_cards,
           rule="A card must be drawn and the draw pile is empty: the game is over."),
        on("abandon", GAME_OVER, conditions=(card_due, game.previous_player_is_out), unless=draw_pile_left,
           before=game.previous_player_wins,
           rule="The draw pile cannot give the whole penalty of the last card; the game is over.")),
}, DISJOINT)
# fmt: on
