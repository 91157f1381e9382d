"""The standard streams of the command: write failures are reported, and every character can be printed.

Standard input and output wait while they are not ready, as another process may have made them non-blocking. Standard
output raises CannotWrite whenever writing or flushing fails. Messages that cannot be written to standard error are
dropped; the exit status reports the error. The descriptor of a closed stream stays reserved, so that no file opened
later gets it.
"""

from __future__ import annotations

import io
import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, cast

from maumau.cli.interrupt import CannotWrite, PipeClosed

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

STDOUT = "<stdout>"


class _Input(io.FileIO):
    """Standard input."""

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read some bytes into `buffer`, and wait while there are none. Returns 0 at the end of the input only."""
        while (count := cast("int | None", super().readinto(buffer))) is None:
            select.select([self], [], [])
        return count


class _Output(io.FileIO):
    """Standard output. After the first failure, which is stored in `failed`, and after an interrupt in the middle of a
    write, all output is dropped: how much of the data was written is not known then.
    """

    failed: CannotWrite | None = None
    interrupted = False

    def write(self, data: ReadableBuffer, /) -> int:
        """Write all of `data`, and wait while the stream is not ready. Raises CannotWrite, once."""
        rest = memoryview(data).cast("B")
        size = len(rest)
        try:
            while rest and not (self.failed or self.interrupted):
                written = super().write(rest)
                if written is None:
                    select.select([], [self], [])
                rest = rest[written or 0 :]
        except OSError as error:
            self.failed = _failure(error)
            raise self.failed from None
        except KeyboardInterrupt:
            self.interrupted = True
            raise
        return size


class _Messages(io.FileIO):
    """Standard error. Output that cannot be written is dropped."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write some of `data`."""
        with suppress(OSError):
            return super().write(data) or memoryview(data).nbytes
        return memoryview(data).nbytes


def _failure(error: OSError) -> CannotWrite:
    if isinstance(error, BrokenPipeError):
        return PipeClosed(f"{STDOUT}: closed by its reader")
    from rules.notation import reason

    return CannotWrite(f"{STDOUT}: {reason(error)}, expected room to write")


@contextmanager
def guarded_streams() -> Iterator[Callable[[], None]]:
    """Replace the standard streams by those of this module, unless a caller has replaced them.

    Yields a function that flushes standard output and raises CannotWrite if anything was not written.
    """
    if sys.stdout is not sys.__stdout__ or sys.stderr is not sys.__stderr__:
        yield sys.stdout.flush
        return
    _reserve_descriptors()
    before = sys.stdin, sys.stdout, sys.stderr
    output = _Output(1, "w", closefd=False)
    out = _text(output, before[1], by_lines=False)
    err = _text(_Messages(2, "w", closefd=False), before[2], by_lines=True)

    def check_written() -> None:
        out.flush()
        if output.failed:
            raise output.failed

    sys.stdout, sys.stderr = out, err
    if (stdin := sys.__stdin__) is not None and stdin is before[0]:
        source = io.BufferedReader(_Input(0, "r", closefd=False))
        sys.stdin = io.TextIOWrapper(source, stdin.encoding, stdin.errors)
    try:
        yield check_written
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


def _text(raw: io.FileIO, like: Any, *, by_lines: bool) -> io.TextIOWrapper:
    """A text stream with the encoding and buffering of `like`, which is None if it is closed."""
    unbuffered = getattr(like, "write_through", False)
    return io.TextIOWrapper(
        cast(io.BufferedWriter, raw) if unbuffered else io.BufferedWriter(raw),
        getattr(like, "encoding", None) or "utf-8",
        "backslashreplace",
        line_buffering=by_lines or getattr(like, "line_buffering", False),
        write_through=unbuffered,
    )


def _reserve_descriptors() -> None:
    """Open closed standard streams on the null device, in the wrong direction, so that using them fails."""
    for number, flags in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)
