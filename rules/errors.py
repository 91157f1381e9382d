"""Errors whose messages tell those who use a command what to change: they are printed without a traceback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rules.notation import reason


class Explained(Exception):
    """Something that was asked for cannot be done."""


class Unwritten(Explained):
    """A file could not be written."""


def interrupted_by(error: BaseException | None) -> bool:
    """Whether an exception is KeyboardInterrupt, or took its place unawares.

    A lock that Ctrl-C interrupts while `threading` takes it again is released without being held, which is a
    RuntimeError. What is explained was raised on purpose, as where the state of what was interrupted cannot be written.
    """
    while error is not None and not isinstance(error, (KeyboardInterrupt, Explained)):
        error = error.__context__
    return isinstance(error, KeyboardInterrupt)


@contextmanager
def raised_as(
    kind: Callable[[str], Exception],
    where: str = "",
    of: type[Exception] | tuple[type[Exception], ...] = ValueError,
    remedy: str = "",
) -> Iterator[None]:
    """Raise an error of another kind in place of one that is raised in this context, with the same message.

    kind: makes the error of a message. where: what stands before the message. of: the errors that are replaced. remedy:
    what to do, which stands after the message; of an OSError this is then that of the operating system alone.
    """
    try:
        yield
    except of as error:
        message = reason(error) if remedy and isinstance(error, OSError) else str(error)
        raise kind(f"{where}{message}{'; ' * bool(remedy)}{remedy}") from None
