"""What ends a command early: Ctrl-C, SIGTERM, and a pipe that nobody reads."""

from __future__ import annotations

import os
import signal
import threading


def terminated_as_interrupted() -> None:
    """Let SIGTERM raise KeyboardInterrupt, as Ctrl-C does, unless it is ignored."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) != signal.SIG_IGN:
        signal.signal(signal.SIGTERM, signal.default_int_handler)


def no_more_interrupts() -> None:
    """Ignore signals to end from now on: the command is about to end."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


def end_by_closed_pipe() -> None:
    """End this process as the system ends one that writes to a pipe which nobody reads, where it does so."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGPIPE)
