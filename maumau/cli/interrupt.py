"""Signals that end a command early: Ctrl-C, SIGTERM, and a closed pipe."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import TYPE_CHECKING

from rules.errors import Explained, Unwritten

if TYPE_CHECKING:
    import socket

ENDING = frozenset({signal.SIGINT, signal.SIGTERM})
"""The signals that end a command."""
PATIENCE = 10.0
"""Seconds in which a command ends by itself after it was interrupted."""


def interrupt_on_sigterm() -> None:
    """Make SIGTERM raise KeyboardInterrupt, as Ctrl-C does, unless it is ignored."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) != signal.SIG_IGN:
        signal.signal(signal.SIGTERM, signal.default_int_handler)


def interrupt_machine_code() -> None:
    """Let Ctrl-C and SIGTERM also end a command that is in machine code, which returns to no handler.

    The system writes the number of a signal to a socket, where a thread waits for it. Only the command line does this:
    nothing happens unless `interrupt_on_sigterm` was called.
    """
    if signal.getsignal(signal.SIGTERM) is signal.default_int_handler and not _watched:
        import socket

        reading, writing = socket.socketpair()
        writing.setblocking(False)
        signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
        _watched.append(writing)
        threading.Thread(target=_end_after_signal, args=(reading, writing), daemon=True).start()


_watched: list[socket.socket] = []
"""The socket to which the system writes the numbers of signals, if there is one."""


def _end_after_signal(signals: socket.socket, writing: socket.socket) -> None:
    """End the process if it is still at work some time after one of ENDING, whatever other signals it handles.

    writing: the socket to which the numbers are written, which is watched while the command is at work.
    """
    with signals:
        while numbers := signals.recv(64):
            if ENDING.intersection(numbers):
                break
        else:  # closed: the command is about to end
            return
        time.sleep(PATIENCE)
        if writing in _watched:
            os.write(2, b"maumau: interrupted\n")
            os._exit(INTERRUPTED)


def ignore_interrupts() -> None:
    """Ignore Ctrl-C and SIGTERM from now on, because the command is about to end."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if _watched:
            signal.set_wakeup_fd(-1)
            _watched.pop().close()


def end_by_closed_pipe() -> None:
    """End this process by SIGPIPE, the default for a process that writes to a closed pipe, if the system has it."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGPIPE)


NO_WINNER, BAD_INPUT, CANNOT_WRITE, INTERRUPTED = 1, 2, 74, 130
"""Exit statuses; 0 is success. 74 is EX_IOERR of sysexits.h, 130 is the status of shells for SIGINT."""

STATUSES = """\b
Exit status:
  0    success
  1    a game had no winner, or a check failed
  2    bad input or usage
  74   output could not be written
  130  interrupted by Ctrl-C or SIGTERM, which end serve with status 0"""
"""The exit statuses in the help."""


class BadInput(Explained):
    """The input or the options are wrong; only the message is printed."""


class CannotWrite(Unwritten):
    """Output could not be written; only the message is printed."""


class PipeClosed(CannotWrite):
    """The reader of standard output is gone, as in `maumau deal ... | head -1`: the command ends silently."""


def one_line(text: str) -> str:
    """The text with line breaks, other control characters, and bytes that are no text escaped."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def printable_lines(text: str) -> str:
    """The lines of a message, in which control characters are escaped, as names of files may have them."""
    return "\n".join(map(one_line, text.split("\n")))
