"""Workers that play chunks: threads of this process, or processes on other machines (maumau.study.cluster)."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event
from typing import NamedTuple, Protocol

from fsm.edge.numbers import thread_count
from maumau.kernels.compiler.processor import cores
from maumau.study.counts import Counts
from maumau.study.interrupt import end
from maumau.study.playing import count, play
from maumau.study.spec import Chunk, StudySpec


class PlayedChunk(NamedTuple):
    """A chunk that was played: its counts, and the bytes of its file if requested."""

    chunk: Chunk
    counts: Counts
    file: bytes | None


class Workers(Protocol):
    """Plays chunks."""

    def play(self, spec: StudySpec, chunks: Iterator[Chunk], with_file: bool) -> Generator[PlayedChunk]:
        """Play `chunks` and yield each when it is completed, in any order. Closing the generator ends the work."""


def play_chunk(spec: StudySpec, chunk: Chunk, with_file: bool, stop: Event | None = None) -> PlayedChunk:
    """Play and count one chunk. with_file: make its file, too. stop: ends the call early, which raises Stopped."""
    results = play(spec, chunk, stop)
    counts = count(spec, chunk, results)
    if not with_file:
        return PlayedChunk(chunk, counts, None)
    from maumau.study.rows import file_of

    return PlayedChunk(chunk, counts, file_of(spec, chunk, results, counts))


class Threads:
    """Threads of this process, in which kernels run in parallel.

    number: of threads, by default one per core. Raises TypeError or ValueError for what is no number of threads.
    """

    def __init__(self, number: int | None = None) -> None:
        self.number = cores() if number is None else thread_count(number)

    def play(self, spec: StudySpec, chunks: Iterator[Chunk], with_file: bool) -> Generator[PlayedChunk]:
        """Play `chunks`. One more than there are threads is submitted, so no thread is idle."""
        pool, stop = ThreadPoolExecutor(self.number), Event()
        running: set[Future[PlayedChunk]] = set()
        try:
            while True:
                for chunk in chunks:
                    running.add(pool.submit(play_chunk, spec, chunk, with_file, stop))
                    if len(running) > self.number:
                        break
                if not running:
                    return
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield future.result()
        finally:
            end(pool, stop, running)
