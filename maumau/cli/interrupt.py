"""How a command ends: its exit statuses, the errors behind them, and the signals that end it early."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from rules.errors import Explained, Unwritten


def ignore_interrupts() -> None:
    """Ignore Ctrl-C and SIGTERM from now on, because the command is about to end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


@contextmanager
def ending_after_interrupt() -> Iterator[None]:
    """End this process some time after Ctrl-C or SIGTERM where machine code returns to no handler of these.

    Rules of a game that loop forever are such machine code. The system writes the numbers of signals to a pipe.
    """
    if not hasattr(os, "set_blocking"):
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    has_ended = threading.Event()
    threading.Thread(target=await_interrupt, args=(reading, has_ended), daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        has_ended.set()
        os.close(writing)


def await_interrupt(signals: int, has_ended: threading.Event) -> None:
    """Wait for Ctrl-C or SIGTERM, then for PATIENCE, and end the process unless the command has ended or is about to.

    signals: the descriptor from which the numbers of signals are read until it is closed. It stays open meanwhile: the
    system writes to it again at each further interrupt.
    """
    with open(signals, "rb", buffering=0) as numbers:
        while (found := numbers.read(64)) and not {signal.SIGINT, signal.SIGTERM}.intersection(found):
            pass
        if not found or has_ended.wait(PATIENCE):
            return
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        with suppress(OSError):
            os.write(2, b"maumau: interrupted\n")
        os._exit(INTERRUPTED)


PATIENCE = 10.0
"""Seconds in which a command ends by itself after it was interrupted."""

NO_WINNER, BAD_INPUT, CANNOT_WRITE, INTERRUPTED, PIPE_CLOSED = 1, 2, 74, 130, 141
"""Exit statuses; 0 is success. 74 is EX_IOERR of sysexits.h; shells show 130 for SIGINT and 141 for SIGPIPE."""

STATUSES = """\b
Exit status:
  0    success
  1    a game had no winner, or a check failed
  2    bad input or usage
  74   output could not be written
  130  interrupted by Ctrl-C or SIGTERM; serve: 0"""
"""The exit statuses in the help."""


class BadInput(Explained):
    """The input or the options are wrong; only the message is printed."""


class CannotWrite(Unwritten):
    """Output could not be written; only the message is printed."""


def one_line(text: str) -> str:
    """The text with line breaks, other control characters, and bytes that are not text escaped."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def print_error(text: str) -> None:
    """Print on standard error; what cannot be written there is dropped, as the exit status reports errors."""
    try:
        print(text, file=sys.stderr)
    except OSError:
        discard(sys.stderr)


def discard(stream: TextIO) -> None:
    """Drop what is written to a stream from now on, and what it still holds."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
