"""Mau-Mau, declared: its phases, arcs and players on one page, and the game that is stepped along it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fsm.arcs import (
    Acting,
    Arc,
    Choice,
    Effects,
    Fact,
    Invariant,
    Offer,
    Phase,
    Policy,
    Postcondition,
    SmallDeck,
    Words,
)
from fsm.chain import Chain
from fsm.declaration import Declaration
from fsm.maumau.look import LOOK
from fsm.policy import FIRST_LEGAL, RANDOM
from fsm.stepping.game import Game
from rules.cards import DECK_SIZE, FRENCH
from rules.drawing import card_due, draw_one, draw_pile_left
from rules.invariants import nothing_left_to_turn, only_open_card_lies, piles_are_sound
from rules.maumau.chain import four_sevens, one_seven, three_sevens, two_sevens
from rules.maumau.decision import (
    best_bound_card,
    best_fitting_card,
    best_jack,
    best_seven,
    drawn_card,
    drawn_card_fits,
    drawn_jack_fits,
    holds_bound_card,
    holds_fitting_card,
    holds_jack,
    holds_seven,
    most_frequent_suit,
    next_player_has_one_card,
)
from rules.maumau.drawing import drawn_cards, fits_as_drawn, may_draw, take_card
from rules.maumau.eight import eight, skip_player
from rules.maumau.finish import last_card, piles_exhausted, position_returns, run_out_of_cards, score, stop_endless, win
from rules.maumau.invariants import (
    all_hold_cards,
    binding_stays,
    card_has_no_action,
    card_is_laid,
    card_is_taken,
    cards_are_conserved,
    drawing_is_on,
    due_stays,
    eight_is_open,
    ended_rightly,
    every_card_once,
    hands_are_dealt,
    jack_lies_open,
    named_suit_binds,
    next_in_turn,
    next_is_skipped,
    no_jack_is_open,
    nobody_wins,
    nothing_due,
    nothing_moves,
    penalty_is_due,
    penalty_or_not,
    pile_is_turned,
    pile_ran_out,
    pile_was_turned_in_time,
    same_player,
    seven_makes_two_due,
    suit_is_bound_by_jack,
    turn_is_fresh,
    what_is_drawn,
    who_laid_last_card_wins,
)
from rules.maumau.jack import bind_suit, bound_cards, fits_bound_suit, jack, jack_is_open, suits_to_name
from rules.maumau.matching import fits, fitting
from rules.maumau.reshuffle import pile_must_be_turned, pile_runs_out, turn_the_pile
from rules.maumau.seven import add_two, answers_seven, may_give_in, punish, seven, sevens_in_hand
from rules.maumau.table import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    Table,
    cards_each,
    deal,
    fill,
)
from rules.maumau.turn import lay_card, next_player
from rules.rule import Guard
from rules.table import deal_in_turn


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
OUT = "A card must be drawn and neither pile can give one: nobody wins."
AGAIN = "The whole position was there before and would come back for ever: nobody wins."

ACTIONS: dict[Guard[Any], tuple[Phase, Effects, str]] = {
    seven: (PENALTY_PENDING, (add_two,), A_SEVEN),
    eight: (SKIP_PENDING, (), AN_EIGHT),
    jack: (JACK_BINDING, (bind_suit,), A_JACK),
}


def laying(source: Phase, fitting_card: Guard[Any], *ranks: Guard[Any]) -> Iterator[Arc]:
    """The arcs of a card, not the last, laid in `source`, where of the ranks with an action `ranks` may fit."""
    yield Arc("play", source, AWAIT_PLAY, (fitting_card,), (last_card, *ranks), (lay_card, next_player), ORDINARY)
    for rank in ranks:
        dest, actions, says = ACTIONS[rank]
        yield Arc("play", source, dest, (fitting_card, rank), (last_card,), (lay_card, *actions, next_player), says)


def finishing(source: Phase, fitting_card: Guard[Any]) -> Arc:
    """The arc of the last card laid in `source`; a drawn card is never the last, so drawing has none."""
    return Arc("play", source, GAME_OVER, (fitting_card, last_card), (), (lay_card, win), LAST)


def stopping(source: Phase) -> Arc:
    """The arc that ends an endless game where a turn starts in `source`."""
    return Arc("abandon", source, GAME_OVER, (position_returns,), (), (stop_endless,), AGAIN)


ARCS = (
    Arc("open", INITIAL, AWAIT_PLAY, (), (seven, eight, jack), (), "The opening card has no action."),
    Arc("open", INITIAL, PENALTY_PENDING, (seven,), (), (add_two,), A_SEVEN),
    Arc("open", INITIAL, SKIP_PENDING, (eight,), (), (), AN_EIGHT),
    Arc("open", INITIAL, JACK_BINDING, (jack,), (), (), "An opening jack binds no suit: any card but a jack fits."),
    *laying(AWAIT_PLAY, fits, seven, eight, jack),
    finishing(AWAIT_PLAY, fits),
    Arc("draw", AWAIT_PLAY, DRAWING, (may_draw,), (), (draw_one,), "Who cannot play draws one card."),
    stopping(AWAIT_PLAY),
    *laying(JACK_BINDING, fits_bound_suit, seven, eight),
    finishing(JACK_BINDING, fits_bound_suit),
    Arc("draw", JACK_BINDING, DRAWING, (may_draw,), (), (draw_one,), "Who cannot play draws one card."),
    stopping(JACK_BINDING),
    Arc("play", PENALTY_PENDING, PENALTY_PENDING, (answers_seven,), (last_card,),
        (lay_card, add_two, next_player), A_SEVEN),
    finishing(PENALTY_PENDING, answers_seven),
    Arc("draw", PENALTY_PENDING, DRAWING, (may_give_in,), (), (punish,),
        "Who does not answer the seven draws all that is due."),
    stopping(PENALTY_PENDING),
    Arc("skip", SKIP_PENDING, AWAIT_PLAY, (), (), (skip_player,),
        "The skipped player loses the turn, the eight its effect."),
    Arc("take", DRAWING, DRAWING, (card_due, draw_pile_left), (pile_runs_out,), (take_card,),
        "The top card of the draw pile."),
    Arc("take", DRAWING, RESHUFFLE, (card_due, pile_runs_out), (), (take_card,), "The last card of the draw pile."),
    Arc("turn_pile", DRAWING, DRAWING, (card_due, pile_must_be_turned), (), (turn_the_pile,),
        "The draw pile ran out with nothing to turn; it is turned when a card has to be drawn."),
    Arc("abandon", DRAWING, GAME_OVER, (card_due, piles_exhausted), (), (run_out_of_cards,), OUT),
    *laying(DRAWING, fits_as_drawn, seven, eight, jack),
    Arc("pass_turn", DRAWING, AWAIT_PLAY, (), (card_due, jack_is_open), (next_player,), "The turn moves on."),
    Arc("pass_turn", DRAWING, JACK_BINDING, (jack_is_open,), (card_due,), (next_player,),
        "The turn moves on, the jack binds on."),
    Arc("turn_pile", RESHUFFLE, DRAWING, (), (), (turn_the_pile,),
        "Everything under the open card becomes the draw pile, its bottom card on top."),
)  # fmt: skip

ACTING = {
    INITIAL: Acting(forced=("open",)),
    AWAIT_PLAY: Acting(("abandon",), (Offer("play", fitting, suits_to_name), Offer("draw")), starts_turn=True),
    JACK_BINDING: Acting(("abandon",), (Offer("play", bound_cards), Offer("draw")), starts_turn=True),
    PENALTY_PENDING: Acting(("abandon",), (Offer("play", sevens_in_hand), Offer("draw")), starts_turn=True),
    SKIP_PENDING: Acting(forced=("skip",)),
    DRAWING: Acting(("take", "turn_pile", "abandon"), (Offer("play", drawn_cards, suits_to_name), Offer("pass_turn"))),
    RESHUFFLE: Acting(forced=("turn_pile",)),
}

HIGHEST = "the fitting card of the highest value"
NOTHING_FITS = Choice("draw", says="no card fits")
HOUSE = Policy("house", {
    AWAIT_PLAY: (
        Choice("play", "rule 4", (next_player_has_one_card, holds_jack), best_jack, most_frequent_suit,
               "the next player has only one card left, so a jack goes first; its suit by rule 5"),
        Choice("play", "rule 2", (holds_fitting_card,), best_fitting_card, None, HIGHEST),
        Choice("play", "rule 3", (holds_jack,), best_jack, most_frequent_suit,
               "nothing but a jack fits; its suit by rule 5"),
        NOTHING_FITS,
    ),
    JACK_BINDING: (
        Choice("play", "rule 2", (holds_bound_card,), best_bound_card, None, HIGHEST),
        NOTHING_FITS,
    ),
    PENALTY_PENDING: (
        Choice("play", "rule 1", (holds_seven,), best_seven, None, "a seven answers the seven"),
        Choice("draw", says="there is no seven to answer with"),
    ),
    DRAWING: (
        Choice("play", "rule 2", (drawn_card_fits,), drawn_card, None, "the drawn card fits"),
        Choice("play", "rule 4", (drawn_jack_fits, next_player_has_one_card), drawn_card, most_frequent_suit,
               "the drawn card is a jack and the next player has only one card left; its suit by rule 5"),
        Choice("play", "rule 3", (drawn_jack_fits,), drawn_card, most_frequent_suit,
               "the drawn card is a jack and fits; its suit by rule 5"),
        Choice("pass_turn", says="no drawn card may be played"),
    ),
})  # fmt: skip

FACTS = (
    Fact("player", "player", "seat"),
    Fact("due", "due"),
    Fact("penalty", "punished"),
    Fact("drawn", "drawn", "card"),
    Fact("suit", "bound_suit", "suit"),
    Fact("ending", "ending", "ending"),
    Fact("winner", "winner", "seat"),
)

TURN_STARTS = (AWAIT_PLAY, JACK_BINDING, PENALTY_PENDING)
BETWEEN_CARDS = (INITIAL, *TURN_STARTS, SKIP_PENDING)
RUNNING = (*BETWEEN_CARDS, DRAWING, RESHUFFLE)

INVARIANTS = (
    Invariant("no card is in two places", every_card_once),
    Invariant("the last card of the discard pile is the open one", piles_are_sound),
    Invariant("what is drawn is a penalty or is not, which is 1 or 0", penalty_or_not),
    Invariant("at the start only the opening card lies on the discard pile", only_open_card_lies, (INITIAL,)),
    Invariant(
        "at the start player 1 is in turn, all hold equally many cards and no suit is bound",
        hands_are_dealt,
        (INITIAL,),
    ),
    Invariant("a turn starts with nothing drawn", turn_is_fresh, BETWEEN_CARDS),
    Invariant(
        "where no seven is active no card is due", nothing_due, (INITIAL, AWAIT_PLAY, JACK_BINDING, SKIP_PENDING)
    ),
    Invariant(
        "an active seven is open, two cards are due for each of some sevens in a row on top of the discard pile",
        penalty_is_due,
        (PENALTY_PENDING,),
    ),
    Invariant("a player is skipped by an open eight", eight_is_open, (SKIP_PENDING,)),
    Invariant("any fitting card is played on what is no jack", no_jack_is_open, (AWAIT_PLAY, SKIP_PENDING)),
    Invariant("a suit is bound by an open jack", jack_lies_open, (JACK_BINDING,)),
    Invariant(
        "a suit is bound exactly while a jack is open, but for the opening card and the last one", suit_is_bound_by_jack
    ),
    Invariant(
        "one card is drawn, or as a penalty two for each seven in a row, and what was drawn is in the hand",
        drawing_is_on,
        (DRAWING, RESHUFFLE),
    ),
    Invariant("the pile is turned when its last card was drawn", pile_ran_out, (RESHUFFLE,)),
    Invariant(
        "once a card was drawn, no empty draw pile lies beside cards to turn", pile_was_turned_in_time, (DRAWING,)
    ),
    Invariant("while the game runs all hold cards", all_hold_cards, RUNNING),
    Invariant("a game ends won, out of cards or endless, and rightly so", ended_rightly, (GAME_OVER,)),
)
POSTCONDITIONS = (
    Postcondition("cards are conserved", cards_are_conserved),
    Postcondition("a card goes from the hand onto the discard pile", card_is_laid, ("play",)),
    Postcondition("a card goes from the top of the draw pile into the hand", card_is_taken, ("take",)),
    Postcondition("the draw pile is turned over in its order", pile_is_turned, ("turn_pile",)),
    Postcondition("the pile is turned at once when it runs out", nothing_left_to_turn, ("take",), (DRAWING,)),
    Postcondition("no card moves but by play and take", nothing_moves,
                  ("open", "draw", "pass_turn", "skip", "abandon")),
    Postcondition("the next player is in turn", next_in_turn, ("play", "pass_turn"), RUNNING),
    Postcondition("a skipped player loses the turn", next_is_skipped, ("skip",)),
    Postcondition("the same player goes on", same_player, ("open", "draw", "take", "turn_pile", "abandon")),
    Postcondition("a seven makes two more cards due", seven_makes_two_due, ("open", "play"), RUNNING),
    Postcondition("who draws draws one card, or the penalty", what_is_drawn, ("draw",)),
    Postcondition("a pass or a skip makes no card due", due_stays, ("pass_turn", "skip")),
    Postcondition("the suit that is named with a jack binds", named_suit_binds, ("play",), (JACK_BINDING,)),
    Postcondition("a bound suit binds as long as the jack is open", binding_stays,
                  ("open", "draw", "take", "turn_pile", "pass_turn", "skip")),
    Postcondition("a card with an action has it", card_has_no_action, ("open", "play"), (AWAIT_PLAY,)),
    Postcondition("who lays the last card wins", who_laid_last_card_wins, ("play",), (GAME_OVER,)),
    Postcondition("a game that cannot go on has no winner", nobody_wins, ("abandon",)),
)  # fmt: skip

SMALL_DECKS = (
    SmallDeck("DQ DS HS DE DJ", 2, 1),
    SmallDeck("DQ HQ DS HS DE HE DJ HJ", 2, 2),
    SmallDeck("DQ HQ DS HS DE HE DJ HJ", 3, 2),
)

SEVENS = Chain("sevens", PENALTY_PENDING, (one_seven, two_sevens, three_sevens, four_sevens), answer="play")

MAUMAU = Declaration(
    title="Mau-Mau",
    name="maumau",
    table=Table,
    words=Words(notation=FRENCH, fewest=FEWEST_PLAYERS, most=MOST_PLAYERS, cards_each=cards_each, facts=FACTS),
    deck_size=DECK_SIZE,
    fill=fill,
    deal=deal,
    score=score,
    phases=MauMauPhase,
    initial=INITIAL,
    final=GAME_OVER,
    acting=ACTING,
    arcs=ARCS,
    policies=(HOUSE, RANDOM, FIRST_LEGAL),
    disjoint=((seven, eight, jack), (pile_runs_out, pile_must_be_turned)),
    deal_each=deal_in_turn,
    look=LOOK,
    chain=SEVENS,
    invariants=INVARIANTS,
    postconditions=POSTCONDITIONS,
    small_decks=SMALL_DECKS,
)


class MauMau(Game, declaration=MAUMAU):
    """A game of Mau-Mau, stepped event by event. Cards are named as in the problem: `CN`, the nine of clubs.

    >>> game = MauMau.parse(
    ...     "2 SS HA SN HQ CE SQ CA DT CK CQ DJ CN HN DN CS SA CJ DA HJ HS DE HT SE DK HK ST SJ HE DS CT DQ SK"
    ... )
    >>> game.run()
    Outcome(ending=<Ending.WON: 1>, winner=1, scores=(0, 45))
    """

    @property
    def due(self) -> int:
        """Cards that must still be drawn."""
        return int(self.table.due)

    @property
    def bound_suit(self) -> str | None:
        """The letter of the suit that the open jack binds, if it binds one."""
        return self._suit_name(self.table.bound_suit)
