# Made by `maumau stubs`, which makes it again: changes are lost.
"""Games of UNO, stepped event by event, and what they have in common with those of official UNO."""

from __future__ import annotations

from fsm.stepping.game import Game as _Game
from fsm.stepping.hooks import Attached as _Attached
from fsm.stepping.steps import Step as _Step
from typing import Any as _Any

from typing import Any, ClassVar

from fsm.games.uno import UNO
from fsm.stepping.game import Game
from rules.deck_format import DeckFormat
from rules.uno.game import calls
from rules.uno.problem import UnoFormat

__all__ = ["Uno", "UnoGame"]


class UnoGame:
    """The input of games with the cards of UNO, and their direction, cards due and calls."""

    input_format: ClassVar[type[DeckFormat]] = UnoFormat
    table: Any

    @property
    def direction(self) -> int:
        """1 while the turn goes round clockwise, -1 while counter-clockwise."""
        ...

    @property
    def due(self) -> int:
        """Cards that must still be drawn."""
        ...

    @property
    def uno_calls(self) -> tuple[int, ...]:
        """How many times each player has called "Uno"."""
        ...


class Uno(UnoGame, Game, declaration=UNO):
    """A game of UNO, stepped event by event. Cards are named as in the problem: `RD`, the red draw two; `WC`, a wild.

    >>> game = Uno.deal(players=2, seed=7)
    >>> game.run()
    Outcome(ending=<Ending.WON: 1>, winner=1, scores=(0, 17))
    """

    @property
    def named_colour(self) -> str | None:
        """The letter of the colour that was named with the open wild, if one was."""
        ...

    def open(self) -> _Step:
        """Fire the event open.

        The opening card counts as dropped by player 1.

        A skip: the next player loses the turn.

        A reverse: the direction of play turns.

        A draw two: the next player draws two cards and loses the turn.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_open(self) -> bool:
        """Return whether the rules permit the event open now."""
    def play(self, card: str, colour: str | None = None) -> _Step:
        """Fire the event play.

        A number has no effect; it is the next player's turn.

        A skip: the next player loses the turn.

        A reverse: the direction of play turns.

        A draw two: the next player draws two cards and loses the turn.

        A wild: its player names the colour of the next card.

        A wild draw four: its player names a colour; the next player draws four cards and loses the turn.

        The last card ends the game.

        card: its name. colour: its letter, where the card asks for one.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_play(self, card: str | None = None, colour: str | None = None) -> bool:
        """Return whether the rules permit the event play now.

        card: its name. colour: its letter, where the card asks for one.
        """
    def draw(self) -> _Step:
        """Fire the event draw.

        A player who holds no fitting card draws one.

        All cards that are due are drawn.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_draw(self) -> bool:
        """Return whether the rules permit the event draw now."""
    def skip(self) -> _Step:
        """Fire the event skip.

        The skipped player loses the turn.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_skip(self) -> bool:
        """Return whether the rules permit the event skip now."""
    def take(self) -> _Step:
        """Fire the event take.

        The top card of the draw pile.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_take(self) -> bool:
        """Return whether the rules permit the event take now."""
    def pass_turn(self) -> _Step:
        """Fire the event pass_turn.

        The drawn card is not played; the turn moves on.

        The drawn card is not played; the turn moves on, and the named colour still holds.

        The penalty of the last card is drawn; the game is over.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_pass_turn(self) -> bool:
        """Return whether the rules permit the event pass_turn now."""
    def abandon(self) -> _Step:
        """Fire the event abandon.

        A card must be drawn and the draw pile is empty: the game is over.

        The draw pile cannot give the whole penalty of the last card; the game is over.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_abandon(self) -> bool:
        """Return whether the rules permit the event abandon now."""
    on_enter_initial: _Attached
    on_exit_initial: _Attached
    on_enter_await_play: _Attached
    on_exit_await_play: _Attached
    on_enter_colour_named: _Attached
    on_exit_colour_named: _Attached
    on_enter_draw_pending: _Attached
    on_exit_draw_pending: _Attached
    on_enter_skip_pending: _Attached
    on_exit_skip_pending: _Attached
    on_enter_drawing: _Attached
    on_exit_drawing: _Attached
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
    prepare_skip: _Attached
    before_skip: _Attached
    after_skip: _Attached
    prepare_take: _Attached
    before_take: _Attached
    after_take: _Attached
    prepare_pass_turn: _Attached
    before_pass_turn: _Attached
    after_pass_turn: _Attached
    prepare_abandon: _Attached
    before_abandon: _Attached
    after_abandon: _Attached
    def is_initial(self) -> bool:
        """Return whether the game is in the phase initial."""
    def is_await_play(self) -> bool:
        """Return whether the game is in the phase await-play."""
    def is_colour_named(self) -> bool:
        """Return whether the game is in the phase colour-named."""
    def is_draw_pending(self) -> bool:
        """Return whether the game is in the phase draw-pending."""
    def is_skip_pending(self) -> bool:
        """Return whether the game is in the phase skip-pending."""
    def is_drawing(self) -> bool:
        """Return whether the game is in the phase drawing."""
    def is_game_over(self) -> bool:
        """Return whether the game is in the phase game-over."""
