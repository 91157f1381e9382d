"""Runs work in a thread, so that Ctrl-C ends the wait for it at once.

Machine code is compiled in calls that take seconds and cannot be interrupted, and that call back into Python, where an
exception is printed and forgotten.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def in_background(make: Callable[[], T]) -> T:
    """What `make` returns, or raises. If KeyboardInterrupt ends the wait, `make` continues in the background."""
    if threading.current_thread() is not threading.main_thread():
        return make()
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(make())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future.result()
