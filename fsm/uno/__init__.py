"""UNO, declared: its phases, arcs and players on one page, and the game that is stepped along it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

from fsm.arcs import (
    Acting,
    Arc,
    Call,
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
from fsm.declaration import Declaration
from fsm.policy import FIRST_LEGAL, RANDOM, Policies
from fsm.stepping.game import Game
from fsm.uno.look import LOOK
from rules.drawing import card_due, draw_one, draw_pile_left
from rules.invariants import only_open_card_lies, piles_are_sound
from rules.reading import STDIN, Dealt
from rules.rule import Guard
from rules.table import dealt_in_rows, held_with_twins, receive_twin
from rules.uno.cards import DECK_SIZE, UNO_CARDS
from rules.uno.decision import (
    holds_fitting_card,
    holds_fitting_colour,
    most_points,
    most_points_of_colour,
    next_colour,
)
from rules.uno.draw_two import add_two, draw_two
from rules.uno.drawing import take_card
from rules.uno.finish import (
    last_card,
    previous_player_is_out,
    previous_player_wins,
    run_out_of_cards,
    score,
    win,
)
from rules.uno.invariants import (
    all_hold_cards,
    calls_were_made,
    card_is_laid,
    card_is_taken,
    cards_are_conserved,
    colour_is_named,
    colour_stays,
    direction_is_told,
    direction_stays,
    drawing_goes_on,
    drawing_is_on,
    due_stays,
    ended_rightly,
    hands_are_dealt,
    next_in_turn,
    no_card_too_often,
    no_wild_is_open,
    nobody_calls,
    nothing_due,
    nothing_fits,
    nothing_moves,
    number_or_reverse,
    one_card_left_is_called,
    penalty_becomes_due,
    penalty_is_due,
    plain_wild,
    reverse_turns_direction,
    reverses_were_dropped,
    same_player,
    skip_is_open,
    turn_moves_on,
    what_is_drawn,
    who_dropped_last_card_wins,
    who_is_out_wins,
    wild_names_a_colour,
    wild_names_colour,
    wilds_were_dropped,
)
from rules.uno.matching import fits, fits_colour, fitting, fitting_colour, number
from rules.uno.problem import read_games, read_line, write_line
from rules.uno.reverse import reverse, turn_direction
from rules.uno.skip import skip
from rules.uno.table import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    Table,
    cards_each,
    deal,
    deal_each,
    expose_no_wild,
    fill,
)
from rules.uno.turn import lay_card, move_on, next_player
from rules.uno.uno_call import call_uno, calls
from rules.uno.wild import colours_to_name, name_colour, wild, wild_is_open
from rules.uno.wild_draw_four import add_four, wild_draw_four


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
    number: (AWAIT_PLAY, (), A_NUMBER),
    skip: (SKIP_PENDING, (), A_SKIP),
    reverse: (AWAIT_PLAY, (turn_direction,), A_REVERSE),
    draw_two: (DRAW_PENDING, (add_two,), A_DRAW_TWO),
    wild: (COLOUR_NAMED, (name_colour,), A_WILD),
    wild_draw_four: (DRAW_PENDING, (name_colour, add_four), A_WILD_DRAW_FOUR),
}
PENALTIES = (draw_two, wild_draw_four)
"""The kinds whose effect is carried out before the game is over, also of the last card."""


def dropping(source: Phase, fitting_card: Guard[Any]) -> Iterator[Arc]:
    """The arcs of a card that is dropped in `source`."""
    for kind, (dest, effects, says) in EFFECTS.items():
        unless = () if kind in PENALTIES else (last_card,)
        yield Arc("play", source, dest, (fitting_card, kind), unless, (lay_card, call_uno, *effects, next_player), says)
    yield Arc("play", source, GAME_OVER, (fitting_card, last_card), PENALTIES, (lay_card, win), LAST)


ARCS = (
    Arc("open", INITIAL, AWAIT_PLAY, (number,), (), (move_on,), "The opening card counts as dropped by player 1."),
    Arc("open", INITIAL, SKIP_PENDING, (skip,), (), (move_on,), A_SKIP),
    Arc("open", INITIAL, AWAIT_PLAY, (reverse,), (), (turn_direction, move_on), A_REVERSE),
    Arc("open", INITIAL, DRAW_PENDING, (draw_two,), (), (add_two, move_on), A_DRAW_TWO),
    *dropping(AWAIT_PLAY, fits),
    Arc("draw", AWAIT_PLAY, DRAWING, (), (holds_fitting_card,), (draw_one,), NOTHING_FITS),
    *dropping(COLOUR_NAMED, fits_colour),
    Arc("draw", COLOUR_NAMED, DRAWING, (), (holds_fitting_colour,), (draw_one,), NOTHING_FITS),
    Arc("skip", SKIP_PENDING, AWAIT_PLAY, (), (), (move_on,), "The skipped player loses the turn."),
    Arc("draw", DRAW_PENDING, DRAWING, (), (), (), "All cards that are due are drawn."),
    Arc("take", DRAWING, DRAWING, (card_due, draw_pile_left), (), (take_card,), "The top card of the draw pile."),
    Arc("pass_turn", DRAWING, AWAIT_PLAY, (), (card_due, previous_player_is_out, wild_is_open), (next_player,),
        "What was drawn is not played, the turn moves on."),
    Arc("pass_turn", DRAWING, COLOUR_NAMED, (wild_is_open,), (card_due, previous_player_is_out), (next_player,),
        "What was drawn is not played, the turn moves on, the named colour holds on."),
    Arc("pass_turn", DRAWING, GAME_OVER, (previous_player_is_out,), (card_due,), (previous_player_wins,),
        "The penalty of the last card is drawn, the game is over."),
    Arc("abandon", DRAWING, GAME_OVER, (card_due,), (draw_pile_left, previous_player_is_out), (run_out_of_cards,), OUT),
    Arc("abandon", DRAWING, GAME_OVER, (card_due, previous_player_is_out), (draw_pile_left,), (previous_player_wins,),
        "The draw pile cannot give the whole penalty of the last card, the game is over."),
)  # fmt: skip

ACTING = {
    INITIAL: Acting(forced=("open",)),
    AWAIT_PLAY: Acting((), (Offer("play", fitting, colours_to_name), Offer("draw")), starts_turn=True),
    COLOUR_NAMED: Acting((), (Offer("play", fitting_colour, colours_to_name), Offer("draw")), starts_turn=True),
    DRAW_PENDING: Acting(forced=("draw",)),
    SKIP_PENDING: Acting(forced=("skip",)),
    DRAWING: Acting(forced=("take", "pass_turn", "abandon")),
}

MOST_POINTS = "of those that fit, and among equals the first in the alphabet"
HOUSE = Policy("house", {
    AWAIT_PLAY: (
        Choice("play", "most points", (holds_fitting_card,), most_points, next_colour, MOST_POINTS),
        Choice("draw", says="no card fits"),
    ),
    COLOUR_NAMED: (
        Choice("play", "most points", (holds_fitting_colour,), most_points_of_colour, next_colour, MOST_POINTS),
        Choice("draw", says="no card fits"),
    ),
})  # fmt: skip

FACTS = (
    Fact("player", "player", "seat"),
    Fact("reversed", "reversed"),
    Fact("due", "due"),
    Fact("colour", "colour", "suit"),
    Fact("wilds", "wilds", "counts"),
    Fact("calls", "uno_calls", "counts"),
    Fact("ending", "ending", "ending"),
    Fact("winner", "winner", "seat"),
)

BETWEEN_CARDS = (INITIAL, AWAIT_PLAY, COLOUR_NAMED, SKIP_PENDING)
RUNNING = (*BETWEEN_CARDS, DRAW_PENDING, DRAWING)

INVARIANTS = (
    Invariant("no card is there too often", no_card_too_often),
    Invariant("the last card of the discard pile is the open one", piles_are_sound),
    Invariant("the direction of play is reversed or is not, which is 1 or 0", direction_is_told),
    Invariant("colour or rank is matched on what is no wild", no_wild_is_open, (INITIAL, AWAIT_PLAY, SKIP_PENDING)),
    Invariant("at the start only the opening card lies on the discard pile", only_open_card_lies, (INITIAL,)),
    Invariant(
        "at the start player 1 is in turn, all hold equally many cards and nobody has dropped one",
        hands_are_dealt,
        (INITIAL,),
    ),
    Invariant("where nobody draws no card is due", nothing_due, BETWEEN_CARDS),
    Invariant("while nobody draws all hold cards", all_hold_cards, BETWEEN_CARDS),
    Invariant("a colour is named exactly while a wild is open that was not the last card", wild_names_a_colour),
    Invariant("the named colour is matched on a wild", colour_is_named, (COLOUR_NAMED,)),
    Invariant("a player is skipped by an open skip", skip_is_open, (SKIP_PENDING,)),
    Invariant("a draw two or wild draw four makes two or four cards due", penalty_is_due, (DRAW_PENDING,)),
    Invariant(
        "one card is drawn where none fits, or what the open card demands, and what was drawn is in the hand",
        drawing_is_on,
        (DRAW_PENDING, DRAWING),
    ),
    Invariant(
        "the direction of play has turned with each reverse on the discard pile",
        reverses_were_dropped,
        (*BETWEEN_CARDS[1:], DRAW_PENDING, DRAWING, GAME_OVER),
    ),
    Invariant("the wilds with which colours were named lie on the discard pile", wilds_were_dropped),
    Invariant("who calls has dropped a card", calls_were_made),
    Invariant("a game ends won or out of cards, and rightly so", ended_rightly, (GAME_OVER,)),
)
POSTCONDITIONS = (
    Postcondition("cards are conserved", cards_are_conserved),
    Postcondition("a card goes from the hand onto the discard pile", card_is_laid, ("play",)),
    Postcondition("a card goes from the top of the draw pile into the hand", card_is_taken, ("take",)),
    Postcondition("no card moves but by play and take", nothing_moves,
                  ("open", "draw", "pass_turn", "skip", "abandon")),
    Postcondition("the next player is in turn", next_in_turn, ("play", "pass_turn"), RUNNING),
    Postcondition("the opening card and a skip move on", turn_moves_on, ("open", "skip")),
    Postcondition("the same player goes on", same_player, ("draw", "take")),
    Postcondition("a reverse turns the direction", reverse_turns_direction, ("open", "play"), RUNNING),
    Postcondition("but for a reverse the direction stays", direction_stays,
                  ("draw", "take", "pass_turn", "skip", "abandon")),
    Postcondition("a draw two makes two cards due, a wild draw four four", penalty_becomes_due,
                  ("open", "play"), RUNNING),
    Postcondition("cards are drawn where one is due", drawing_goes_on, (), (DRAWING,)),
    Postcondition("who can drop a card must", nothing_fits, ("draw",)),
    Postcondition("who draws draws one card, or the penalty", what_is_drawn, ("draw",)),
    Postcondition("a pass, a skip or an end makes no card due", due_stays, ("pass_turn", "skip", "abandon")),
    Postcondition("a wild names the colour", wild_names_colour, ("play",), RUNNING),
    Postcondition("a named colour holds as long as the wild is open", colour_stays,
                  ("open", "draw", "take", "pass_turn", "skip", "abandon")),
    Postcondition("who drops down to one card calls", one_card_left_is_called, ("play",)),
    Postcondition("nobody calls but by a drop", nobody_calls, ("open", "draw", "take", "pass_turn", "skip", "abandon")),
    Postcondition("a card with an effect has it", number_or_reverse, ("open", "play"), (AWAIT_PLAY,)),
    Postcondition("a wild draw four makes the next player draw", plain_wild, ("play",), (COLOUR_NAMED,)),
    Postcondition("who drops the last card wins", who_dropped_last_card_wins, ("play",), (GAME_OVER,)),
    Postcondition("the last card takes effect, then its player has won", who_is_out_wins,
                  ("pass_turn", "abandon"), (GAME_OVER,)),
)  # fmt: skip

SMALL_DECKS = (
    SmallDeck("Y1 RS YR YD WC WF", 2, 2),
    SmallDeck("Y1 Y1 R1 RS YR RD YD WC WC WF", 2, 2),
    SmallDeck("Y1 Y1 R1 RS YR RD YD WC WF WF", 3, 2),
)

UNO = Declaration(
    title="UNO",
    name="uno",
    table=Table,
    words=Words(
        notation=UNO_CARDS,
        fewest=FEWEST_PLAYERS,
        most=MOST_PLAYERS,
        cards_each=cards_each,
        facts=FACTS,
        dealt_to=dealt_in_rows,
        receive=receive_twin,
        held=held_with_twins,
    ),
    deck_size=DECK_SIZE,
    fill=fill,
    amend=expose_no_wild,
    deal=deal,
    score=score,
    phases=UnoPhase,
    initial=INITIAL,
    final=GAME_OVER,
    acting=ACTING,
    arcs=ARCS,
    policies=(HOUSE, RANDOM, FIRST_LEGAL),
    calls=(Call(calls, 'calls "Uno"'),),
    look=LOOK,
    disjoint=((number, skip, reverse, draw_two, wild, wild_draw_four),),
    deal_each=deal_each,
    invariants=INVARIANTS,
    postconditions=POSTCONDITIONS,
    small_decks=SMALL_DECKS,
)


class Uno(Game, declaration=UNO):
    """A game of UNO, stepped event by event. Cards are named as in the problem: `RD`, the red draw two; `WC`, a wild.

    >>> game = Uno.deal(players=2, seed=7)
    >>> game.run()
    Outcome(ending=<Ending.WON: 1>, winner=1, scores=(0, 17))
    """

    @classmethod
    def parse(cls, text: str, policies: Policies = ()) -> Self:
        """The game of one case of the problem's input: the number of players and 108 cards. Raises InputError."""
        players, deck = read_line(text)
        return cls.of_deck(players, deck, policies)

    @classmethod
    def read(cls, text: str, source: str = STDIN) -> list[Dealt]:
        """The games of the problem's whole input. Raises InputError, which tells every bad game."""
        return read_games(text, source)

    @classmethod
    def write(cls, players: int, deck: Sequence[int]) -> str:
        """The lines of the problem's input for one game."""
        return write_line(players, deck)

    @property
    def direction(self) -> int:
        """1 while the turn goes round clockwise, -1 while counter-clockwise."""
        return -1 if self.table.reversed else 1

    @property
    def due(self) -> int:
        """Cards that must still be drawn."""
        return int(self.table.due)

    @property
    def named_colour(self) -> str | None:
        """The letter of the colour that was named with the open wild, if one was."""
        return self._suit_name(self.table.colour)

    @property
    def uno_calls(self) -> tuple[int, ...]:
        """How many times each player has called "Uno"."""
        return tuple(int(calls(self.table, seat)) for seat in range(self.players))
