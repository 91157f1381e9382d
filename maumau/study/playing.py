"""Plays and counts the games of chunks, in threads of this process; maumau.study.cluster has other workers."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from fsm.declaration.declaration import Declaration
from fsm.declaration.policy import SteppedPolicy
from fsm.edge.numbers import thread_count
from fsm.registry import game_class
from maumau.agents.arrays import Array, np
from maumau.kernels.bulk.lanes import MIN_GAMES
from maumau.kernels.bulk.matches import MatchResults, MatchRunner
from maumau.kernels.bulk.runner import Runner
from maumau.kernels.bulk.stepped import SteppedRunner
from maumau.kernels.bulk.totals import COUNT_VALUES, histograms
from maumau.kernels.compiler.machine_code import Notify, cores, machine_code
from maumau.kernels.compiler.results import Results
from maumau.kernels.compiler.source import dealing
from maumau.study.counts import Counts, Unwon, lowest, paired, paired_rules
from maumau.study.errors import StudyError
from maumau.study.rows import file_of
from maumau.study.spec import Chunk, StudySpec

if TYPE_CHECKING:
    from maumau.kernels.bulk.totals import Distribution


GRACE = 0.5
"""Seconds that a pool is given to end: what it is about to do may take much longer, such as the search for a move."""


def play(spec: StudySpec, chunk: Chunk, stop: Event | None = None) -> list[Results]:
    """The games or matches of a chunk, once for each play, in one thread.

    stop: ends the call early, which raises Stopped. Raises StudyError for what a policy must not choose.
    """
    try:
        return [runner.play(None, chunk.first, chunk.games, threads=1, stop=stop) for runner in _runners(spec, None)]
    except ValueError as error:  # such as IllegalMove and OutsideError
        raise StudyError(str(error)) from None


def prepare(spec: StudySpec, notify: Notify | None = None) -> None:
    """Compile the kernels of a study. notify: called before a compilation that takes seconds."""
    for runner in _runners(spec, notify):
        runner.prepare(spec.cut(0).games)
    if spec.cut(0).games >= MIN_GAMES:  # lanes leave one deck in some thousands to the program that deals
        for name in spec.game_names:
            machine_code(dealing(game_class(name).declaration), notify)
    machine_code(COUNT_VALUES)


def count(spec: StudySpec, chunk: Chunk, results: Sequence[Results]) -> Counts:
    """The counts of a chunk."""
    sums: dict[str, Array] = {}
    unwon: list[Unwon] = []
    count_values = machine_code(COUNT_VALUES)
    for index, played in enumerate(results):
        sums |= {f"{index}/{name}": row for name, row in _sums(count_values, played).items()}
        endings = played.games["ending"]
        rows = (endings != spec.endings.WON).nonzero()[0].tolist()
        unwon += [Unwon(int(endings[row]), chunk.first + row, index) for row in rows]
    sums |= paired(spec, results) if spec.compared_with is None else paired_rules(spec, *results)
    return Counts(sums, lowest(unwon))


def _runners(spec: StudySpec, notify: Notify | None) -> Iterator[Runner | SteppedRunner]:
    for name, policies in spec.plays:
        where = game_class(name).declaration, spec.players, policies, spec.seed
        if spec.target is None:
            yield runner_of(*where, tally=True, notify=notify)
        else:
            yield MatchRunner(*where, spec.target, tally=True, log=False, notify=notify)


def runner_of(
    game: Declaration, players: int, policies: Sequence[str], seed: int, tally: bool, notify: Notify | None
) -> Runner | SteppedRunner:
    """What plays games of these policies. tally: whether arcs and decision rules are counted."""
    if any(isinstance(policy, SteppedPolicy) for policy in game.seated(players, policies)):
        return SteppedRunner(game, players, policies, seed, notify)
    return Runner(game, players, policies, seed, tally=tally, log=False, notify=notify)


def _sums(count_values: Distribution, played: Results) -> dict[str, Array]:
    """The sums of one play, by name."""
    assert played.counted is not None
    assert played.used is not None
    arcs = np.array(list(played.counted.values()), np.int64)
    rules = np.array(list(played.used.values()), np.int64)
    rounds = {"rounds": np.bincount(played.rounds)} if isinstance(played, MatchResults) else {}
    return histograms(count_values, played) | rounds | {"arcs": arcs, "rules": rules}


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
    return PlayedChunk(chunk, counts, file_of(spec, chunk, results, counts) if with_file else None)


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


def end(pool: ThreadPoolExecutor, stop: Event, running: Iterable[Future[Any]]) -> None:
    """End the work of a pool: no more is begun, and what is `running` and does not end soon is left to itself.

    stop: what the work asks in between, whether it is to end.
    """
    stop.set()
    pool.shutdown(wait=False, cancel_futures=True)
    wait(running, GRACE)
