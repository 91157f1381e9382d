"""The plain input format of a game: the number of players and the names of the cards of the whole deck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

from fsm.declaration.checked import deck_codes, player_count
from fsm.declaration.declaration import Declaration
from fsm.declaration.policy import Policies
from fsm.edge.numbers import of_type
from fsm.stepping.setup import full_deck
from rules.reading import STDIN, Dealt, DeckFormat


class PlainInput:
    """Reads and writes games in the plain input format. A game with a format of its own overrides these methods."""

    declaration: ClassVar[Declaration]
    of_deck: ClassVar[Callable[..., Any]]

    @classmethod
    def parse(cls, line: str, policies: Policies = ()) -> Self:
        """The game of one line of input.

        line: the number of players and the whole deck. policies: one for all seats or one for each. Raises InputError.
        """
        of_type("line", line, str, "a text")
        players, deck = cls._format().read_line(line)
        game: Self = cls.of_deck(players, deck, policies)
        return game

    @classmethod
    def read(cls, text: str, source: str = STDIN) -> list[Dealt]:
        """The games of a whole input.

        text: their number, then a line for each. source: its name in errors. Raises InputError, which lists all errors.
        """
        of_type("input", text, str, "a text")
        return cls._format().read_games(text, source)

    @classmethod
    def write(cls, players: int, deck: Sequence[int]) -> str:
        """The line of input for one game. players: how many. deck: card codes, the top card first.

        Raises TypeError or ValueError for what `of_deck` refuses.
        """
        game = cls.declaration
        return cls._format().write_line(player_count(game, players), deck_codes(game, deck))

    @classmethod
    def _format(cls) -> DeckFormat:
        codec = cls.declaration.codec
        return DeckFormat(codec.notation, full_deck(cls.declaration), codec.fewest, codec.most)
