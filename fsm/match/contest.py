"""What is played by whichever engine: games of one round each, or matches to a target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from fsm.edge.numbers import bounds
from fsm.match.dealt import deal_match, read_matches
from fsm.match.setup import SeriesUnit, unit_of
from fsm.stepping.game import Game
from rules.deck_format import DeckFormat


class Contest(NamedTuple):
    """Series of rounds: games of one round each, or matches to a target.

    kind: the class of the game. target: of the matches; None for games. read: the decks of an input (text, source).
    deal: the case of the input for a game or match (players, seed, number).
    """

    kind: type[Game]
    target: int | None
    read: Callable[[str, str], Sequence[Any]]
    deal: Callable[[int, int, int], str]

    @classmethod
    def of(cls, kind: type[Game], target: int | None) -> Contest:
        """Return the contest of a game. target: of the matches; None for games."""
        if target is None:
            return cls(kind, None, kind.read, lambda *game: kind.write(game[0], kind.deck_of(*game)))
        return cls(kind, target, partial(read_matches, kind), partial(deal_match, kind))

    @property
    def unit(self) -> SeriesUnit:
        """What is counted: games or matches."""
        return unit_of(self.target)

    def nth(self, played: Sequence[Any], number: int, source: str) -> Any:
        """Return a game, or a match, of a source by its number, from 0 on. Raises ValueError."""
        if number >= len(played):
            numbers = bounds(0, len(played) - 1)
            raise ValueError(f"{number} is out of range; use {numbers}, since {source} has no more {self.unit.many}")
        return played[number]

    @property
    def is_plain(self) -> bool:
        """Whether decks are read and written by the format of the game: no class has replaced `read` or `write`."""
        own = (getattr(self.kind, name).__func__ is getattr(Game, name).__func__ for name in ("read", "write"))
        is_own = type(self.kind.deck_format()).read_games is DeckFormat.read_games
        return self.target is None and all(own) and is_own

    @property
    def is_of_lines(self) -> bool:
        """Whether decks are plain text, and results are lines."""
        return self.is_plain_text and self.kind.declaration.look.lines is not None

    @property
    def is_plain_text(self) -> bool:
        """Whether they are, with names of plain letters."""
        return self.is_plain and "".join(self.kind.declaration.codec.notation.cards).isascii()
