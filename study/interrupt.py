"""Ctrl-C that is not lost: what a library swallows is asked again."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interruptible() -> Iterator[Callable[[], None]]:
    """Remember Ctrl-C; yields a function that raises KeyboardInterrupt if it was pressed, to be called now and then.

    Python raises KeyboardInterrupt wherever the main thread is just then. Where that is the finalizer of an object (a
    future of Dask has one), it would be printed and forgotten, so there it is only remembered.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield lambda: None
        return
    heard = before
    pressed = False

    def remember(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        if not _is_finalizing(frame):
            heard(number, frame)

    def check() -> None:
        if pressed:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, remember)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)


def _is_finalizing(frame: FrameType | None) -> bool:
    """Whether a finalizer is running."""
    while frame is not None:
        if frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False
