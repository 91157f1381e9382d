"""The standard streams of the command: a failure to write is an error of its own, and no character is refused.

Standard output raises CannotWrite, wherever it is printed to and flushed. Messages on standard error that cannot be
written are dropped: the exit status tells what happened. A stream that is closed keeps its number, so that no file that
is opened later takes its place.
"""

from __future__ import annotations

import io
import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, cast

from cli.failure import CannotWrite, PipeClosed

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

STDOUT = "<stdout>"


class _Output(io.FileIO):
    """Standard output. After the first failure, which is kept in `failed`, everything is dropped."""

    failed: CannotWrite | None = None

    def write(self, data: ReadableBuffer, /) -> int:
        """Write all of `data`, and wait where nothing can be written yet. Raises CannotWrite, once."""
        rest = memoryview(data).cast("B")
        size = len(rest)
        while rest and self.failed is None:
            try:
                written = super().write(rest)
            except OSError as error:
                self.failed = _failure(error)
                raise self.failed from None
            if written is None:
                select.select([], [self], [])
            rest = rest[written or 0 :]
        return size


class _Messages(io.FileIO):
    """Standard error. What cannot be written is dropped."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write some of `data`."""
        with suppress(OSError):
            return super().write(data) or memoryview(data).nbytes
        return memoryview(data).nbytes


def _failure(error: OSError) -> CannotWrite:
    if isinstance(error, BrokenPipeError):
        return PipeClosed(f"{STDOUT}: closed by its reader")
    return CannotWrite(f"{STDOUT}: {(error.strerror or str(error)).lower()}, expected room to write")


@contextmanager
def guarded_streams() -> Iterator[Callable[[], None]]:
    """Let `sys.stdout` and `sys.stderr` fail as this module says; streams that a caller has put in place stay.

    Yields a function that flushes standard output and raises CannotWrite if anything was not written.
    """
    if sys.stdout is not sys.__stdout__ or sys.stderr is not sys.__stderr__:
        yield sys.stdout.flush
        return
    _keep_numbers()
    before = sys.stdout, sys.stderr
    output = _Output(1, "w", closefd=False)
    out = _text(output, before[0], by_lines=False)
    err = _text(_Messages(2, "w", closefd=False), before[1], by_lines=True)

    def check_written() -> None:
        out.flush()
        if output.failed:
            raise output.failed

    sys.stdout, sys.stderr = out, err
    try:
        yield check_written
    finally:
        sys.stdout, sys.stderr = before


def _text(raw: io.FileIO, like: Any, *, by_lines: bool) -> io.TextIOWrapper:
    """A text stream with the encoding of `like`, which is None for a closed one, and without a buffer as it."""
    unbuffered = getattr(like, "write_through", False)
    return io.TextIOWrapper(
        cast(io.BufferedWriter, raw) if unbuffered else io.BufferedWriter(raw),
        getattr(like, "encoding", None) or "utf-8",
        "backslashreplace",
        line_buffering=by_lines or getattr(like, "line_buffering", False),
        write_through=unbuffered,
    )


def _keep_numbers() -> None:
    """Open the standard streams that are closed: nothing can be read from the first, nor written to the second."""
    for number, flags in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)
