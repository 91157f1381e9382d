"""Runs a study: counts are added in the order of the chunks, and the intervals are checked after each.

Chunks may be completed in any order but are evaluated in their own. So the result of a study, and where it stops, do
not depend on the workers, nor on interruptions.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from traceback import walk_stack
from types import FrameType

from fsm.edge.numbers import Notify
from maumau.study.counts import StudyProgress
from maumau.study.folder import Folder
from maumau.study.playing import Workers, prepare
from maumau.study.spec import StudySpec
from rules.errors import interrupted_by

SIGNALS = signal.SIGINT, signal.SIGTERM
"""Signals that interrupt a study if Python has a handler for them. By default, SIGTERM has none."""


class Interrupted(Exception):
    """A study was interrupted; `progress` is its progress until then."""

    def __init__(self, progress: StudyProgress) -> None:
        super().__init__("interrupted")
        self.progress = progress


def run(
    spec: StudySpec,
    workers: Workers,
    store: Folder | None = None,
    on_progress: Callable[[StudyProgress], None] = lambda progress: None,
    notify: Notify | None = None,
) -> StudyProgress:
    """Run a study. on_progress: called before the first chunk and after each. notify: called before a compilation.

    Stored chunks are not played again. Chunks beyond the end of the study are removed from the store.
    Raises Interrupted, which has the progress, on Ctrl-C.
    """
    prepare(spec, notify)
    progress = store.progress() if store else StudyProgress(spec)
    stored = range(progress.chunks), frozenset(progress.waiting)
    missing = (spec.cut(index) for index in range(spec.chunks) if not any(index in each for each in stored))
    try:
        with interruptible() as check:
            on_progress(progress)
            with closing(workers.play(spec, missing, store is not None)) as played:
                while not progress.finished and (chunk := next(played, None)):
                    if store:
                        store.store(chunk)
                    progress.add(chunk.chunk.number, chunk.counts)
                    on_progress(progress)
                    if not progress.finished:
                        check()
    except BaseException as error:
        if interrupted_by(error):
            raise Interrupted(progress) from None
        raise
    if store:
        store.remove_from(progress.chunks)
    return progress


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
        if callable(handler) and not any(caller.f_code.co_name == "__del__" for caller, _ in walk_stack(frame)):
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
