# Made by `maumau stubs`, which makes it again: changes are lost.
"""Games of Mau-Mau, stepped event by event."""

from __future__ import annotations

from fsm.stepping.game import Game as _Game
from fsm.stepping.hooks import Attached as _Attached
from fsm.stepping.steps import Step as _Step
from typing import Any as _Any

from fsm.games.maumau import MAUMAU
from fsm.stepping.game import Game

__all__ = ["MauMau"]


class MauMau(Game, declaration=MAUMAU):
    """A game of Mau-Mau, stepped event by event. Cards are named as in the problem: `CN`, the nine of clubs.

    >>> game = MauMau.parse(
    ...     "2 SS HA SN HQ CE SQ CA DT CK CQ DJ CN HN DN CS SA CJ DA HJ HS DE HT SE DK HK ST SJ HE DS CT DQ SK"
    ... )
    >>> game.run()
    Outcome(ending=<Ending.WON: 1>, winner=1, scores=(0, 45))
    """

    house_rules = "fsm.games.maumau.house"

    @property
    def due(self) -> int:
        """Cards that must still be drawn."""
        ...

    @property
    def bound_suit(self) -> str | None:
        """The letter of the suit that the open jack binds, if it binds one."""
        ...

    def open(self) -> _Step:
        """Fire the event open.

        The opening card has no effect.

        A seven: the next player answers with a seven or draws two cards for each seven in a row.

        An eight: the next player is skipped.

        An opening jack binds no suit: any card except a jack fits.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_open(self) -> bool:
        """Return whether the rules permit the event open now."""
    def play(self, card: str, suit: str | None = None) -> _Step:
        """Fire the event play.

        The card has no effect; it is the next player's turn.

        A seven: the next player answers with a seven or draws two cards for each seven in a row.

        An eight: the next player is skipped.

        A jack binds the suit that its player names.

        The last card wins and has no effect.

        card: its name. suit: its letter, where the card asks for one.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_play(self, card: str | None = None, suit: str | None = None) -> bool:
        """Return whether the rules permit the event play now.

        card: its name. suit: its letter, where the card asks for one.
        """
    def draw(self) -> _Step:
        """Fire the event draw.

        A player who cannot play draws one card.

        A player who does not answer the seven draws all that is due.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_draw(self) -> bool:
        """Return whether the rules permit the event draw now."""
    def abandon(self) -> _Step:
        """Fire the event abandon.

        The whole position has returned and would return for ever: nobody wins.

        A card must be drawn and neither pile can give one: nobody wins.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_abandon(self) -> bool:
        """Return whether the rules permit the event abandon now."""
    def skip(self) -> _Step:
        """Fire the event skip.

        The skipped player loses the turn, and the eight its effect.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_skip(self) -> bool:
        """Return whether the rules permit the event skip now."""
    def take(self) -> _Step:
        """Fire the event take.

        The top card of the draw pile.

        The last card of the draw pile.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_take(self) -> bool:
        """Return whether the rules permit the event take now."""
    def turn_pile(self) -> _Step:
        """Fire the event turn_pile.

        The draw pile has run out with nothing to turn over; the turn comes when a card must be drawn.

        Everything under the open card becomes the draw pile, with its bottom card on top.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_turn_pile(self) -> bool:
        """Return whether the rules permit the event turn_pile now."""
    def pass_turn(self) -> _Step:
        """Fire the event pass_turn.

        The turn moves on.

        The turn moves on; the jack still binds the suit.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_pass_turn(self) -> bool:
        """Return whether the rules permit the event pass_turn now."""
    on_enter_initial: _Attached
    on_exit_initial: _Attached
    on_enter_await_play: _Attached
    on_exit_await_play: _Attached
    on_enter_penalty_pending: _Attached
    on_exit_penalty_pending: _Attached
    on_enter_skip_pending: _Attached
    on_exit_skip_pending: _Attached
    on_enter_jack_binding: _Attached
    on_exit_jack_binding: _Attached
    on_enter_drawing: _Attached
    on_exit_drawing: _Attached
    on_enter_reshuffle: _Attached
    on_exit_reshuffle: _Attached
    on_enter_game_over: _Attached
    on_exit_game_over: _Attached
    prepare_open: _Attached
    before_open: _Attached
    after_open: _Attached
    prepare_play: _Attached
    before_play: _Attached
    after_play: _Attached
    prepare_draw: _Attached
    before_draw: _Attached
    after_draw: _Attached
    prepare_abandon: _Attached
    before_abandon: _Attached
    after_abandon: _Attached
    prepare_skip: _Attached
    before_skip: _Attached
    after_skip: _Attached
    prepare_take: _Attached
    before_take: _Attached
    after_take: _Attached
    prepare_turn_pile: _Attached
    before_turn_pile: _Attached
    after_turn_pile: _Attached
    prepare_pass_turn: _Attached
    before_pass_turn: _Attached
    after_pass_turn: _Attached
    def is_initial(self) -> bool:
        """Return whether the game is in the phase initial."""
    def is_await_play(self) -> bool:
        """Return whether the game is in the phase await-play."""
    def is_penalty_pending(self) -> bool:
        """Return whether the game is in the phase penalty-pending."""
    def is_skip_pending(self) -> bool:
        """Return whether the game is in the phase skip-pending."""
    def is_jack_binding(self) -> bool:
        """Return whether the game is in the phase jack-binding."""
    def is_drawing(self) -> bool:
        """Return whether the game is in the phase drawing."""
    def is_reshuffle(self) -> bool:
        """Return whether the game is in the phase reshuffle."""
    def is_game_over(self) -> bool:
        """Return whether the game is in the phase game-over."""
