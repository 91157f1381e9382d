"""The invariants and postconditions of UNO, and the small decks with which they are checked."""

from fsm.declaration.arcs import Invariant, Postcondition, ScoreInvariant, SmallDeck
from fsm.games.uno.arcs import AWAIT_PLAY, COLOUR_NAMED, DRAW_PENDING, DRAWING, GAME_OVER, INITIAL, SKIP_PENDING
from rules.invariants import all_hold_cards, due_stays, nothing_due, only_open_card_lies, piles_are_sound, same_player
from rules.uno import invariants

BETWEEN_CARDS = (INITIAL, AWAIT_PLAY, COLOUR_NAMED, SKIP_PENDING)
RUNNING = (*BETWEEN_CARDS, DRAW_PENDING, DRAWING)

INVARIANTS = (
    Invariant("the last card of the discard pile is the open one", piles_are_sound),
    Invariant("the direction of play is reversed or is not, which is 1 or 0", invariants.direction_is_valid),
    Invariant(
        "colour or rank is matched on a card that is not a wild",
        invariants.no_wild_is_open,
        (INITIAL, AWAIT_PLAY, SKIP_PENDING),
    ),
    Invariant("at the start only the opening card lies on the discard pile", only_open_card_lies, (INITIAL,)),
    Invariant(
        "at the start player 1 is in turn, all hold equally many cards and nobody has dropped one",
        invariants.hands_are_dealt,
        (INITIAL,),
    ),
    Invariant("where nobody draws no card is due", nothing_due, BETWEEN_CARDS),
    Invariant("while nobody draws all hold cards", all_hold_cards, BETWEEN_CARDS),
    Invariant(
        "a colour is named exactly while a wild is open that was not the last card", invariants.wild_names_a_colour
    ),
    Invariant("the named colour is matched on a wild", invariants.colour_is_named, (COLOUR_NAMED,)),
    Invariant("a player is skipped by an open skip", invariants.skip_is_open, (SKIP_PENDING,)),
    Invariant("a draw two or wild draw four makes two or four cards due", invariants.penalty_is_due, (DRAW_PENDING,)),
    Invariant(
        "one card is drawn where none fits, or what the open card demands, and what was drawn is in the hand",
        invariants.drawing_is_on,
        (DRAW_PENDING, DRAWING),
    ),
    Invariant(
        "the direction of play has turned with each reverse on the discard pile",
        invariants.reverses_were_dropped,
        (*BETWEEN_CARDS[1:], DRAW_PENDING, DRAWING, GAME_OVER),
    ),
    Invariant("the wilds with which colours were named lie on the discard pile", invariants.wilds_were_dropped),
    Invariant("a player who calls has dropped a card", invariants.calls_were_made),
    Invariant("a game ends won or out of cards, and rightly so", invariants.ended_rightly, (GAME_OVER,)),
    ScoreInvariant("every player is left with the points of the cards in hand", invariants.is_left_with, (GAME_OVER,)),
    ScoreInvariant(
        "in a match the winner scores the points of all other hands",
        invariants.winner_scores_other_hands,
        (GAME_OVER,),
        True,
    ),
)
POSTCONDITIONS = (
    Postcondition("a card goes from the hand onto the discard pile", invariants.card_is_laid, ("play",)),
    Postcondition("a card goes from the top of the draw pile into the hand", invariants.card_is_taken, ("take",)),
    Postcondition("no card moves except by play and take", invariants.nothing_moves,
                  ("open", "draw", "pass_turn", "skip", "abandon")),
    Postcondition("the next player is in turn", invariants.next_in_turn, ("play", "pass_turn"), RUNNING),
    Postcondition("the opening card and a skip move on", invariants.turn_moves_on, ("open", "skip")),
    Postcondition("the same player goes on", same_player, ("draw", "take")),
    Postcondition("a reverse turns the direction", invariants.reverse_turns_direction, ("open", "play"), RUNNING),
    Postcondition("the direction stays, except for a reverse", invariants.direction_stays,
                  ("draw", "take", "pass_turn", "skip", "abandon")),
    Postcondition("a draw two makes two cards due, a wild draw four four", invariants.penalty_becomes_due,
                  ("open", "play"), RUNNING),
    Postcondition("cards are drawn where one is due", invariants.drawing_goes_on, dests=(DRAWING,)),
    Postcondition("a player who can drop a card must", invariants.nothing_fits, ("draw",)),
    Postcondition("a player who draws draws one card, or the penalty", invariants.what_is_drawn, ("draw",)),
    Postcondition("a pass, a skip or an end makes no card due", due_stays, ("pass_turn", "skip", "abandon")),
    Postcondition("a wild names the colour", invariants.wild_names_colour, ("play",), RUNNING),
    Postcondition("a named colour holds as long as the wild is open", invariants.colour_stays,
                  ("open", "draw", "take", "pass_turn", "skip", "abandon")),
    Postcondition("a player who drops down to one card calls", invariants.one_card_left_is_called, ("play",)),
    Postcondition("nobody calls except by a drop", invariants.nobody_calls,
                  ("open", "draw", "take", "pass_turn", "skip", "abandon")),
    Postcondition("a card with an effect has it", invariants.number_or_reverse, ("open", "play"), (AWAIT_PLAY,)),
    Postcondition("a wild draw four makes the next player draw", invariants.plain_wild, ("play",), (COLOUR_NAMED,)),
    Postcondition("a player who drops the last card wins",
                  invariants.who_dropped_last_card_wins, ("play",), (GAME_OVER,)),
    Postcondition("the last card takes effect, then its player has won", invariants.who_is_out_wins,
                  ("pass_turn", "abandon"), (GAME_OVER,)),
)  # fmt: skip

SMALL_DECKS = (
    SmallDeck("Y1 RS YR YD WC WF", 2, 2),
    SmallDeck("Y1 Y1 R1 RS YR RD YD WC WC WF", 2, 2, large=True),
    SmallDeck("Y1 Y1 R1 RS YR RD YD WC WF WF", 3, 2, large=True),
)
