"""A study from its first chunk to its last: counts added in the order of chunks, and the look that may end it early.

Chunks may be done in any order; they are looked at in theirs. So where a study stops, and everything it tells, does not
depend on who worked at it, nor on how often it was interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Protocol

from study.counts import Counts
from study.interrupt import interruptible
from study.intervals import Anytime
from study.spec import StudySpec
from study.workers import Done, Workers


class Store(Protocol):
    """Where chunks are kept."""

    def kept(self) -> Iterator[tuple[int, Counts]]:
        """The places and counts of the chunks that are there, in their order."""

    def keep(self, done: Done) -> None:
        """Keep a chunk."""

    def drop_from(self, place: int) -> None:
        """Drop all chunks from `place` on."""


@dataclass
class Progress:
    """How far a study is. counts: of the first `chunks` chunks. waiting: of later ones, done before their turn."""

    spec: StudySpec
    counts: Counts = field(default_factory=Counts)
    chunks: int = 0
    waiting: dict[int, Counts] = field(default_factory=dict)
    narrow: bool = False

    @property
    def finished(self) -> bool:
        """Whether the question is answered."""
        return self.narrow or self.chunks == self.spec.chunks

    @property
    def games(self) -> int:
        """Game numbers that are counted."""
        return min(self.chunks * self.spec.chunk, self.spec.games)

    @property
    def done(self) -> int:
        """Game numbers that are done: counted, or waiting for earlier ones."""
        return self.games + sum(self.spec.cut(place).games for place in self.waiting)

    def add(self, place: int, counts: Counts) -> None:
        """Take a chunk over; look at all that follow each other, until the intervals are narrow."""
        if self.finished:
            return
        self.waiting[place] = counts
        while self.chunks in self.waiting and not self.finished:
            self.counts, self.chunks = self.counts + self.waiting.pop(self.chunks), self.chunks + 1
            self.narrow = is_narrow(self.spec, self.counts, self.games)


Tell = Callable[[Progress], None]


def tell_nobody(progress: Progress) -> None:
    """Say nothing."""


class Interrupted(Exception):
    """A study was interrupted by hand; `progress` is how far it was."""

    def __init__(self, progress: Progress) -> None:
        super().__init__("interrupted")
        self.progress = progress


def run(spec: StudySpec, workers: Workers, keeper: Store | None = None, tell: Tell = tell_nobody) -> Progress:
    """Answer a question; tell: is told how far it is, before the first chunk and after each.

    Chunks that the keeper has are not played again. It ends with the chunks that answer the question, and no more.
    Raises Interrupted, which knows how far it was, on Ctrl-C.
    """
    progress = Progress(spec)
    there = set(_taken_over(progress, keeper)) if keeper else set()
    missing = (spec.cut(place) for place in range(spec.chunks) if place not in there)
    try:
        with interruptible() as check:
            tell(progress)
            if not progress.finished:
                _play(progress, workers.done(spec, missing, keeper is not None), keeper, tell, check)
    except KeyboardInterrupt:
        raise Interrupted(progress) from None
    if keeper:
        keeper.drop_from(progress.chunks)
    return progress


def so_far(spec: StudySpec, keeper: Store) -> Progress:
    """How far the chunks that are kept bring a study."""
    progress = Progress(spec)
    for _ in _taken_over(progress, keeper):
        pass
    return progress


def _taken_over(progress: Progress, keeper: Store) -> Iterator[int]:
    """The places of the chunks that are kept, each added."""
    for place, counts in keeper.kept():
        progress.add(place, counts)
        yield place


def _play(
    progress: Progress, played: Generator[Done], keeper: Store | None, tell: Tell, check: Callable[[], None]
) -> None:
    """Take over what is played, until the question is answered."""
    with closing(played):
        for done in played:
            if keeper:
                keeper.keep(done)
            progress.add(done.chunk.place, done.counts)
            tell(progress)
            if progress.finished:
                return
            check()


def is_narrow(spec: StudySpec, counts: Counts, games: int) -> bool:
    """Whether the intervals of the wins of all seats, in all seatings, are as narrow as is asked."""
    if spec.until_width is None:
        return False
    method = Anytime(spec.confidence)
    for place in range(len(spec.seatings)):
        for wins in counts.row(f"{place}/wins").tolist():
            low, high = method.share(wins, games)
            if high - low > spec.until_width:
                return False
    return True
