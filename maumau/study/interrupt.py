"""Reliable interruptions: a signal whose exception a library discards is raised again, and no thread is waited for."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from types import FrameType
from typing import Any

GRACE = 0.5
"""Seconds that a pool is given to end: what it is about to do may take much longer, such as the search for a move."""
SIGNALS = signal.SIGINT, signal.SIGTERM
"""Signals that interrupt a study if Python has a handler for them. By default, SIGTERM has none."""


@contextmanager
def interruptible() -> Iterator[Callable[[], None]]:
    """Record Ctrl-C and SIGTERM; yields a function that raises KeyboardInterrupt after one, to be called often.

    Python runs a signal handler between any two instructions of the main thread. In the finalizer of an object (a Dask
    future has one) a KeyboardInterrupt is printed and discarded, so the signal is only recorded there.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    received = False

    def record(number: int, frame: FrameType | None) -> None:
        nonlocal received
        received = True
        handler = before[signal.Signals(number)]
        if callable(handler) and not _is_finalizing(frame):
            handler(number, frame)

    def check() -> None:
        if received:
            raise KeyboardInterrupt

    handled = [number for number in SIGNALS if callable(before[number])]
    for number in handled:
        signal.signal(number, record)
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


def end(pool: ThreadPoolExecutor, stop: threading.Event, running: Iterable[Future[Any]]) -> None:
    """End the work of a pool: no more is begun, and what is `running` and does not end soon is left to itself.

    stop: what the work asks in between, whether it is to end.
    """
    stop.set()
    pool.shutdown(wait=False, cancel_futures=True)
    wait(running, GRACE)
