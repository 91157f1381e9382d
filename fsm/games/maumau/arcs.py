"""The page of Mau-Mau: what is forced in each phase, and among what the player in turn chooses."""

from functools import partial

from fsm.declaration.arcs import Phase
from fsm.declaration.page import choose, forced, lay, on, page, turn
from rules.drawing import card_due, draw_one, draw_pile_left
from rules.endless import position_returns, stop_endless
from rules.maumau import game


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

# fmt: off
PLAIN = on("play", AWAIT_PLAY, rule="The card has no effect; it is the next player's turn.")
SEVEN = on("play", PENALTY_PENDING, conditions=game.seven, before=game.add_two,
           rule="A seven: the next player answers with a seven or draws two cards for each seven in a row.")
ANSWER = on("play", PENALTY_PENDING, before=game.add_two, rule=SEVEN.rule)
EIGHT = on("play", SKIP_PENDING, conditions=game.eight, rule="An eight: the next player is skipped.")
JACK = on("play", JACK_BINDING, conditions=game.jack, before=game.bind_suit,
          rule="A jack binds the suit that its player names.")
LAST = on("play", GAME_OVER, conditions=game.last_card, before=(game.lay_card, game.win),
          rule="The last card wins and has no effect.")
DRAW = on("draw", DRAWING, conditions=game.may_draw, before=draw_one,
          rule="A player who cannot play draws one card.")
AGAIN = on("abandon", GAME_OVER, conditions=position_returns, before=stop_endless,
           rule="The whole position has returned and would return for ever: nobody wins.")
DISJOINT = ((game.seven, game.eight, game.jack), (game.pile_runs_out, game.pile_must_be_turned))
laid = partial(lay, first=game.lay_card, then=game.next_player)

ARCS, CONTROL = page({
    INITIAL: forced(
        on("open", AWAIT_PLAY, rule="The opening card has no effect."),
        on("open", PENALTY_PENDING, conditions=game.seven, before=game.add_two, rule=SEVEN.rule),
        on("open", SKIP_PENDING, conditions=game.eight, rule=EIGHT.rule),
        on("open", JACK_BINDING, conditions=game.jack,
           rule="An opening jack binds no suit: any card except a jack fits.")),
    AWAIT_PLAY: turn(
        laid(game.fits, PLAIN, SEVEN, EIGHT, JACK, suits=game.suits_to_name, last=LAST), DRAW),
    JACK_BINDING: turn(laid(game.fits_bound_suit, PLAIN, SEVEN, EIGHT, last=LAST), DRAW),
    PENALTY_PENDING: turn(
        laid(game.answers_seven, ANSWER, last=LAST),
        on("draw", DRAWING, conditions=game.may_give_in, before=game.punish,
           rule="A player who does not answer the seven draws all that is due.")),
    SKIP_PENDING: forced(on("skip", AWAIT_PLAY, before=game.skip_player,
                            rule="The skipped player loses the turn, and the eight its effect.")),
    DRAWING: forced(
        on("take", DRAWING, conditions=(card_due, draw_pile_left), before=game.take_card,
           rule="The top card of the draw pile."),
        on("take", RESHUFFLE, conditions=(card_due, game.pile_runs_out), before=game.take_card,
           rule="The last card of the draw pile."),
        on("turn_pile", DRAWING, conditions=(card_due, game.pile_must_be_turned), before=game.turn_the_pile,
           rule="The draw pile has run out with nothing to turn over; the turn comes when a card must be drawn."),
        on("abandon", GAME_OVER, conditions=(card_due, game.piles_exhausted), before=game.run_out_of_cards,
           rule="A card must be drawn and neither pile can give one: nobody wins."))
    | choose(
        laid(game.fits_as_drawn, PLAIN, SEVEN, EIGHT, JACK, suits=game.suits_to_name, unless=game.last_card),
        on("pass_turn", AWAIT_PLAY, unless=card_due, before=game.next_player, rule="The turn moves on."),
        on("pass_turn", JACK_BINDING, conditions=game.jack_is_open, unless=card_due, before=game.next_player,
           rule="The turn moves on; the jack still binds the suit.")),
    RESHUFFLE: forced(on("turn_pile", DRAWING, before=game.turn_the_pile,
                         rule="Everything under the open card becomes the draw pile, with its bottom card on top.")),
}, DISJOINT, each_turn=AGAIN)
# fmt: on
