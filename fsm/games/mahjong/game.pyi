# Made by `maumau stubs`, which makes it again: changes are lost.
"""Games of mahjong at the table, stepped event by event."""

from fsm.stepping.game import Game as _Game
from fsm.stepping.hooks import Attached as _Attached
from fsm.stepping.steps import Step as _Step
from typing import Any as _Any

from fsm.games.mahjong import MAHJONG
from fsm.stepping.game import Game

__all__ = ["Mahjong"]


class Mahjong(Game, declaration=MAHJONG):
    """A game of mahjong at the table, stepped event by event. Tiles are named by digit and suit: `4B`, four bamboos.

    The draw pile is the wall, the discard pile has the tiles that nobody claimed. `pung` and `gang` name the open tile,
    `chow` the lowest tile of the run.
    """

    def open(self) -> _Step:
        """Fire the event open.

        The first player begins; no tile is open.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_open(self) -> bool:
        """Return whether the rules permit the event open now."""
    def take(self) -> _Step:
        """Fire the event take.

        The top tile of the wall.

        The top tile of the wall replaces the gang.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_take(self) -> bool:
        """Return whether the rules permit the event take now."""
    def exhaust(self) -> _Step:
        """Fire the event exhaust.

        The wall is exhausted: nobody wins.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_exhaust(self) -> bool:
        """Return whether the rules permit the event exhaust now."""
    def win(self) -> _Step:
        """Fire the event win.

        The hand wins: every other player pays its score.

        The hand wins with the open tile: the player who discarded it pays its score.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_win(self) -> bool:
        """Return whether the rules permit the event win now."""
    def gang(self, card: str) -> _Step:
        """Fire the event gang.

        Four equal tiles are laid out; another tile is taken.

        The fourth tile is laid to a pung; another tile is taken.

        card: its name.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_gang(self, card: str | None = None) -> bool:
        """Return whether the rules permit the event gang now.

        card: its name.
        """
    def discard(self, card: str) -> _Step:
        """Fire the event discard.

        A tile of the hand goes on the pile, and the others are asked whether they claim it.

        card: its name.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_discard(self, card: str | None = None) -> bool:
        """Return whether the rules permit the event discard now.

        card: its name.
        """
    def decline(self) -> _Step:
        """Fire the event decline.

        A player who declines leaves it to the next one who is asked.

        Nobody wins with it: pungs and gangs are asked for.

        Nobody claims it as a set: the next player is asked for a chow.

        Nobody claims it: it stays on the pile, and it is the next player's turn.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_decline(self) -> bool:
        """Return whether the rules permit the event decline now."""
    def pass_over(self) -> _Step:
        """Fire the event pass_over.

        A player who has nothing to choose is passed over.

        Nobody wins with it: pungs and gangs are asked for.

        Nobody claims it as a set: the next player is asked for a chow.

        Nobody claims it: it stays on the pile, and it is the next player's turn.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_pass_over(self) -> bool:
        """Return whether the rules permit the event pass_over now."""
    def pung(self, card: str) -> _Step:
        """Fire the event pung.

        Three equal tiles are laid out; a tile is discarded.

        card: its name.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_pung(self, card: str | None = None) -> bool:
        """Return whether the rules permit the event pung now.

        card: its name.
        """
    def chow(self, card: str) -> _Step:
        """Fire the event chow.

        Three tiles in a row are laid out; a tile is discarded.

        card: its name.

        Raises IllegalMove, and changes nothing, if the rules refuse it.
        """
    def may_chow(self, card: str | None = None) -> bool:
        """Return whether the rules permit the event chow now.

        card: its name.
        """
    on_enter_initial: _Attached
    on_exit_initial: _Attached
    on_enter_draw: _Attached
    on_exit_draw: _Attached
    on_enter_turn: _Attached
    on_exit_turn: _Attached
    on_enter_replacement: _Attached
    on_exit_replacement: _Attached
    on_enter_discard: _Attached
    on_exit_discard: _Attached
    on_enter_ask_win: _Attached
    on_exit_ask_win: _Attached
    on_enter_ask_set: _Attached
    on_exit_ask_set: _Attached
    on_enter_ask_run: _Attached
    on_exit_ask_run: _Attached
    on_enter_game_over: _Attached
    on_exit_game_over: _Attached
    prepare_open: _Attached
    before_open: _Attached
    after_open: _Attached
    prepare_take: _Attached
    before_take: _Attached
    after_take: _Attached
    prepare_exhaust: _Attached
    before_exhaust: _Attached
    after_exhaust: _Attached
    prepare_win: _Attached
    before_win: _Attached
    after_win: _Attached
    prepare_gang: _Attached
    before_gang: _Attached
    after_gang: _Attached
    prepare_discard: _Attached
    before_discard: _Attached
    after_discard: _Attached
    prepare_decline: _Attached
    before_decline: _Attached
    after_decline: _Attached
    prepare_pass_over: _Attached
    before_pass_over: _Attached
    after_pass_over: _Attached
    prepare_pung: _Attached
    before_pung: _Attached
    after_pung: _Attached
    prepare_chow: _Attached
    before_chow: _Attached
    after_chow: _Attached
    def is_initial(self) -> bool:
        """Return whether the game is in the phase initial."""
    def is_draw(self) -> bool:
        """Return whether the game is in the phase draw."""
    def is_turn(self) -> bool:
        """Return whether the game is in the phase turn."""
    def is_replacement(self) -> bool:
        """Return whether the game is in the phase replacement."""
    def is_discard(self) -> bool:
        """Return whether the game is in the phase discard."""
    def is_ask_win(self) -> bool:
        """Return whether the game is in the phase ask-win."""
    def is_ask_set(self) -> bool:
        """Return whether the game is in the phase ask-set."""
    def is_ask_run(self) -> bool:
        """Return whether the game is in the phase ask-run."""
    def is_game_over(self) -> bool:
        """Return whether the game is in the phase game-over."""
