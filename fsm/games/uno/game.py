"""Games of UNO, stepped event by event, and what they have in common with those of official UNO."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

from fsm.declaration.declaration import Declaration, deck_codes, player_count
from fsm.declaration.policy import Policies
from fsm.games.uno import UNO
from fsm.stepping.game import Game
from rules.reading import STDIN, Dealt
from rules.uno.game import calls
from rules.uno.problem import read_games, read_line, write_line

__all__ = ["Uno", "UnoGame"]


class UnoGame:
    """The input of games with the cards of UNO, and their direction, cards due and calls.

    may_expose_wild: whether a wild may follow the hands in the input.
    """

    may_expose_wild: ClassVar[bool] = False
    declaration: ClassVar[Declaration]
    of_deck: ClassVar[Callable[..., Any]]
    table: Any

    @classmethod
    def parse(cls, text: str, policies: Policies = ()) -> Self:
        """The game of one case of the problem's input.

        text: the number of players and 108 cards. policies: one for all seats or one for each. Raises InputError.
        """
        players, deck = read_line(text, cls.may_expose_wild)
        game: Self = cls.of_deck(players, deck, policies)
        return game

    @classmethod
    def read(cls, text: str, source: str = STDIN) -> list[Dealt]:
        """The games of the problem's whole input.

        text: all cases. source: what errors call it. Raises InputError, which lists the errors of all games.
        """
        return read_games(text, source, cls.may_expose_wild)

    @classmethod
    def write(cls, players: int, deck: Sequence[int]) -> str:
        """The lines of the problem's input for one game. players: how many. deck: card codes, the top card first.

        Raises TypeError or ValueError for what `of_deck` refuses.
        """
        return write_line(player_count(cls.declaration, players), deck_codes(cls.declaration, deck))

    @property
    def direction(self) -> int:
        """1 while the turn goes round clockwise, -1 while counter-clockwise."""
        return -1 if self.table.reversed else 1

    @property
    def due(self) -> int:
        """Cards that must still be drawn."""
        return int(self.table.due)

    @property
    def uno_calls(self) -> tuple[int, ...]:
        """How many times each player has called "Uno"."""
        return tuple(int(calls(self.table, seat)) for seat in range(self.table.players))


class Uno(UnoGame, Game, declaration=UNO):
    """A game of UNO, stepped event by event. Cards are named as in the problem: `RD`, the red draw two; `WC`, a wild.

    >>> game = Uno.deal(players=2, seed=7)
    >>> game.run()
    Outcome(ending=<Ending.WON: 1>, winner=1, scores=(0, 17))
    """

    @property
    def named_colour(self) -> str | None:
        """The letter of the colour that was named with the open wild, if one was."""
        return self._suit_name(self.table.colour)
