"""Copies of searches, and pickled ones: they are made again by the arguments of the constructor."""

from __future__ import annotations

from typing import Any, Self

from fsm import Game, game_class
from fsm.declaration.declaration import Declaration


class MadeAgain:
    """The base of objects that are copied and pickled by the arguments with which they were made.

    Copies share the arguments, and decide alike.
    """

    _made: dict[str, Any]
    """The arguments by name, with the game under `game`."""

    def __copy__(self) -> Self:
        other = object.__new__(type(self))
        other._make(self._made)
        return other

    def __deepcopy__(self, memo: Any) -> Self:
        return self.__copy__()

    def __getstate__(self) -> dict[str, Any]:
        """The pickled state: the arguments, with the class of the game. Raises TypeError for one without a class."""
        return self._made | {"game": _class_of(self._made["game"])}

    def __setstate__(self, made: dict[str, Any]) -> None:
        self._make(made)

    def _make(self, made: dict[str, Any]) -> None:
        """Call the constructor with arguments."""
        raise NotImplementedError


def _class_of(game: str | type[Game] | Declaration) -> type[Game]:
    """Return the class of a game: it can be pickled, and a declaration cannot. Raises TypeError without one."""
    if not isinstance(game, Declaration):
        return game_class(game)
    try:
        kind = game_class(game.name)
    except ValueError:
        kind = None
    if kind is None or kind.declaration != game:
        raise TypeError(
            f"a search for {game.name}: its declaration cannot be pickled; make it with the class of the game"
        )
    return kind
