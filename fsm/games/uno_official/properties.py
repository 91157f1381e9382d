"""The invariants and postconditions of official UNO, and the small decks with which they are checked."""

from fsm.declaration.arcs import Invariant, Postcondition, ScoreInvariant, SmallDeck
from fsm.declaration.temporal import leads_to
from fsm.games.uno_official.arcs import (
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
)
from rules.invariants import all_hold_cards, only_open_card_lies, piles_are_sound
from rules.uno.invariants import (
    card_is_laid,
    card_is_taken,
    direction_stays,
    is_left_with,
    nobody_calls,
    nothing_moves,
    winner_scores_other_hands,
)
from rules.uno_official import invariants, postconditions

LAID = (UNO_CALL, UNO_PENDING, EFFECT_PENDING)
DRAWS = (DRAW_PENDING, DRAWING, RESHUFFLE)
TURN_BEGINS = (INITIAL, AWAIT_PLAY, SKIP_PENDING)
SETTLED = (*TURN_BEGINS, DRAWN_CHOICE, COLOUR_CHOICE, CHALLENGE_PENDING)
"""The phases in which nobody draws and no card is being laid."""

INVARIANTS = (
    Invariant("the last card of the discard pile is the open one", piles_are_sound),
    Invariant("all facts are what they can be", invariants.facts_are_in_range),
    Invariant("at the start only the opening card lies on the discard pile", only_open_card_lies, (INITIAL,)),
    Invariant("at the start the seat after the dealer is in turn, hands are equal, no wild draw four is open",
              invariants.hands_are_dealt, (INITIAL,)),
    Invariant("the player in turn acts unless others are asked or draw", invariants.who_acts_is_in_turn,
              (*SETTLED, UNO_CALL, EFFECT_PENDING)),
    Invariant("the others are asked whether they catch", invariants.another_is_asked, (UNO_PENDING,)),
    Invariant("a turn begins with no effect going on", invariants.no_effect_goes_on, (*TURN_BEGINS, DRAWN_CHOICE)),
    Invariant("where nobody draws nothing is due and no card was drawn", invariants.nothing_drawn,
              (*TURN_BEGINS, *LAID, COLOUR_CHOICE, CHALLENGE_PENDING)),
    Invariant("where a card is laid it is one of the player in turn", invariants.card_of_player_in_turn, LAID),
    Invariant("one card is left where a call is due", invariants.one_card_is_left, (UNO_CALL, UNO_PENDING)),
    Invariant("all hold cards until the end", all_hold_cards, (*SETTLED, UNO_CALL, UNO_PENDING)),
    Invariant("only the player who laid the open card is out", invariants.only_who_laid_may_be_out,
              (EFFECT_PENDING, *DRAWS, ROUND_OVER)),
    Invariant("the current colour is that of a coloured open card", invariants.colour_of_coloured_card),
    Invariant("where cards are laid there is a current colour", invariants.colour_is_known,
              (AWAIT_PLAY, DRAWN_CHOICE, SKIP_PENDING, CHALLENGE_PENDING)),
    Invariant("a wild has no colour before it is named", invariants.wild_has_no_colour,
              (INITIAL, *LAID, COLOUR_CHOICE)),
    Invariant("a colour is named for a wild", invariants.wild_is_open, (COLOUR_CHOICE,)),
    Invariant("a player who laid a wild names its colour, the first player that of the opening wild",
              invariants.who_laid_wild_names_colour, (COLOUR_CHOICE,)),
    Invariant("cards are drawn when a colour is named, except by a player who is caught, or for a last card",
              invariants.wild_has_colour_in_time, DRAWS),
    Invariant("guilt is of a wild draw four", invariants.guilt_is_of_a_draw_four),
    Invariant("a player who has one card left is guilty if it has the previous colour", invariants.guilt_is_shown,
              (UNO_CALL, UNO_PENDING)),
    Invariant("an empty hand is innocent", invariants.innocent_when_out),
    Invariant("for a wild draw four the previous colour is known", invariants.draw_four_has_colour_before,
              (*LAID, COLOUR_CHOICE, CHALLENGE_PENDING)),
    Invariant("a wild draw four is challenged by the player after the one who laid it, and holds a card",
              invariants.challenge_is_possible, (CHALLENGE_PENDING,)),
    Invariant("a turn is missed for a skip, or for a reverse of two players", invariants.turn_is_missed,
              (SKIP_PENDING,)),
    Invariant("the drawn card may be laid", invariants.drawn_card_may_be_laid, (DRAWN_CHOICE,)),
    Invariant("cards are drawn for a reason, no more than are due for it", invariants.drawing_is_on, DRAWS),
    Invariant("a penalty is what the open card demands, or six cards for a wrong challenge", invariants.penalty_is_due,
              (DRAW_PENDING,)),
    Invariant("the pile is turned where a card is due and the draw pile is empty", invariants.pile_is_to_be_turned,
              (RESHUFFLE,)),
    Invariant("a round ends won or endless, and rightly so", invariants.ended_rightly, (ROUND_OVER,)),
    ScoreInvariant("every player is left with the points of the cards in hand", is_left_with, (ROUND_OVER,)),
    ScoreInvariant(
        "in a match the winner scores the points of all other hands", winner_scores_other_hands, (ROUND_OVER,), True
    ),
)  # fmt: skip

MOVING = ("play", "take", "turn_pile")
STILL = ("open", "abandon", "draw", "keep", "call", "stay_silent", "catch", "let_pass", "take_effect", "name", "accept",
         "challenge", "skip", "run_out", "lapse", "look", "pass_turn", "settle", "resume")  # fmt: skip
TURNS = ("play", "keep", "pass_turn")
"""The events with which a turn may be counted."""
DIRECTING = ("open", "take_effect")
COLOURING = ("play", "name")

POSTCONDITIONS = (
    Postcondition("a card goes from the hand onto the discard pile", card_is_laid, ("play",)),
    Postcondition("a card goes from the top of the draw pile into the hand", card_is_taken, ("take",)),
    Postcondition("the card that is taken is the drawn one", postconditions.card_is_drawn, ("take",)),
    Postcondition("the draw pile is turned over in its order", postconditions.pile_is_turned, ("turn_pile",)),
    Postcondition("no card moves except by play, take and the turning of the pile", nothing_moves, STILL),
    Postcondition("a reverse turns the direction unless two play", postconditions.direction_turns, DIRECTING),
    Postcondition("the direction stays, except for a reverse", direction_stays,
                  tuple(event for event in (*STILL, *MOVING) if event not in DIRECTING)),
    Postcondition("a player who lays a card or keeps it has taken a turn",
                  postconditions.turn_is_counted, ("play", "keep")),
    Postcondition("a player who draws without laying has taken a turn, a victim has not",
                  postconditions.own_draw_is_a_turn,
                  ("pass_turn",)),
    Postcondition("nothing else is a turn", postconditions.no_turn_is_counted,
                  tuple(event for event in (*STILL, *MOVING) if event not in TURNS)),
    Postcondition("the seat after the dealer begins, or the dealer after a reverse",
                  postconditions.opening_names_the_first_player, ("open",)),
    Postcondition("only an opening draw two makes cards due",
                  postconditions.nothing_is_due_but_for_a_draw_two, ("open",)),
    Postcondition("the same player goes on", postconditions.same_in_turn,
                  ("play", "draw", "take", "turn_pile", "call", "run_out", "lapse", "look")),
    Postcondition("a laid card fits, or is a wild", postconditions.laid_card_fits, ("play",)),
    Postcondition("guilt is settled when the card is laid", postconditions.guilt_is_settled, ("play",)),
    Postcondition("a player who does not have exactly one card left has nothing to call",
                  postconditions.not_one_card_is_left_after, ("play",),
                  (EFFECT_PENDING,)),
    Postcondition("a player may draw one card; a penalty stays", postconditions.one_is_due, ("draw",)),
    Postcondition("a call is counted", postconditions.call_is_counted, ("call",)),
    Postcondition("nobody calls otherwise", nobody_calls,
                  tuple(event for event in (*STILL, *MOVING) if event != "call")),
    Postcondition("the next seat is asked", postconditions.next_is_asked, ("stay_silent", "let_pass"), (UNO_PENDING,)),
    Postcondition("when all were asked the card takes effect", postconditions.all_were_asked, ("let_pass",),
                  (EFFECT_PENDING,)),
    Postcondition("a player who is caught draws two cards", postconditions.silence_costs_two, ("catch",)),
    Postcondition("a number has no effect, a reverse turns the direction", postconditions.number_or_reverse,
                  ("open", "take_effect"), (AWAIT_PLAY,)),
    Postcondition("the next player draws", postconditions.is_drawing, ("take_effect",), (DRAW_PENDING,)),
    Postcondition("the player goes on to name the colour",
                  postconditions.same_in_turn, ("take_effect",), (COLOUR_CHOICE,)),
    Postcondition("the last card has no other effect",
                  postconditions.effect_is_left_out, ("take_effect",), (ROUND_OVER,)),
    Postcondition("an effect moves the turn on", postconditions.next_in_turn, ("take_effect",),
                  (AWAIT_PLAY, SKIP_PENDING, DRAW_PENDING)),
    Postcondition("the named colour is the current one", postconditions.named_colour_is_current, ("name",)),
    Postcondition("the colour stays until a card is laid", postconditions.colour_stays,
                  tuple(event for event in (*STILL, *MOVING) if event not in COLOURING)),
    Postcondition("a player who named the colour of the opening wild begins, else the turn moves on",
                  postconditions.turn_of_who_named, ("name",)),
    Postcondition("four cards are accepted", postconditions.acceptance_costs_four, ("accept",)),
    Postcondition("a challenge costs four cards or six", postconditions.challenge_costs, ("challenge",)),
    Postcondition("a challenge leaves the turn", postconditions.turn_stays, ("accept", "challenge")),
    Postcondition("an effect that goes on stays what it is", postconditions.effect_goes_on,
                  ("call", "stay_silent", "catch", "let_pass", "accept", "challenge", "draw", "take", "turn_pile",
                   "run_out", "lapse", "settle")),
    Postcondition("a missed turn, a kept card and a pass move the turn on", postconditions.next_in_turn,
                  ("skip", "keep", "pass_turn")),
    Postcondition("when the pile is turned, or looked at, what is drawn stays", postconditions.due_and_reason_stay,
                  ("run_out", "turn_pile", "look")),
    Postcondition("a penalty is announced before it is drawn", postconditions.penalty_was_announced, dests=(DRAWING,)),
    Postcondition("the reason for drawing stays", postconditions.turn_stays, ("take", "lapse")),
    Postcondition("what is due lapses where neither pile has a card",
                  postconditions.neither_pile_had_a_card, ("lapse",)),
    Postcondition("what was drawn before stays drawn", postconditions.reason_and_card_stay, ("lapse",)),
    Postcondition("drawing is over when nothing is due", postconditions.drawing_is_over,
                  ("look", "pass_turn", "settle", "resume")),
    Postcondition("a drawn card that may be laid is offered", postconditions.drawn_card_is_kept, ("pass_turn",)),
    Postcondition("the challenger goes on", postconditions.challenger_goes_on, ("resume",), (AWAIT_PLAY,)),
    Postcondition("a player who was caught goes on", postconditions.caught_goes_on, ("resume",), (EFFECT_PENDING,)),
)  # fmt: skip

OVER_TIME = (
    leads_to("a card that leaves one in the hand takes effect when the call is settled", (UNO_CALL, UNO_PENDING),
             EFFECT_PENDING),
)  # fmt: skip

SMALL_DECKS = (
    SmallDeck("YS YR WF R1", 2, 1),
    SmallDeck("Y1 R1 RS YR YD WC WF", 2, 2, large=True),
    SmallDeck("Y1 YR YD WC WF", 3, 1, large=True),
)
