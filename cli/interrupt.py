"""Signals that end a command early: Ctrl-C, SIGTERM, and a closed pipe."""

from __future__ import annotations

import os
import signal
import threading


def interrupt_on_sigterm() -> None:
    """Make SIGTERM raise KeyboardInterrupt, as Ctrl-C does, unless it is ignored."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) != signal.SIG_IGN:
        signal.signal(signal.SIGTERM, signal.default_int_handler)


def ignore_interrupts() -> None:
    """Ignore Ctrl-C and SIGTERM from now on, because the command is about to end."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


def end_by_closed_pipe() -> None:
    """End this process by SIGPIPE, the default for a process that writes to a closed pipe, if the system has it."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGPIPE)
