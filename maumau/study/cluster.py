"""Chunks played by the workers of a Dask cluster: processes of this machine, or of machines that share a scheduler.

Workers only play; the client stores the results, so workers need no shared folder. Dask gives a chunk that fails, or
whose worker dies, to another one. A chunk that is not returned within the time limit is submitted again, and the first
result counts. Workers may join at any time. A worker whose versions or declaration differ gets no chunks.
"""

from __future__ import annotations

import logging
import re
import signal
import time
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from itertools import islice
from math import inf
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any, NamedTuple

from fsm.edge.extras import require
from fsm.edge.numbers import Notify, thread_count
from fsm.outside import Origin, origins_of
from maumau.study.identity import Identity, differences, identity
from maumau.study.playing import PlayedChunk, Threads, Workers, play_chunk
from maumau.study.spec import Chunk, StudyError, StudySpec, Unplayable
from rules.notation import shown

if TYPE_CHECKING:
    from distributed import Client, Future

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


class Submission(NamedTuple):
    """A chunk that was submitted, and when it is late."""

    chunk: Chunk
    late: float


class Cluster:
    """The workers of a cluster.

    address: `local`, `local:N` for N processes of this machine, or the address of a scheduler: `tcp://host:8786`.
    timeout: seconds that a worker may take for one chunk. notify: called with messages about workers.
    Raises StudyError for another address, or without distributed.
    """

    def __init__(self, address: str, timeout: float = TIMEOUT, notify: Notify = lambda message: None) -> None:
        if not ADDRESS.fullmatch(address):
            raise StudyError(f"{shown(address)} is not the address of a cluster; use local, local:N or tcp://HOST:PORT")
        require("a cluster", "distributed")
        self.address, self.timeout, self.notify = address, timeout, notify

    def play(self, spec: StudySpec, chunks: Iterator[Chunk], with_file: bool) -> Generator[PlayedChunk]:
        """Play `chunks`. Raises StudyError if no worker is compatible, a chunk fails repeatedly, or the scheduler is
        lost.
        """
        with _connected(self.address) as client:
            job = Job(client, spec, with_file, self.timeout, self.notify)
            try:
                yield from job.play(chunks)
            except StudyError:
                raise
            except Exception as error:
                if client.status in CONNECTED and not isinstance(error, OSError | CancelledError):
                    raise
                raise StudyError(f"the scheduler at {self.address} was lost ({type(error).__name__})") from None
            finally:
                with suppress(Exception):
                    client.cancel(list(job.pending), force=True)


def workers_of(threads: int | None, address: str | None, timeout: float, notify: Notify) -> Workers:
    """Return the workers at an address, or threads of this process where it is None. Raises what both classes raise."""
    return Threads(threads) if address is None else Cluster(address, timeout, notify)


class Job:
    """One run of a study on a cluster.

    pending: what was submitted. incompatible: the differences of the workers whose identity differs, by address.
    hanging: the addresses of the workers that exceed the time limit.
    """

    def __init__(self, client: Client, spec: StudySpec, with_file: bool, timeout: float, notify: Notify) -> None:
        self.client, self.spec, self.with_file = client, spec, with_file
        self.timeout, self.notify = timeout, notify
        self.identity = dict(identity(*spec.game_names, policies=spec.policies))
        self.sent = origins_of(*spec.game_names, players=spec.policies)
        self.pending: dict[Future[Any], Submission] = {}
        self.threads: dict[str, int] = {}
        self.incompatible: dict[str, list[str]] = {}
        self.hanging: set[str] = set()
        self.without_workers = False

    def play(self, chunks: Iterator[Chunk]) -> Generator[PlayedChunk]:
        """Play `chunks`. Two are submitted for each worker thread, so that no thread is idle.

        Raises StudyError, which lists the differences, unless all workers that are connected are compatible.
        """
        from distributed import wait

        self._look()
        if found := self._differences():
            raise _incompatible_error(found)
        while True:
            self._look()
            for chunk in islice(chunks, max(0, 2 * max(sum(self.threads.values()), 1) - len(self.pending))):
                self._submit(chunk)
            if not self.pending:
                return
            try:
                done = wait(list(self.pending), POLL_INTERVAL, "FIRST_COMPLETED").done
            except TimeoutError:
                continue
            for future in done:
                if future in self.pending:  # not a second attempt at a chunk that was just collected
                    yield from self._collect(future)

    def _submit(self, chunk: Chunk) -> None:
        """Submit a chunk to a compatible worker, if possible to one that is not hanging."""
        compatible = [each for each in self.threads if each not in self.incompatible]
        usable = [each for each in compatible if each not in self.hanging] or compatible
        where = {"workers": usable, "allow_other_workers": True} if 0 < len(usable) < len(self.threads) else {}
        arguments = self.spec, chunk, self.with_file, self.identity, self.sent
        future = self.client.submit(play, *arguments, pure=False, retries=ATTEMPTS - 1, **where)
        self.pending[future] = Submission(chunk, time.monotonic() + self.timeout)

    def _collect(self, future: Future[Any]) -> Iterator[PlayedChunk]:
        """Yield the chunk if it was played, else submit it again. Raises StudyError if it failed on workers that are
        compatible.
        """
        chunk = self.pending.pop(future).chunk
        others = [each for each, submission in self.pending.items() if submission.chunk == chunk]
        result = None
        try:
            result = future.result(timeout=min(self.timeout, RESPONSE_TIMEOUT))
        except TimeoutError:
            pass  # the worker was lost after it had played
        except CancelledError:  # so was the scheduler
            raise
        except Exception as error:
            found = self._differences()
            if not found:
                first, last = chunk.first, chunk.first + chunk.games - 1
                what = f"games {first} to {last} failed {ATTEMPTS} times on workers"
                kind = Unplayable if isinstance(error, Unplayable) else StudyError
                raise kind(f"{what}; last error: {type(error).__name__}: {error}") from None
            self._exclude(found)
        else:
            self.hanging.discard(result.address)
            if result.differences:
                self._exclude({result.address: result.differences})
        if result and result.played:
            for other in others:
                del self.pending[other]
            self.client.cancel(others, force=True)
            yield result.played
        elif not others:
            self._submit(chunk)

    def _look(self) -> None:
        """Update the list of workers, and submit the chunks again that are late."""
        if self.client.status not in CONNECTED:
            raise StudyError(f"the scheduler was lost (the connection is {self.client.status})")
        self.threads = dict(self.client.nthreads())
        if not self.threads and not self.without_workers:
            self.notify("no worker is connected; waiting for one")
        self.without_workers = not self.threads
        late = [future for future, each in self.pending.items() if time.monotonic() > each.late]
        if late and self.threads:
            self._resubmit(late)

    def _resubmit(self, late: list[Future[Any]]) -> None:
        """Submit chunks that exceed the time limit to other workers; theirs get no new chunks until they respond."""
        processing = {key: address for address, keys in self.client.processing().items() for key in keys}
        for address in {processing[each.key] for each in late if each.key in processing} - self.hanging:
            self.notify(f"{address} has not responded for {self.timeout:g} s; its games go to other workers")
            self.hanging.add(address)
        for future in late:
            chunk = self.pending[future].chunk
            self.pending[future] = Submission(chunk, inf)
            self._submit(chunk)

    def _exclude(self, found: Mapping[str, list[str]]) -> None:
        """Give workers that differ no more chunks. Raises StudyError if all connected workers are incompatible."""
        known = self.incompatible.keys() & found.keys()
        self.incompatible |= found
        self.threads = dict(self.client.nthreads())
        if self.threads and self.threads.keys() <= self.incompatible.keys():
            raise _incompatible_error(self.incompatible)
        for address in found.keys() - known:
            what = "; ".join(found[address])
            self.notify(f"{address} gets no games because it differs from this machine: {what}")

    def _differences(self) -> dict[str, list[str]]:
        """The differences of the workers that are not known to be incompatible, of those that respond, if any."""
        from distributed import wait

        asked = self.spec.game_names, self.sent, self.spec.policies
        requests = {
            address: self.client.submit(identity_of, *asked, workers=[address], pure=False, priority=10)
            for address in self.threads
            if address not in self.incompatible
        }
        with suppress(TimeoutError):
            wait(list(requests.values()), timeout=RESPONSE_TIMEOUT)
        found = {address: self._answer(future) for address, future in requests.items() if future.done()}
        return {address: each for address, each in found.items() if each}

    def _answer(self, future: Future[Any]) -> list[str]:
        """The differences of a worker from this machine, given the future of its identity."""
        try:
            return differences(self.identity, future.result(timeout=RESPONSE_TIMEOUT))
        except OSError:
            return []
        except Exception as error:
            return [f"{error}: install the same version of maumau with the extra `cluster` there"]


def _incompatible_error(found: Mapping[str, list[str]]) -> StudyError:
    lines = "\n".join(f"  {address}: {'; '.join(each)}" for address, each in found.items())
    return StudyError(f"workers differ from this machine; install the same versions everywhere:\n{lines}")


def identity_of(games: tuple[str, ...], sent: tuple[Origin, ...], policies: tuple[str, ...] = ()) -> Identity:
    """The identity of a worker for games and players. For one that is refused, the message is the difference."""
    try:
        for each in sent:
            each.admit()
        return identity(*games, policies=policies)
    except ValueError as error:
        return {"game": str(error)}


def play(
    spec: StudySpec, chunk: Chunk, with_file: bool, expected: Identity, sent: tuple[Origin, ...] = ()
) -> WorkerResult:
    """Play a chunk on a worker, if its identity is the expected one."""
    from distributed import get_worker

    found = differences(expected, identity_of(spec.game_names, sent, spec.policies))
    return WorkerResult(get_worker().address, found, None if found else play_chunk(spec, chunk, with_file))


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
        number = int(local["number"] or thread_count(None))
        options: dict[str, Any] = {"n_workers": number, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
        with _without_interrupts():
            cluster = LocalCluster(**options, silence_logs=logging.CRITICAL)
        with cluster, Client(cluster) as client:
            yield client
        return
    try:
        client = Client(address, timeout=RESPONSE_TIMEOUT)
    except OSError:
        raise StudyError(
            f"--cluster: no scheduler responds at {address}; start one with dask scheduler --port 8786"
        ) from None
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
