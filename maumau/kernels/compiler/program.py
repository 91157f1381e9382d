"""What is compiled to machine code: source, with what it works on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fsm.declaration.declaration import Declaration
from maumau.kernels.compiler.naming import Source


@dataclass(frozen=True)
class Program:
    """Source to compile, and how its machine code is called.

    entry: the name of the function to call. write, subject: the source is `write(subject)`. warm_up: makes arguments
    for a call that compiles the entry and does no work. game: the game whose tables and decks it works on, if any.
    makers: the names of functions that make tables of other classes, with these classes. large: whether it takes
    seconds to compile, so that users are notified. small: whether it is made small, not as fast as can be, which takes
    half the time to compile where functions are many and long.
    """

    entry: str
    write: Callable[[Any], Source]
    subject: Any
    warm_up: Callable[[Any], tuple[Any, ...]]
    game: Declaration | None = None
    makers: tuple[tuple[str, type], ...] = ()
    large: bool = False
    small: bool = False

    @property
    def name(self) -> str:
        """The name of the game, for people."""
        return self.game.name if self.game else "results"

    def example(self) -> tuple[Any, ...]:
        """Arguments of the types that it takes, with which it does no work."""
        return self.warm_up(self.subject)
