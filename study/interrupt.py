"""Interruptions that are not lost: what a library swallows is asked for again."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = signal.SIGINT, signal.SIGTERM
"""What interrupts, where Python has a handler for it; by default SIGTERM has none, and ends the process."""


@contextmanager
def interruptible() -> Iterator[Callable[[], None]]:
    """Remember Ctrl-C and SIGTERM; yields a function that raises KeyboardInterrupt after one, to be called often.

    Python calls a handler wherever the main thread is just then. Where that is the finalizer of an object (a future of
    Dask has one), its KeyboardInterrupt would be printed and forgotten, so there the signal is only remembered.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    heard = False

    def remember(number: int, frame: FrameType | None) -> None:
        nonlocal heard
        heard = True
        handler = before[signal.Signals(number)]
        if callable(handler) and not _is_finalizing(frame):
            handler(number, frame)

    def check() -> None:
        if heard:
            raise KeyboardInterrupt

    handled = [number for number in SIGNALS if callable(before[number])]
    for number in handled:
        signal.signal(number, remember)
    try:
        yield check
    finally:
        for number in handled:
            signal.signal(number, before[number])


def _is_finalizing(frame: FrameType | None) -> bool:
    """Whether a finalizer is running."""
    while frame is not None:
        if frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False
