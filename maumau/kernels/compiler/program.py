"""What is compiled to machine code: source, with what it works on."""

from __future__ import annotations

import sys
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
    seconds to compile, so that users are notified. apart: lines from which a function is called, not put in the place
    of its only call, which takes long to compile where one function is made of many; by default none is.
    """

    entry: str
    write: Callable[[Any], Source]
    subject: Any
    warm_up: Callable[[Any], tuple[Any, ...]]
    game: Declaration | None = None
    makers: tuple[tuple[str, type], ...] = ()
    large: bool = False
    apart: int = sys.maxsize

    @property
    def name(self) -> str:
        """The name of the game, for people."""
        return self.game.name if self.game else "results"

    def example(self) -> tuple[Any, ...]:
        """Arguments of the types that it takes, with which it does no work."""
        return self.warm_up(self.subject)
