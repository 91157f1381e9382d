"""Runs a study: counts are added in the order of the chunks, and the intervals are checked after each.

Chunks may be completed in any order but are evaluated in their own. So the result of a study, and where it stops, do
not depend on the workers, nor on interruptions.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING

from maumau.study.counts import Counts
from maumau.study.intervals import Anytime, moments
from maumau.study.paired import sums_of_difference
from maumau.study.playing import PlayedChunk, Workers
from maumau.study.spec import StudySpec

if TYPE_CHECKING:
    from maumau.study.folder import Folder


SIGNALS = signal.SIGINT, signal.SIGTERM
"""Signals that interrupt a study if Python has a handler for them. By default, SIGTERM has none."""


@dataclass
class Progress:
    """The progress of a study. counts: of the first `chunks` chunks. waiting: of later chunks that are completed."""

    spec: StudySpec
    counts: Counts = field(default_factory=Counts)
    chunks: int = 0
    waiting: dict[int, Counts] = field(default_factory=dict)
    narrow: bool = False

    @property
    def finished(self) -> bool:
        """Whether the study is complete."""
        return self.narrow or self.chunks == self.spec.chunks

    @property
    def games(self) -> int:
        """The number of game numbers that are counted."""
        return min(self.chunks * self.spec.chunk, self.spec.games)

    @property
    def done(self) -> int:
        """The number of game numbers that are counted or wait for earlier chunks."""
        return self.games + sum(self.spec.cut(index).games for index in self.waiting)

    def add(self, index: int, counts: Counts) -> None:
        """Add a chunk; count all consecutive chunks until the intervals are narrow."""
        if self.finished:
            return
        self.waiting[index] = counts
        while self.chunks in self.waiting and not self.finished:
            self.counts, self.chunks = self.counts + self.waiting.pop(self.chunks), self.chunks + 1
            self.narrow = is_narrow(self.spec, self.counts, self.games)


OnProgress = Callable[[Progress], None]


class Interrupted(Exception):
    """A study was interrupted; `progress` is its progress until then."""

    def __init__(self, progress: Progress) -> None:
        super().__init__("interrupted")
        self.progress = progress


def run(
    spec: StudySpec, workers: Workers, store: Folder | None = None, on_progress: OnProgress = lambda progress: None
) -> Progress:
    """Run a study. on_progress: called before the first chunk and after each.

    Stored chunks are not played again. Chunks beyond the end of the study are removed from the store.
    Raises Interrupted, which has the progress, on Ctrl-C.
    """
    progress = stored_progress(spec, store) if store else Progress(spec)
    stored = range(progress.chunks), frozenset(progress.waiting)
    missing = (spec.cut(index) for index in range(spec.chunks) if not any(index in each for each in stored))
    try:
        with interruptible() as check:
            on_progress(progress)
            if not progress.finished:
                with closing(workers.play(spec, missing, store is not None)) as played:
                    _add(progress, played, store, on_progress, check)
    except KeyboardInterrupt:
        raise Interrupted(progress) from None
    if store:
        store.remove_from(progress.chunks)
    return progress


def stored_progress(spec: StudySpec, store: Folder) -> Progress:
    """The progress of a study with the chunks that are stored."""
    progress = Progress(spec)
    for index, counts in store.stored_counts():
        progress.add(index, counts)
    return progress


def _add(
    progress: Progress,
    played: Generator[PlayedChunk],
    store: Folder | None,
    on_progress: OnProgress,
    check: Callable[[], None],
) -> None:
    """Add chunks as they are played, until the study is complete."""
    for chunk in played:
        if store:
            store.store(chunk)
        progress.add(chunk.chunk.number, chunk.counts)
        on_progress(progress)
        if progress.finished:
            return
        check()


def is_narrow(spec: StudySpec, counts: Counts, games: int) -> bool:
    """Whether the intervals of the wins of all seats, in all seatings, are at most `until_width` wide; if rules are
    compared, those of the differences of wins.
    """
    if spec.until_width is None:
        return False
    method, rows = Anytime(spec.confidence), counts.row
    if spec.compared_with is None:
        won = (wins for index in range(len(spec.seatings)) for wins in rows(f"{index}/wins").tolist())
        intervals = (method.share(wins, games) for wins in won)
    else:
        differences = (rows(f"rules/wins of player {seat}") for seat in range(1, spec.players + 1))
        found = (moments(games, *sums_of_difference(row, 1, 0)) for row in differences)
        intervals = (method.mean(*each, games) for each in found)
    return all(high - low <= spec.until_width for low, high in intervals)


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
