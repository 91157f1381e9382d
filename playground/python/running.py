"""A text is run: Python, or a session as documentation shows it, with what it prints; a machine is found in it."""

from __future__ import annotations

import contextlib
import io
import linecache
import sys
import traceback
from collections.abc import Iterator
from types import CodeType, ModuleType
from typing import NamedTuple

from fsm import Game, MauMau
from fsm.variants import Variant
from rules.errors import raised_as

NAME = "own"
"""The name of the module that is made of a text, and, with .py, of its file in messages."""
PROMPT = ">>> "


class Fault(Exception):
    """What is wrong with a text. line: where, from 1 on; 0 if that is not known."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class Made(NamedTuple):
    """What a text has made. game: the one that a session has begun, if any. printed: what the text prints, if it does,
    and of a session all that was entered as well.
    """

    kind: type[Game]
    module: ModuleType
    game: Game | None
    printed: str


class Part(NamedTuple):
    """Source that is run at once. line: of the text, before its first one. raises: whether an exception is shown."""

    source: str
    line: int
    is_session: bool = False
    raises: bool = False

    @property
    def file(self) -> str:
        """How messages call it: of a session each part is a file of its own."""
        return f"{NAME}-{self.line}.py" if self.is_session else f"{NAME}.py"

    def compiled(self) -> CodeType:
        """Its code. Raises SyntaxError."""
        linecache.cache[self.file] = (len(self.source), None, self.source.splitlines(keepends=True), self.file)
        return compile(self.source, self.file, "single" if self.is_session else "exec")


def is_session(source: str) -> bool:
    """Whether a text is a session: it begins with a prompt."""
    return source.lstrip().startswith(PROMPT)


def made(source: str) -> Made:
    """The game that a text is about, by `game` or the last class that it names, with the house rules of the text.

    Without a game it is Mau-Mau, where the text has house rules or is a session. Raises Fault.
    """
    module = ModuleType(NAME)
    module.__file__ = f"{NAME}.py"
    sys.modules[NAME] = module
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for part in _parts(source):
            _run(part, module)
    values = list(vars(module).values())
    game = module.__dict__.get("game")
    if isinstance(game, Game):
        return Made(type(game), module, game, out.getvalue())
    games = [value for value in values if isinstance(value, type) and issubclass(value, Game) and value is not Game]
    rules = list(dict.fromkeys(value for value in values if isinstance(value, Variant)))
    if not (games or rules or is_session(source)):
        raise Fault("no game and no house rule in the text; write a class of a game: class Own(Game, declaration=...)")
    kind = games[-1] if games else MauMau
    with raised_as(Fault):
        return Made(kind.with_rules(*rules) if rules and not kind.rules else kind, module, None, out.getvalue())


def _parts(source: str) -> Iterator[Part]:
    """The whole text, or what is entered in a session. Raises Fault."""
    if not is_session(source):
        yield Part(source, 0)
        return
    from doctest import DocTestParser  # which imports a debugger

    with raised_as(Fault):
        examples = DocTestParser().get_examples(source)
    for example in examples:
        yield Part(example.source, example.lineno, is_session=True, raises=example.exc_msg is not None)


def _run(part: Part, module: ModuleType) -> None:
    """Run a part in a module; of a session, print what is entered. Raises Fault."""
    if part.is_session:
        lines = part.source.rstrip().split("\n")
        print(PROMPT + "\n... ".join(lines))
    try:
        exec(part.compiled(), vars(module))
    except SyntaxError as error:
        raise Fault(f"syntax error: {error.msg}", part.line + (error.lineno or 0)) from None
    except Exception as error:
        if part.raises:
            print(f"Traceback (most recent call last):\n    ...\n{type(error).__name__}: {error}")
            return
        lines = [
            frame.lineno or 0 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == part.file
        ]
        kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
        raise Fault(f"{kind}{error}", part.line + lines[-1] if lines else 0) from None
