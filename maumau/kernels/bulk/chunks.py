"""Games cut into chunks, of which each of several threads takes the next one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from fsm.declaration.declaration import Declaration
from fsm.edge.errors import Stopped
from fsm.edge.numbers import Array, np, thread_count
from maumau.kernels.compiler.machine_code import in_background, machine_code
from maumau.kernels.compiler.source import dealing

if TYPE_CHECKING:
    from threading import Event

CHUNK = 1 << 14
"""Games that one thread plays at a time, at most."""
MIN_CHUNK = 1 << 14
"""Games that one of several threads plays at a time in lanes, at least: some lanes stand empty at the end of each."""


def worker_count(games: int, threads: int | None) -> int:
    """How many threads play `games` games."""
    return max(1, min(thread_count(threads), games))


def chunk_size(games: int, workers: int, most: int) -> int:
    """Games of a chunk: so many that each worker takes at least four."""
    return max(1, min(most, games // (4 * workers)))


def _chunks(games: int, workers: int, most: int) -> Iterator[tuple[int, int]]:
    """The starts and ends of chunks. For several workers the size follows what is left, down to MIN_CHUNK."""
    start, size = 0, chunk_size(games, workers, most)
    while start < games:
        if workers > 1:
            size = min(size, max(MIN_CHUNK, chunk_size(games - start, workers, most)))
        end = min(start + size, games)
        yield start, end
        start = end


def decks_of(game: Declaration, players: int, seed: int, first: int, games: int) -> Array:
    """The decks of games of a seed, from `first` on."""
    decks, fill = np.empty((games, game.deck_size), np.uint8), machine_code(dealing(game))
    for start in range(0, games, CHUNK):
        fill(decks[start : start + CHUNK], players, seed, first + start)
    return decks


def each_chunk(
    work: Callable[[int, int, int], None], games: int, workers: int, stop: Event | None = None, most: int = CHUNK
) -> None:
    """Cut `games` games into chunks and let each worker (worker, start, end) take the next chunk, so that a worker on a
    slower core takes fewer. most: games of a chunk, at most. Chunks become smaller, so that all workers end together.

    An exception in any thread, KeyboardInterrupt in this one above all, ends the work after the chunks under way.
    """
    open_chunks = deque(_chunks(games, workers, most))

    def keep_working(worker: int) -> None:
        try:
            while True:
                if stop is not None and stop.is_set():
                    raise Stopped
                try:
                    start, end = open_chunks.popleft()
                except IndexError:
                    return
                work(worker, start, end)
        except BaseException:
            open_chunks.clear()
            raise

    def work_together() -> None:
        from concurrent.futures import ThreadPoolExecutor  # its import takes longer than to play some games

        with ThreadPoolExecutor(workers) as pool:
            for call in [pool.submit(keep_working, worker) for worker in range(workers)]:
                call.result()

    if workers == 1:
        keep_working(0)
    else:
        in_background(work_together, open_chunks.clear)
