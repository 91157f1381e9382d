"""Who plays the chunks: threads of this process, or, in study.cluster, processes on other machines."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event
from typing import NamedTuple, Protocol

from study.counts import Counts
from study.playing import count, play
from study.spec import Chunk, StudySpec


class Done(NamedTuple):
    """A chunk that was played: its counts, and its file of games if one is wanted."""

    chunk: Chunk
    counts: Counts
    file: bytes | None


class Workers(Protocol):
    """Who plays chunks."""

    def done(self, spec: StudySpec, chunks: Iterator[Chunk], keep: bool) -> Generator[Done]:
        """Play `chunks`, told as they are done, in any order. keep: make a file of each. Closing it ends the work."""


def work(spec: StudySpec, chunk: Chunk, keep: bool, stop: Event | None = None) -> Done:
    """Play and count one chunk; keep: make its file, too. stop: ends it early; raises Stopped then."""
    results = play(spec, chunk, stop)
    counts = count(spec, chunk, results)
    if not keep:
        return Done(chunk, counts, None)
    from study.rows import file_of

    return Done(chunk, counts, file_of(spec, chunk, results, counts))


class Threads:
    """Threads of this process: kernels run side by side. number: how many, one for each core if nothing is said."""

    def __init__(self, number: int | None = None) -> None:
        self.number = number or len(os.sched_getaffinity(0))

    def done(self, spec: StudySpec, chunks: Iterator[Chunk], keep: bool) -> Generator[Done]:
        """Play `chunks`; one more than there are threads is begun, so no thread waits."""
        pool, stop = ThreadPoolExecutor(self.number), Event()
        running: set[Future[Done]] = set()
        try:
            while True:
                for chunk in chunks:
                    running.add(pool.submit(work, spec, chunk, keep, stop))
                    if len(running) > self.number:
                        break
                if not running:
                    return
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield future.result()
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)
