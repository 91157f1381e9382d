"""The page of official UNO: what is forced in each phase, and what may be chosen."""

from functools import partial

from fsm.declaration.arcs import phases
from fsm.declaration.page import Asking, ask, choose, forced, lay, offer, on, page, turn
from rules.asking import turn_resumes
from rules.drawing import card_due, draw_pile_left
from rules.endless import position_returns, stop_endless
from rules.piles import turn_over
from rules.uno.game import (
    draw_two,
    end_turn,
    last_card,
    number,
    reverse,
    skip,
    take_card,
    turn_direction,
    wild,
    wild_draw_four,
)
from rules.uno_official import asked, game
from rules.uno_official.game import two_play

UnoOfficialPhase = phases(
    "UnoOfficialPhase",
    "initial await-play drawn-choice uno-call uno-pending effect-pending colour-choice "
    "challenge-pending skip-pending draw-pending drawing reshuffle round-over",
)
(INITIAL, AWAIT_PLAY, DRAWN_CHOICE, UNO_CALL, UNO_PENDING, EFFECT_PENDING, COLOUR_CHOICE, CHALLENGE_PENDING,
 SKIP_PENDING, DRAW_PENDING, DRAWING, RESHUFFLE, ROUND_OVER) = UnoOfficialPhase  # fmt: skip

DISJOINT = ((number, skip, reverse, draw_two, wild, wild_draw_four),
            (game.own_draw, game.caught, game.victim, game.guilt))  # fmt: skip
CATCHING = Asking(
    phase=UNO_PENDING, nobody=EFFECT_PENDING, before=(turn_resumes,), decline="let_pass",
    another=asked.another_to_ask, ask=asked.ask_next,
    description="Nobody catches the silent player: the chance is over.",
)  # fmt: skip

TWO_REVERSE = "A reverse: with two players the other one misses the turn."
A_DRAW_TWO = "A draw two: the next player draws two cards and misses the turn."
TAKES_EFFECT, NO_EFFECT = "The card is laid and takes effect.", "A number has no effect."

# fmt: off
ONE_LEFT = on("play", UNO_CALL, conditions=game.leaves_one_card,
              rule="A player who has one card left calls or stays silent, before the card takes effect.")
LAID = partial(on, "play", EFFECT_PENDING, rule=TAKES_EFFECT)
laid = partial(lay, first=(game.settle_guilt, game.lay_card))
effect = partial(on, "take_effect")
ENDS_TURN = (end_turn, game.next_player)

ARCS, CONTROL = page({
    INITIAL: forced(
        on("open", AWAIT_PLAY, conditions=number, rule="A number is open: the seat after the dealer begins."),
        on("open", AWAIT_PLAY, conditions=reverse, before=(turn_direction, game.dealer_in_turn),
           rule="A reverse is open: the direction turns and the dealer begins."),
        on("open", SKIP_PENDING, conditions=skip, rule="A skip is open: the first player misses the turn."),
        on("open", SKIP_PENDING, conditions=(reverse, two_play), rule=TWO_REVERSE),
        on("open", DRAW_PENDING, conditions=draw_two, before=asked.victim_draws_two, rule=A_DRAW_TWO),
        on("open", COLOUR_CHOICE, conditions=wild, rule="A wild is open: the first player names the colour.")),
    AWAIT_PLAY: forced(
        on("abandon", ROUND_OVER, conditions=position_returns, before=stop_endless,
           rule="A position returns: no winner."))
    | turn(
        laid(game.may_be_laid, ONE_LEFT, LAID(unless=game.leaves_one_card)),
        on("draw", DRAWING, before=game.draw_own, rule="A player may draw one card instead.")),
    DRAWN_CHOICE: choose(
        laid(game.is_drawn_card, ONE_LEFT, LAID(unless=(game.leaves_one_card, last_card))),
        offer(on("keep", AWAIT_PLAY, before=ENDS_TURN, rule="The drawn card is kept."), seen_as="pass_turn"),
        seen_as=DRAWING),
    UNO_CALL: choose(
        on("call", EFFECT_PENDING, before=asked.count_call, rule='The player calls "Uno".'),
        on("stay_silent", UNO_PENDING, before=asked.ask_next, rule="The others may catch it.")),
    UNO_PENDING: ask(
        CATCHING, on("catch", DRAWING, before=asked.punish_silence, rule="A player who is caught draws two cards.")),
    EFFECT_PENDING: forced(
        effect(AWAIT_PLAY, conditions=number, before=game.next_player, rule=NO_EFFECT),
        effect(AWAIT_PLAY, conditions=reverse, before=(turn_direction, game.next_player),
               rule="A reverse: the direction of play turns."),
        effect(SKIP_PENDING, conditions=skip, before=game.next_player,
               rule="A skip: the next player misses the turn."),
        effect(SKIP_PENDING, conditions=(reverse, two_play), before=game.next_player, rule=TWO_REVERSE),
        effect(DRAW_PENDING, conditions=draw_two, before=(game.victim_in_turn, asked.victim_draws_two),
               rule=A_DRAW_TWO),
        effect(DRAW_PENDING, conditions=(wild_draw_four, game.out),
               before=(game.victim_in_turn, asked.victim_draws_four),
               rule="Nobody challenges a wild draw four as the last card."),
        effect(COLOUR_CHOICE, conditions=wild, rule="A wild: its player names the colour."),
        effect(COLOUR_CHOICE, conditions=wild_draw_four, unless=game.out,
               rule="A wild draw four: its player names the colour; the next player accepts or challenges."),
        effect(ROUND_OVER, conditions=game.out, unless=(draw_two, wild_draw_four), before=game.win,
               rule="The player who lays the last card goes out and wins.")),
    COLOUR_CHOICE: choose(offer(
        on("name", AWAIT_PLAY, conditions=game.no_card_laid, before=game.set_colour,
           rule="The first player names the colour of the opening wild, and begins."),
        on("name", AWAIT_PLAY, unless=game.no_card_laid, before=(game.set_colour, game.next_player),
           rule="The named colour is the current one."),
        on("name", CHALLENGE_PENDING, conditions=asked.draw_four_is_open, unless=game.no_card_laid,
           before=(game.set_colour, game.victim_in_turn), rule="The next player accepts or challenges."),
        suits=game.colours)),
    CHALLENGE_PENDING: choose(
        on("accept", DRAW_PENDING, before=asked.victim_draws_four, rule="The next player accepts the four cards."),
        offer(
            on("challenge", DRAW_PENDING, conditions=asked.guilty, before=asked.offender_draws_four,
               rule="The challenge is right: the player of the wild draw four draws four cards."),
            on("challenge", DRAW_PENDING, unless=asked.guilty, before=asked.victim_draws_six,
               rule="The challenge is wrong: the challenger draws six cards."),
            always=True)),
    SKIP_PENDING: forced(
        on("skip", AWAIT_PLAY, before=game.next_player, rule="The skipped player misses the turn.")),
    DRAW_PENDING: forced(on("draw", DRAWING, rule="All cards that are due are drawn.")),
    DRAWING: forced(
        on("take", DRAWING, conditions=(card_due, draw_pile_left), before=take_card, rule="The top card."),
        on("run_out", RESHUFFLE, conditions=(card_due, game.cards_to_turn), unless=draw_pile_left,
           rule="The pile is empty."),
        on("lapse", DRAWING, conditions=card_due, unless=(draw_pile_left, game.cards_to_turn),
           before=game.nothing_due, rule="Neither pile has a card: the cards still due lapse."),
        on("look", DRAWN_CHOICE, conditions=(game.own_draw, game.drawn_may_be_laid), unless=card_due,
           rule="The drawn card may be laid."),
        on("pass_turn", AWAIT_PLAY, conditions=game.own_draw, unless=(card_due, game.drawn_may_be_laid),
           before=ENDS_TURN, rule="The player drew no card that may be laid."),
        on("pass_turn", AWAIT_PLAY, conditions=game.victim, unless=(card_due, game.out), before=game.next_player,
           rule="The cards are drawn, and the turn is missed."),
        on("settle", ROUND_OVER, conditions=(game.victim, game.out), unless=card_due, before=game.win,
           rule="The penalty of the last card is drawn: its player has won."),
        on("resume", AWAIT_PLAY, conditions=game.guilt, unless=card_due, before=game.same_player,
           rule="The challenger goes on."),
        on("resume", EFFECT_PENDING, conditions=game.caught, unless=card_due, before=game.drawing_is_over,
           rule="The card takes effect after all.")),
    RESHUFFLE: forced(
        on("turn_pile", DRAWING, before=turn_over,
           rule="Everything under the open card is turned over; its bottom card is drawn first.")),
}, DISJOINT)
# fmt: on
