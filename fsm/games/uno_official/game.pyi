# Made by `maumau stubs`, which makes it again: changes are lost.
"""Rounds of official UNO, stepped event by event."""

from __future__ import annotations

from fsm.stepping.game import Game as _Game
from fsm.stepping.hooks import Attached as _Attached
from fsm.stepping.steps import Step as _Step
from typing import Any as _Any

from fsm.games.uno.game import UnoGame
from fsm.games.uno_official import UNO_OFFICIAL
from fsm.stepping.game import Game
from rules.uno.problem import OfficialFormat

__all__ = ["UnoOfficial"]


class UnoOfficial(UnoGame, Game, declaration=UNO_OFFICIAL):
    """A round of official UNO, stepped event by event. Cards are named as in UNO: `RD`, the red draw two; `WC`, a wild.

    `player` is who acts, also one who is asked; `turn` is whose turn it is.
    """

    input_format = OfficialFormat
    house_rules = "fsm.games.uno_official.house"

    @property
    def colour(self) -> str | None:
        """The letter of the current colour; None while a wild is open for which none is named yet."""
        ...

    def open(self) -> _Step:
        """Fire the event open.

        A number is open: the seat after the dealer begins.

        A reverse is open: the direction turns and the dealer begins.

        A skip is open: the first player misses the turn.

        A reverse: with two players the other one misses the turn.

        A draw two: the next player draws two cards and misses the turn.

        A wild is open: the first player names the colour.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_open(self) -> bool:
        """Return whether the rules permit the event open now."""
    def abandon(self) -> _Step:
        """Fire the event abandon.

        A position returns: no winner.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_abandon(self) -> bool:
        """Return whether the rules permit the event abandon now."""
    def play(self, card: str) -> _Step:
        """Fire the event play.

        A player who has one card left calls or stays silent, before the card takes effect.

        The card is laid and takes effect.

        card: its name.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_play(self, card: str | None = None) -> bool:
        """Return whether the rules permit the event play now.

        card: its name.
        """
    def draw(self) -> _Step:
        """Fire the event draw.

        A player may draw one card instead.

        All cards that are due are drawn.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_draw(self) -> bool:
        """Return whether the rules permit the event draw now."""
    def keep(self) -> _Step:
        """Fire the event keep.

        The drawn card is kept.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_keep(self) -> bool:
        """Return whether the rules permit the event keep now."""
    def call(self) -> _Step:
        """Fire the event call.

        The player calls "Uno".

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_call(self) -> bool:
        """Return whether the rules permit the event call now."""
    def stay_silent(self) -> _Step:
        """Fire the event stay_silent.

        The others may catch it.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_stay_silent(self) -> bool:
        """Return whether the rules permit the event stay_silent now."""
    def catch(self) -> _Step:
        """Fire the event catch.

        A player who is caught draws two cards.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_catch(self) -> bool:
        """Return whether the rules permit the event catch now."""
    def let_pass(self) -> _Step:
        """Fire the event let_pass.

        A player who declines leaves it to the next one who is asked.

        Nobody catches the silent player: the chance is over.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_let_pass(self) -> bool:
        """Return whether the rules permit the event let_pass now."""
    def take_effect(self) -> _Step:
        """Fire the event take_effect.

        A number has no effect.

        A reverse: the direction of play turns.

        A skip: the next player misses the turn.

        A reverse: with two players the other one misses the turn.

        A draw two: the next player draws two cards and misses the turn.

        Nobody challenges a wild draw four as the last card.

        A wild: its player names the colour.

        A wild draw four: its player names the colour; the next player accepts or challenges.

        The player who lays the last card goes out and wins.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_take_effect(self) -> bool:
        """Return whether the rules permit the event take_effect now."""
    def name(self, colour: str) -> _Step:
        """Fire the event name.

        The first player names the colour of the opening wild, and begins.

        The named colour is the current one.

        The next player accepts or challenges.

        colour: its letter.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_name(self, colour: str | None = None) -> bool:
        """Return whether the rules permit the event name now.

        colour: its letter.
        """
    def accept(self) -> _Step:
        """Fire the event accept.

        The next player accepts the four cards.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_accept(self) -> bool:
        """Return whether the rules permit the event accept now."""
    def challenge(self) -> _Step:
        """Fire the event challenge.

        The challenge is right: the player of the wild draw four draws four cards.

        The challenge is wrong: the challenger draws six cards.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_challenge(self) -> bool:
        """Return whether the rules permit the event challenge now."""
    def skip(self) -> _Step:
        """Fire the event skip.

        The skipped player misses the turn.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_skip(self) -> bool:
        """Return whether the rules permit the event skip now."""
    def take(self) -> _Step:
        """Fire the event take.

        The top card.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_take(self) -> bool:
        """Return whether the rules permit the event take now."""
    def run_out(self) -> _Step:
        """Fire the event run_out.

        The pile is empty.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_run_out(self) -> bool:
        """Return whether the rules permit the event run_out now."""
    def lapse(self) -> _Step:
        """Fire the event lapse.

        Neither pile has a card: the cards still due lapse.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_lapse(self) -> bool:
        """Return whether the rules permit the event lapse now."""
    def look(self) -> _Step:
        """Fire the event look.

        The drawn card may be laid.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_look(self) -> bool:
        """Return whether the rules permit the event look now."""
    def pass_turn(self) -> _Step:
        """Fire the event pass_turn.

        The player drew no card that may be laid.

        The cards are drawn, and the turn is missed.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_pass_turn(self) -> bool:
        """Return whether the rules permit the event pass_turn now."""
    def settle(self) -> _Step:
        """Fire the event settle.

        The penalty of the last card is drawn: its player has won.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_settle(self) -> bool:
        """Return whether the rules permit the event settle now."""
    def resume(self) -> _Step:
        """Fire the event resume.

        The challenger goes on.

        The card takes effect after all.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_resume(self) -> bool:
        """Return whether the rules permit the event resume now."""
    def turn_pile(self) -> _Step:
        """Fire the event turn_pile.

        Everything under the open card is turned over; its bottom card is drawn first.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_turn_pile(self) -> bool:
        """Return whether the rules permit the event turn_pile now."""
    on_enter_initial: _Attached
    on_exit_initial: _Attached
    on_enter_await_play: _Attached
    on_exit_await_play: _Attached
    on_enter_drawn_choice: _Attached
    on_exit_drawn_choice: _Attached
    on_enter_uno_call: _Attached
    on_exit_uno_call: _Attached
    on_enter_uno_pending: _Attached
    on_exit_uno_pending: _Attached
    on_enter_effect_pending: _Attached
    on_exit_effect_pending: _Attached
    on_enter_colour_choice: _Attached
    on_exit_colour_choice: _Attached
    on_enter_challenge_pending: _Attached
    on_exit_challenge_pending: _Attached
    on_enter_skip_pending: _Attached
    on_exit_skip_pending: _Attached
    on_enter_draw_pending: _Attached
    on_exit_draw_pending: _Attached
    on_enter_drawing: _Attached
    on_exit_drawing: _Attached
    on_enter_reshuffle: _Attached
    on_exit_reshuffle: _Attached
    on_enter_round_over: _Attached
    on_exit_round_over: _Attached
    prepare_open: _Attached
    before_open: _Attached
    after_open: _Attached
    prepare_abandon: _Attached
    before_abandon: _Attached
    after_abandon: _Attached
    prepare_play: _Attached
    before_play: _Attached
    after_play: _Attached
    prepare_draw: _Attached
    before_draw: _Attached
    after_draw: _Attached
    prepare_keep: _Attached
    before_keep: _Attached
    after_keep: _Attached
    prepare_call: _Attached
    before_call: _Attached
    after_call: _Attached
    prepare_stay_silent: _Attached
    before_stay_silent: _Attached
    after_stay_silent: _Attached
    prepare_catch: _Attached
    before_catch: _Attached
    after_catch: _Attached
    prepare_let_pass: _Attached
    before_let_pass: _Attached
    after_let_pass: _Attached
    prepare_take_effect: _Attached
    before_take_effect: _Attached
    after_take_effect: _Attached
    prepare_name: _Attached
    before_name: _Attached
    after_name: _Attached
    prepare_accept: _Attached
    before_accept: _Attached
    after_accept: _Attached
    prepare_challenge: _Attached
    before_challenge: _Attached
    after_challenge: _Attached
    prepare_skip: _Attached
    before_skip: _Attached
    after_skip: _Attached
    prepare_take: _Attached
    before_take: _Attached
    after_take: _Attached
    prepare_run_out: _Attached
    before_run_out: _Attached
    after_run_out: _Attached
    prepare_lapse: _Attached
    before_lapse: _Attached
    after_lapse: _Attached
    prepare_look: _Attached
    before_look: _Attached
    after_look: _Attached
    prepare_pass_turn: _Attached
    before_pass_turn: _Attached
    after_pass_turn: _Attached
    prepare_settle: _Attached
    before_settle: _Attached
    after_settle: _Attached
    prepare_resume: _Attached
    before_resume: _Attached
    after_resume: _Attached
    prepare_turn_pile: _Attached
    before_turn_pile: _Attached
    after_turn_pile: _Attached
    def is_initial(self) -> bool:
        """Return whether the game is in the phase initial."""
    def is_await_play(self) -> bool:
        """Return whether the game is in the phase await-play."""
    def is_drawn_choice(self) -> bool:
        """Return whether the game is in the phase drawn-choice."""
    def is_uno_call(self) -> bool:
        """Return whether the game is in the phase uno-call."""
    def is_uno_pending(self) -> bool:
        """Return whether the game is in the phase uno-pending."""
    def is_effect_pending(self) -> bool:
        """Return whether the game is in the phase effect-pending."""
    def is_colour_choice(self) -> bool:
        """Return whether the game is in the phase colour-choice."""
    def is_challenge_pending(self) -> bool:
        """Return whether the game is in the phase challenge-pending."""
    def is_skip_pending(self) -> bool:
        """Return whether the game is in the phase skip-pending."""
    def is_draw_pending(self) -> bool:
        """Return whether the game is in the phase draw-pending."""
    def is_drawing(self) -> bool:
        """Return whether the game is in the phase drawing."""
    def is_reshuffle(self) -> bool:
        """Return whether the game is in the phase reshuffle."""
    def is_round_over(self) -> bool:
        """Return whether the game is in the phase round-over."""
