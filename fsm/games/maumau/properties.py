"""The invariants and postconditions of Mau-Mau, and the small decks with which they are checked."""

from fsm.declaration.arcs import Invariant, Postcondition, ScoreInvariant, SmallDeck
from fsm.declaration.temporal import leads_to
from fsm.games.maumau.arcs import (
    AWAIT_PLAY,
    DRAWING,
    GAME_OVER,
    INITIAL,
    JACK_BINDING,
    PENALTY_PENDING,
    RESHUFFLE,
    SKIP_PENDING,
)
from rules.invariants import (
    all_hold_cards,
    card_is_laid,
    due_stays,
    nothing_due,
    nothing_left_to_turn,
    nothing_moves,
    only_open_card_lies,
    piles_are_sound,
    same_player,
)
from rules.maumau import invariants

TURN_STARTS = (AWAIT_PLAY, JACK_BINDING, PENALTY_PENDING)
BETWEEN_CARDS = (INITIAL, *TURN_STARTS, SKIP_PENDING)
BETWEEN = (PENALTY_PENDING, SKIP_PENDING)
RUNNING = (*BETWEEN_CARDS, DRAWING, RESHUFFLE)

INVARIANTS = (
    Invariant("the last card of the discard pile is the open one", piles_are_sound),
    Invariant("what is drawn is a penalty or is not, which is 1 or 0", invariants.penalty_or_not),
    Invariant("at the start only the opening card lies on the discard pile", only_open_card_lies, (INITIAL,)),
    Invariant(
        "at the start player 1 is in turn, all hold equally many cards and no suit is bound",
        invariants.hands_are_dealt,
        (INITIAL,),
    ),
    Invariant("a turn starts with nothing drawn", invariants.turn_is_fresh, BETWEEN_CARDS),
    Invariant(
        "where no seven is active no card is due",
        nothing_due,
        (INITIAL, AWAIT_PLAY, JACK_BINDING, SKIP_PENDING),
    ),
    Invariant(
        "an active seven is open, two cards are due for each of some sevens in a row on top of the discard pile",
        invariants.penalty_is_due,
        (PENALTY_PENDING,),
    ),
    Invariant("a player is skipped by an open eight", invariants.eight_is_open, (SKIP_PENDING,)),
    Invariant(
        "any fitting card is played on a card that is not a jack",
        invariants.no_jack_is_open,
        (AWAIT_PLAY, SKIP_PENDING),
    ),
    Invariant("a suit is bound by an open jack", invariants.jack_lies_open, (JACK_BINDING,)),
    Invariant(
        "a suit is bound exactly while a jack is open, except for the opening card and the last one",
        invariants.suit_is_bound_by_jack,
    ),
    Invariant(
        "one card is drawn, or as a penalty two for each seven in a row, and what was drawn is in the hand",
        invariants.drawing_is_on,
        (DRAWING, RESHUFFLE),
    ),
    Invariant("the pile is turned when its last card was drawn", invariants.pile_ran_out, (RESHUFFLE,)),
    Invariant(
        "once a card was drawn, no empty draw pile lies beside cards to turn",
        invariants.pile_was_turned_in_time,
        (DRAWING,),
    ),
    Invariant("while the game runs all hold cards", all_hold_cards, RUNNING),
    Invariant("a game ends won, out of cards or endless, and rightly so", invariants.ended_rightly, (GAME_OVER,)),
    ScoreInvariant(
        "every player scores the values of the cards in hand, twice if the last card was a jack",
        invariants.is_left_with,
        (GAME_OVER,),
    ),
)
POSTCONDITIONS = (
    Postcondition("a card goes from the hand onto the discard pile", card_is_laid, ("play",)),
    Postcondition("a card goes from the top of the draw pile into the hand", invariants.card_is_taken, ("take",)),
    Postcondition("the draw pile is turned over in its order", invariants.pile_is_turned, ("turn_pile",)),
    Postcondition("the pile is turned at once when it runs out", nothing_left_to_turn, ("take",), (DRAWING,)),
    Postcondition("no card moves except by play and take", nothing_moves,
                  ("open", "draw", "pass_turn", "skip", "abandon")),
    Postcondition("the next player is in turn", invariants.next_in_turn, ("play", "pass_turn"), RUNNING),
    Postcondition("a skipped player loses the turn", invariants.next_is_skipped, ("skip",)),
    Postcondition("the same player goes on", same_player, ("open", "draw", "take", "turn_pile", "abandon")),
    Postcondition("a seven makes two more cards due", invariants.seven_makes_two_due, ("open", "play"), RUNNING),
    Postcondition("a player who draws draws one card, or the penalty", invariants.what_is_drawn, ("draw",)),
    Postcondition("a pass or a skip makes no card due", due_stays, ("pass_turn", "skip")),
    Postcondition("the suit that is named with a jack binds", invariants.named_suit_binds, ("play",), (JACK_BINDING,)),
    Postcondition("a bound suit binds as long as the jack is open", invariants.binding_stays,
                  ("open", "draw", "take", "turn_pile", "pass_turn", "skip")),
    Postcondition("a card with an effect has it", invariants.card_has_no_action, ("open", "play"), (AWAIT_PLAY,)),
    Postcondition("a player who lays the last card wins", invariants.who_laid_last_card_wins, ("play",), (GAME_OVER,)),
    Postcondition("a game that cannot go on has no winner", invariants.nobody_wins, ("abandon",)),
)  # fmt: skip

OVER_TIME = (
    leads_to("sevens are answered until somebody draws or has won", PENALTY_PENDING, (DRAWING, GAME_OVER)),
    leads_to("a player who draws stops drawing", (DRAWING, RESHUFFLE), (AWAIT_PLAY, JACK_BINDING, *BETWEEN, GAME_OVER)),
)

SMALL_DECKS = (
    SmallDeck("DQ DS HS DE DJ", 2, 1),
    SmallDeck("DQ HQ DS HS DE HE DJ HJ", 2, 2, large=True),
    SmallDeck("DQ HQ DS HS DE HE DJ HJ", 3, 2, large=True),
)
