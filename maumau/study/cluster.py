"""Chunks played by the workers of a Dask cluster: processes of this machine, or of machines that share a scheduler.

Workers only play; the client stores the results, so workers need no shared folder. If a worker dies, the scheduler
gives its chunk to another one. If a worker does not return a chunk within the time limit, the chunk is submitted again
and the first result counts. Workers may join at any time. A worker whose versions or declaration differ gets no chunks.
"""

from __future__ import annotations

import logging
import queue
import re
import signal
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any, NamedTuple

from fsm.outside import Origin, admit_sent, origins_of, origins_of_players
from maumau.kernels.compiler.processor import cores
from maumau.study.errors import StudyError, require
from maumau.study.identity import Identity, differences, identity
from maumau.study.spec import Chunk, StudySpec
from maumau.study.workers import PlayedChunk, play_chunk

if TYPE_CHECKING:
    from distributed import Client, Future

Notify = Callable[[str], None]
ADDRESS = re.compile(r"(?P<local>local)(:(?P<number>[1-9][0-9]*))?|(tcp|tls)://[^/:]+:[0-9]+")
TIMEOUT = 300.0
"""The default time limit for one chunk, in seconds."""
ATTEMPTS = 5
"""The number of attempts at a chunk before the study fails."""
RESPONSE_TIMEOUT = 30.0
"""Seconds in which a scheduler, or a worker that reports its versions, must respond."""
CONNECTED = ("running", "newly-created")
"""The states of a client that is connected to a scheduler."""
POLL_INTERVAL = 0.5
"""Seconds between two polls of the cluster."""


class WorkerResult(NamedTuple):
    """The result of a worker: its address, its differences from the expected identity and, if none, its chunk."""

    address: str
    differences: list[str]
    played: PlayedChunk | None


class SchedulerLost(StudyError):
    """The scheduler no longer responds."""


@dataclass
class Submission:
    """A chunk that was submitted. since: time of the last submission. futures: one for each pending attempt."""

    chunk: Chunk
    since: float
    futures: list[Future[Any]]
    failures: int = 0


class Cluster:
    """The workers of a cluster.

    address: `local`, `local:N` for N processes of this machine, or the address of a scheduler: `tcp://host:8786`.
    timeout: seconds that a worker may take for one chunk. notify: called with messages about workers.
    Raises StudyError for another address, or without distributed.
    """

    def __init__(self, address: str, timeout: float = TIMEOUT, notify: Notify = lambda message: None) -> None:
        if not ADDRESS.fullmatch(address):
            raise StudyError(f"cluster {address!r}, expected local, local:N or tcp://HOST:PORT")
        require("cluster", "a cluster", "distributed")
        self.address, self.timeout, self.notify = address, timeout, notify

    def play(self, spec: StudySpec, chunks: Iterator[Chunk], with_file: bool) -> Generator[PlayedChunk]:
        """Play `chunks`. Raises StudyError if no worker is compatible, a chunk fails repeatedly, or the scheduler is
        lost.
        """
        with _connected(self.address) as client:
            job = Job(client, spec, with_file, self.timeout, self.notify)
            try:
                job.check_workers()
                yield from job.play(chunks)
            except StudyError:
                raise
            except Exception as error:
                if client.status in CONNECTED and not isinstance(error, OSError):
                    raise
                raise SchedulerLost(f"the scheduler at {self.address} was lost ({type(error).__name__})") from None
            finally:
                job.cancel()


class Job:
    """One run of a study on a cluster.

    incompatible: the differences of the workers whose identity differs, by address. hanging: the addresses of the
    workers that exceed the time limit.
    """

    def __init__(self, client: Client, spec: StudySpec, with_file: bool, timeout: float, notify: Notify) -> None:
        self.client, self.spec, self.with_file = client, spec, with_file
        self.timeout, self.notify = timeout, notify
        self.pending: dict[int, Submission] = {}
        self.finished: queue.SimpleQueue[tuple[int, Future[Any]]] = queue.SimpleQueue()
        self.threads: dict[str, int] = {}
        self.incompatible: dict[str, list[str]] = {}
        self.hanging: set[str] = set()
        self.polled = 0.0
        self.without_workers = False

    def check_workers(self) -> None:
        """Raise StudyError, which lists the differences, unless all connected workers are compatible."""
        self._poll()
        if self._find_incompatible(list(self.threads)):
            raise self._incompatible_error()

    def play(self, chunks: Iterator[Chunk]) -> Generator[PlayedChunk]:
        """Play `chunks`. Two are submitted for each worker thread, so that no thread is idle."""
        more = True
        while more or self.pending:
            while more and len(self.pending) < 2 * max(sum(self.threads.values()), 1):
                chunk = next(chunks, None)
                more = chunk is not None
                if chunk:
                    self.pending[chunk.number] = Submission(chunk, time.monotonic(), [])
                    self._submit(self.pending[chunk.number])
            with suppress(queue.Empty):
                index, future = self.finished.get(timeout=POLL_INTERVAL)
                if (submission := self.pending.get(index)) and future in submission.futures:
                    yield from self._collect(submission, future)
            self._poll()

    def cancel(self) -> None:
        """Cancel all pending chunks."""
        with suppress(Exception):
            futures = [future for submission in self.pending.values() for future in submission.futures]
            self.client.cancel(futures, force=True)

    # ------------------------------------------------------------ chunks

    def _submit(self, submission: Submission) -> None:
        """Submit a chunk to a compatible worker, if possible to one that is not hanging."""
        compatible = [each for each in self.threads if each not in self.incompatible]
        usable = [each for each in compatible if each not in self.hanging] or compatible
        where = {"workers": usable, "allow_other_workers": True} if 0 < len(usable) < len(self.threads) else {}
        expected = dict(identity(*self.spec.game_names, policies=self.spec.policies))
        sent = sent_games(*self.spec.game_names, policies=self.spec.policies)
        arguments = self.spec, submission.chunk, self.with_file, expected, sent
        future = self.client.submit(play, *arguments, pure=False, **where)
        submission.since = time.monotonic()
        submission.futures.append(future)
        future.add_done_callback(lambda done: self.finished.put((submission.chunk.number, done)))

    def _collect(self, submission: Submission, future: Future[Any]) -> Iterator[PlayedChunk]:
        """Yield the chunk if it was played, else submit it again."""
        from distributed import CancelledError
        from distributed import TimeoutError as NoResponse

        try:
            result: WorkerResult = future.result(timeout=min(self.timeout, RESPONSE_TIMEOUT))
        except (CancelledError, NoResponse):
            self._check_scheduler()
            self._retry(submission, future, "its worker was lost")
        except Exception as error:
            self._retry(submission, future, f"{type(error).__name__}: {error}")
            found = self._find_incompatible([each for each in self.threads if each not in self.incompatible])
            self._require_compatible()
            for address in found:
                self._report_incompatible(address)
        else:
            self.hanging.discard(result.address)
            if result.played:
                del self.pending[submission.chunk.number]
                self.client.cancel([each for each in submission.futures if each is not future], force=True)
                yield result.played
            else:
                self._refused(submission, future, result)

    def _refused(self, submission: Submission, future: Future[Any], result: WorkerResult) -> None:
        """Submit a chunk again that an incompatible worker did not play. This is not a failed attempt.

        Raises StudyError if no compatible worker is left.
        """
        known = result.address in self.incompatible
        self.incompatible[result.address] = result.differences
        self._require_compatible()
        if not known:
            self._report_incompatible(result.address)
        submission.futures.remove(future)
        if not submission.futures:
            self._submit(submission)

    def _retry(self, submission: Submission, future: Future[Any], reason: str) -> None:
        """Submit a failed chunk again. Raises StudyError after too many attempts."""
        submission.futures.remove(future)
        submission.failures += 1
        if submission.failures >= ATTEMPTS:
            first, last = submission.chunk.first, submission.chunk.first + submission.chunk.games - 1
            raise StudyError(f"games {first} to {last} failed {ATTEMPTS} times on workers; last error: {reason}")
        if not submission.futures:
            self._submit(submission)

    # ------------------------------------------------------------ workers

    def _poll(self) -> None:
        """Update the list of workers, and find those that hang, at most once per POLL_INTERVAL."""
        now = time.monotonic()
        if now - self.polled < POLL_INTERVAL:
            return
        self.polled = now
        self._check_scheduler()
        self.threads = dict(self.client.nthreads())
        if not self.threads and not self.without_workers:
            self.notify("no worker is connected, waiting for one")
        self.without_workers = not self.threads
        late = [each for each in self.pending.values() if now - each.since > self.timeout]
        if late and self.threads:
            self._resubmit(late)

    def _resubmit(self, late: list[Submission]) -> None:
        """Submit chunks that exceed the time limit to other workers; theirs get no new chunks until they respond."""
        processing = {key: address for address, keys in self.client.processing().items() for key in keys}
        for submission in late:
            keys = [future.key for future in submission.futures]
            hanging = {processing[key] for key in keys if key in processing} - self.hanging
            for address in hanging:
                self.notify(f"{address} has not responded for {self.timeout:g} s, its games go to other workers")
            self.hanging |= hanging
            self._submit(submission)

    def _find_incompatible(self, addresses: list[str]) -> list[str]:
        """Request the identities of workers; those that differ. A worker that does not respond is not among them."""
        from distributed import TimeoutError as NoResponse
        from distributed import wait

        games, policies = self.spec.game_names, self.spec.policies
        asked = games, sent_games(*games, policies=policies), policies
        requests = {
            address: self.client.submit(identity_of, *asked, workers=[address], pure=False, priority=10)
            for address in addresses
        }
        with suppress(NoResponse):
            wait(list(requests.values()), timeout=RESPONSE_TIMEOUT)
        received = {
            address: _worker_differences(future, identity(*games, policies=policies))
            for address, future in requests.items()
            if future.done()
        }
        found = {address: each for address, each in received.items() if each}
        self.incompatible |= found
        return list(found)

    def _require_compatible(self) -> None:
        """Raise StudyError if all connected workers are incompatible."""
        self.threads = dict(self.client.nthreads())
        if self.threads and self.threads.keys() <= self.incompatible.keys():
            raise self._incompatible_error()

    def _report_incompatible(self, address: str) -> None:
        """Report that a worker is excluded from further chunks."""
        self.notify(f"{address} gets no games, it differs from this machine: {'; '.join(self.incompatible[address])}")

    def _incompatible_error(self) -> StudyError:
        """The error that lists the differences of all incompatible workers."""
        lines = "\n".join(f"  {address}: {'; '.join(each)}" for address, each in self.incompatible.items())
        return StudyError(f"workers differ from this machine, expected the same versions everywhere:\n{lines}")

    def _check_scheduler(self) -> None:
        """Raise SchedulerLost if the connection is closed."""
        if self.client.status not in CONNECTED:
            raise SchedulerLost(f"the scheduler was lost (the connection is {self.client.status})")


class Sent(NamedTuple):
    """A game, a house rule or a player from outside the package for a worker: its origin, and the hash of its file."""

    origin: Origin
    digest: str


def sent_games(*games: str, policies: tuple[str, ...] = ()) -> tuple[Sent, ...]:
    """What a worker needs to load the games, with their house rules, and the players.

    Nothing for those of installed packages.
    """
    origins = dict.fromkeys(origin for game in games for origin in origins_of(game))
    origins |= dict.fromkeys(origins_of_players(policies))
    return tuple(Sent(origin, origin.source.digest) for origin in origins)


def identity_of(games: tuple[str, ...], sent: tuple[Sent, ...], policies: tuple[str, ...] = ()) -> Identity:
    """The identity of a worker for games and players. For one that is refused, the message is the difference."""
    try:
        for each in sent:
            admit_sent(*each)
        return identity(*games, policies=policies)
    except ValueError as error:
        return {"game": str(error)}


def play(
    spec: StudySpec, chunk: Chunk, with_file: bool, expected: Identity, sent: tuple[Sent, ...] = ()
) -> WorkerResult:
    """Play a chunk on a worker, if its identity is the expected one."""
    from distributed import get_worker

    found = differences(expected, identity_of(spec.game_names, sent, spec.policies))
    return WorkerResult(get_worker().address, found, None if found else play_chunk(spec, chunk, with_file))


def _worker_differences(future: Future[Any], here: Identity) -> list[str]:
    """The differences of a worker from this machine, given the future of its identity."""
    try:
        return differences(here, future.result(timeout=RESPONSE_TIMEOUT))
    except OSError:
        return []
    except Exception as error:
        return [f"{error}: install the same version of maumau with the extra `cluster` there"]


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    """A client of the cluster; a local cluster is ended with it. Raises StudyError if no scheduler responds."""
    from distributed import Client, LocalCluster

    for name in (*logging.root.manager.loggerDict, "distributed", "tornado", "asyncio"):
        if name.startswith(("distributed", "tornado", "asyncio")):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    local = ADDRESS.fullmatch(address)
    assert local
    if local["local"]:
        number = int(local["number"] or cores())
        options: dict[str, Any] = {"n_workers": number, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
        with _without_interrupts():
            cluster = LocalCluster(**options, silence_logs=logging.CRITICAL)
        with cluster, Client(cluster) as client:
            yield client
        return
    try:
        client = Client(address, timeout=RESPONSE_TIMEOUT)
    except OSError:
        raise StudyError(f"no scheduler responds at {address}, expected one: dask scheduler --port 8786") from None
    try:
        yield client
    finally:
        with suppress(Exception):
            client.close(timeout=2)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Block Ctrl-C in processes that are started here, and in their replacements; the client ends them.

    A blocked signal remains blocked in all child threads and processes.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would unblock the signal when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
