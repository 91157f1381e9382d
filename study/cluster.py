"""Chunks played by the workers of a Dask cluster: processes of this machine, or of any that reach one scheduler.

Workers only play; what they return is kept by the process that asks, so they need no folder in common. A worker that
dies costs its chunk, which the scheduler gives to another; one that hangs, the time limit of a chunk, then the chunk is
given to another as well and the first result counts. Workers may join at any time. A worker whose versions or whose
declaration differ gets no chunks.
"""

from __future__ import annotations

import logging
import os
import queue
import re
import signal
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any, NamedTuple

from fsm.outside import Source, admit_sent, source_of
from study.errors import StudyError, require
from study.identity import Identity, differences, identity
from study.spec import Chunk, StudySpec
from study.workers import Done, work

if TYPE_CHECKING:
    from distributed import Client, Future

Tell = Callable[[str], None]
ADDRESS = re.compile(r"(?P<local>local)(:(?P<number>[1-9][0-9]*))?|(tcp|tls)://[^/:]+:[0-9]+")
TIMEOUT = 300.0
"""Seconds that a worker may take for one chunk, if nothing else is said."""
ATTEMPTS = 5
"""How often a chunk may fail before the study is given up."""
ANSWER = 30.0
"""Seconds in which a scheduler, or a worker that is asked for its versions, has to answer."""
ALIVE = ("running", "newly-created")
"""The states of a client that has a scheduler."""
LOOK = 0.5
"""Seconds between two looks at the cluster."""


class Answer(NamedTuple):
    """What a worker returns: its address, in what it differs from what is expected, and, if in nothing, its chunk."""

    address: str
    differs: list[str]
    done: Done | None


class SchedulerLost(StudyError):
    """The scheduler does not answer any more."""


@dataclass
class Running:
    """A chunk that was given to a worker. since: when. given: its futures, several if it was given again."""

    chunk: Chunk
    since: float
    given: list[Future[Any]]
    failed: int = 0


class Cluster:
    """The workers of a cluster.

    address: `local`, `local:N` for N processes of this machine, or the address of a scheduler: `tcp://host:8786`.
    timeout: seconds that a worker may take for one chunk. tell: is told what happens to workers.
    Raises StudyError for another address, or without distributed.
    """

    def __init__(self, address: str, timeout: float = TIMEOUT, tell: Tell = lambda what: None) -> None:
        if not ADDRESS.fullmatch(address):
            raise StudyError(f"cluster {address!r}, expected local, local:N or tcp://HOST:PORT")
        require("cluster", "a cluster", "distributed")
        self.address, self.timeout, self.tell = address, timeout, tell

    def done(self, spec: StudySpec, chunks: Iterator[Chunk], keep: bool) -> Generator[Done]:
        """Play `chunks`. Raises StudyError if no worker fits, a chunk keeps failing, or the scheduler is lost."""
        with _connected(self.address) as client:
            shift = Shift(client, spec, keep, self.timeout, self.tell)
            try:
                shift.inspect()
                yield from shift.done(chunks)
            except StudyError:
                raise
            except Exception as error:
                if client.status in ALIVE and not isinstance(error, OSError):
                    raise
                raise SchedulerLost(f"the scheduler at {self.address} was lost ({type(error).__name__})") from None
            finally:
                shift.give_up()


class Shift:
    """One study at work on a cluster."""

    def __init__(self, client: Client, spec: StudySpec, keep: bool, timeout: float, tell: Tell) -> None:
        self.client, self.spec, self.keep = client, spec, keep
        self.timeout, self.tell = timeout, tell
        self.running: dict[int, Running] = {}
        self.finished: queue.SimpleQueue[tuple[int, Future[Any]]] = queue.SimpleQueue()
        self.threads: dict[str, int] = {}
        self.misfits: dict[str, list[str]] = {}
        self.hanging: set[str] = set()
        self.looked = 0.0
        self.alone = False

    def inspect(self) -> None:
        """Raise StudyError, which tells what differs, unless all workers that are there fit."""
        self._look()
        if self._misfits(list(self.threads)):
            raise self._refusal()

    def done(self, chunks: Iterator[Chunk]) -> Generator[Done]:
        """Play `chunks`, with two for each thread of a worker under way, so that none waits for the next."""
        more = True
        while more or self.running:
            while more and len(self.running) < 2 * max(sum(self.threads.values()), 1):
                chunk = next(chunks, None)
                more = chunk is not None
                if chunk:
                    self.running[chunk.place] = Running(chunk, time.monotonic(), [])
                    self._give(self.running[chunk.place])
            with suppress(queue.Empty):
                place, future = self.finished.get(timeout=LOOK)
                if (running := self.running.get(place)) and future in running.given:
                    yield from self._take(running, future)
            self._look()

    def give_up(self) -> None:
        """Take all chunks back."""
        with suppress(Exception):
            self.client.cancel([future for running in self.running.values() for future in running.given], force=True)

    # ------------------------------------------------------------ chunks

    def _give(self, running: Running) -> None:
        """Give a chunk to a worker, if possible to none that differs or hangs."""
        fit = [address for address in self.threads if address not in self.misfits and address not in self.hanging]
        where = {"workers": fit, "allow_other_workers": True} if 0 < len(fit) < len(self.threads) else {}
        expected = dict(identity(self.spec.game))
        sent = sent_game(self.spec.game)
        given = self.spec, running.chunk, self.keep, expected, sent
        future = self.client.submit(play, *given, pure=False, **where)
        running.since = time.monotonic()
        running.given.append(future)
        future.add_done_callback(lambda done: self.finished.put((running.chunk.place, done)))

    def _take(self, running: Running, future: Future[Any]) -> Iterator[Done]:
        """The chunk, if that is what became of it; else it is given again."""
        from distributed import CancelledError
        from distributed import TimeoutError as NoAnswer

        try:
            answer: Answer = future.result(timeout=min(self.timeout, ANSWER))
        except (CancelledError, NoAnswer):
            self._check_scheduler()
            self._again(running, future, "its worker was lost")
        except Exception as error:
            self._again(running, future, f"{type(error).__name__}: {error}")
            for address in self._misfits([each for each in self.threads if each not in self.misfits]):
                self._shun(address)
        else:
            self.hanging.discard(answer.address)
            if answer.done:
                del self.running[running.chunk.place]
                self.client.cancel([each for each in running.given if each is not future], force=True)
                yield answer.done
            else:
                if answer.address not in self.misfits:
                    self.misfits[answer.address] = answer.differs
                    self._shun(answer.address)
                self._again(running, future, "its worker differs")

    def _again(self, running: Running, future: Future[Any], reason: str) -> None:
        """Give a chunk that failed to a worker again. Raises StudyError if that was tried often enough."""
        running.given.remove(future)
        running.failed += 1
        if running.failed >= ATTEMPTS:
            first, last = running.chunk.first, running.chunk.first + running.chunk.games - 1
            raise StudyError(f"games {first} to {last} failed {ATTEMPTS} times on workers, at last: {reason}")
        if not running.given:
            self._give(running)

    # ------------------------------------------------------------ workers

    def _look(self) -> None:
        """See, from time to time, which workers are there, and whether one hangs."""
        now = time.monotonic()
        if now - self.looked < LOOK:
            return
        self.looked = now
        self._check_scheduler()
        self.threads = dict(self.client.nthreads())
        if not self.threads and not self.alone:
            self.tell("no worker is there, waiting for one")
        self.alone = not self.threads
        late = [each for each in self.running.values() if now - each.since > self.timeout]
        if late and self.threads:
            self._overtake(late)

    def _overtake(self, late: list[Running]) -> None:
        """Give chunks that take too long to other workers; those that have them get nothing new until they answer."""
        having = {key: address for address, keys in self.client.processing().items() for key in keys}
        for running in late:
            hanging = {having[future.key] for future in running.given if future.key in having} - self.hanging
            for address in hanging:
                self.tell(f"{address} has not answered for {self.timeout:g} s, its games are given to others")
            self.hanging |= hanging
            self._give(running)

    def _misfits(self, addresses: list[str]) -> list[str]:
        """Ask workers what they are; those that differ from this machine. One that does not answer is none of them."""
        from distributed import TimeoutError as NoAnswer
        from distributed import wait

        game = self.spec.game
        asked = {
            address: self.client.submit(identity_of, game, sent_game(game), workers=[address], pure=False, priority=10)
            for address in addresses
        }
        with suppress(NoAnswer):
            wait(list(asked.values()), timeout=ANSWER)
        told = {address: _told(future, identity(game)) for address, future in asked.items() if future.done()}
        found = {address: differs for address, differs in told.items() if differs}
        self.misfits |= found
        return list(found)

    def _shun(self, address: str) -> None:
        """Tell that a worker which differs gets no more chunks. Raises StudyError if there is no other."""
        self.threads = dict(self.client.nthreads())
        if self.threads and self.threads.keys() <= self.misfits.keys():
            raise self._refusal()
        self.tell(f"{address} gets no games, it differs from this machine: {'; '.join(self.misfits[address])}")

    def _refusal(self) -> StudyError:
        """The error that tells in what workers differ."""
        told = "\n".join(f"  {address}: {'; '.join(differs)}" for address, differs in self.misfits.items())
        return StudyError(f"workers differ from this machine, expected the same versions everywhere:\n{told}")

    def _check_scheduler(self) -> None:
        """Raise SchedulerLost if nobody is at the other end."""
        if self.client.status not in ALIVE:
            raise SchedulerLost(f"the scheduler was lost (the connection is {self.client.status})")


class SentGame(NamedTuple):
    """A game from outside the package as a worker receives it: its source with the text of its file, and its hash."""

    source: Source
    digest: str


def sent_game(game: str) -> SentGame | None:
    """What a worker needs to know the game; nothing if it is of this package or of an installed one."""
    source = source_of(game)
    return None if source is None else SentGame(source, source.digest)


def identity_of(game: str, sent: SentGame | None) -> Identity:
    """The identity of a worker for a game. A game that it refuses is what it differs in."""
    try:
        if sent is not None:
            admit_sent(*sent)
        return identity(game)
    except ValueError as error:
        return {"game": str(error)}


def play(spec: StudySpec, chunk: Chunk, keep: bool, expected: Identity, sent: SentGame | None = None) -> Answer:
    """Play a chunk on a worker, if the worker is what the study expects."""
    from distributed import get_worker

    differs = differences(expected, identity_of(spec.game, sent))
    return Answer(get_worker().address, differs, None if differs else work(spec, chunk, keep))


def _told(future: Future[Any], here: Identity) -> list[str]:
    """In what a worker differs that was asked for its identity."""
    try:
        return differences(here, future.result(timeout=ANSWER))
    except OSError:
        return []
    except Exception as error:
        return [f"{error}: install the same version of maumau with the extra `cluster` there"]


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    """A client of the cluster; a local one is made, and ended with it. Raises StudyError if no scheduler answers."""
    from distributed import Client, LocalCluster

    for name in (*logging.root.manager.loggerDict, "distributed", "tornado", "asyncio"):
        if name.startswith(("distributed", "tornado", "asyncio")):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    local = ADDRESS.fullmatch(address)
    assert local
    if local["local"]:
        number = int(local["number"] or len(os.sched_getaffinity(0)))
        options: dict[str, Any] = {"n_workers": number, "threads_per_worker": 1, "dashboard_address": None}
        with _without_interrupts():
            cluster = LocalCluster(**options, silence_logs=logging.CRITICAL)
        with cluster, Client(cluster) as client:
            yield client
        return
    try:
        client = Client(address, timeout=ANSWER)
    except OSError:
        raise StudyError(f"no scheduler answers at {address}, expected one: dask scheduler --port 8786") from None
    try:
        yield client
    finally:
        with suppress(Exception):
            client.close(timeout=2)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let the processes that are begun here, and those begun in their place, not hear of Ctrl-C: who asked ends them.

    A signal that is blocked stays so in all threads and processes that come of this one.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would unblock the signal when it is begun
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
