"""Studies on Dask: the same answer from any number of workers, whatever becomes of them."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from math import inf
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("distributed")
psutil = pytest.importorskip("psutil")

from fsm import MauMau  # noqa: E402
from fsm.outside import admit_rule, read_source  # noqa: E402
from maumau.study import cluster as clusters  # noqa: E402
from maumau.study.cluster import Cluster, Job, Submission, WorkerResult  # noqa: E402
from maumau.study.counts import Counts, StudyProgress  # noqa: E402
from maumau.study.folder import Folder  # noqa: E402
from maumau.study.playing import Threads, Workers  # noqa: E402
from maumau.study.run import run  # noqa: E402
from maumau.study.spec import StudyError, StudySpec  # noqa: E402

QUESTION = StudySpec.of("maumau", 3, 40_000, 5, chunk=1000)
SHORT = StudySpec.of("maumau", 3, 400_000, 5, chunk=10_000)
LONG = StudySpec.of("maumau", 3, 2_000_000, 5, chunk=10_000)
OTHER = "import maumau.study.identity\nmaumau.study.identity.version_of = lambda package: '0.0'\n"
Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture(name="start")
def start_process() -> Iterator[Start]:
    """`start("worker", address)`: a process of Dask, ended with the test."""
    opened: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str) -> subprocess.Popen[bytes]:
        line = [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], "--no-dashboard", *arguments[1:]]
        opened.append(subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return opened[-1]

    yield start
    for process in opened:
        process.send_signal(signal.SIGCONT)
        process.kill()
        process.wait()


@pytest.fixture(name="scheduler")
def scheduler_process(start: Start) -> tuple[str, subprocess.Popen[bytes]]:
    """The address of a scheduler, and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = start("scheduler", "--host", "127.0.0.1", "--port", str(port))
    for _ in range(300):
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    return f"tcp://127.0.0.1:{port}", process


def worker(start: Start, address: str, *more: str) -> subprocess.Popen[bytes]:
    return start("worker", address, "--nthreads", "1", "--no-nanny", *more)


def once(action: Callable[[], object], after: int = 1) -> Callable[[StudyProgress], None]:
    """Do something when the first chunks are done."""
    left = [action]

    def act(progress: StudyProgress) -> None:
        if left and progress.done >= after * progress.spec.chunk:
            left.pop()()

    return act


def stored(
    folder: Path,
    spec: StudySpec,
    workers: Workers,
    on_progress: Callable[[StudyProgress], None] = lambda progress: None,
) -> dict[str, bytes]:
    """Run a study to its end: the files of its folder."""
    with Folder.open(folder, spec, resume=False) as opened:
        assert run(spec, workers, opened, on_progress).finished
    return {path.name: path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}


@pytest.fixture(name="known", scope="module")
def known_counts() -> Counts:
    """The counts of LONG, without a cluster."""
    return run(LONG, Threads(2)).counts


@pytest.mark.thorough
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_any_number_of_workers_gives_the_same_bits(tmp_path: Path, workers: int) -> None:
    here = stored(tmp_path / "cluster", QUESTION, Cluster(f"local:{workers}"))
    assert len(here) >= 41
    assert here == stored(tmp_path / "threads", QUESTION, Threads(2))


@pytest.mark.thorough
def test_rules_of_a_file_are_compared_on_a_cluster(tmp_path: Path) -> None:
    """The workers know neither the file nor the rule before."""
    path = tmp_path / "nines.py"
    path.write_text((Path(__file__).parents[2] / "examples" / "nine_reverses.py").read_text())
    admit_rule(read_source(f"{path}:NINES"), MauMau)
    spec = StudySpec.of("maumau+five-each+nines-turn", 3, 4000, 5, chunk=1000, compared_with="maumau")
    path.unlink()
    stored = []
    for folder, workers in ((tmp_path / "threads", Threads(2)), (tmp_path / "cluster", Cluster("local:2"))):
        with Folder.open(folder, spec, resume=False) as opened:
            assert run(spec, workers, opened).finished
        stored.append([each.read_bytes() for each in sorted((folder / "games").iterdir())])
    assert len(stored[0]) == 4
    assert stored[0] == stored[1]


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_only_its_chunk(tmp_path: Path) -> None:
    """Two workers give the same bits as threads, even if one of them is killed."""

    def kill() -> None:
        children = psutil.Process().children(recursive=True)
        workers = [each for each in children if "spawn_main" in " ".join(each.cmdline())]
        assert len(workers) == 2
        workers[-1].kill()

    played = stored(tmp_path / "cluster", SHORT, Cluster("local:2"), once(kill))
    assert played == stored(tmp_path / "threads", SHORT, Threads(2))


@pytest.mark.thorough
def test_a_worker_that_hangs_and_others_that_join_late(
    start: Start, scheduler: tuple[str, object], tmp_path: Path, known: Counts
) -> None:
    address, _ = scheduler
    other = tmp_path / "other.py"
    other.write_text(OTHER)
    first = worker(start, address)
    messages: list[str] = []

    def hang() -> None:
        first.send_signal(signal.SIGSTOP)
        worker(start, address, "--preload", str(other))
        worker(start, address)

    progress = run(LONG, Cluster(address, timeout=4, notify=messages.append), on_progress=once(hang))
    assert progress.counts == known
    assert any("has not responded for 4 s; its games go to other workers" in each for each in messages)
    assert all("llvmlite 0.0, here" in each for each in messages if "gets no games" in each)


@pytest.mark.thorough
def test_the_loss_of_the_scheduler_is_reported_and_the_study_goes_on(
    start: Start, scheduler: tuple[str, subprocess.Popen[bytes]], tmp_path: Path, known: Counts
) -> None:
    address, process = scheduler
    worker(start, address)
    with (
        pytest.raises(StudyError, match=r"scheduler .*was lost"),
        Folder.open(tmp_path / "s", LONG, resume=False) as folder,
    ):
        run(LONG, Cluster(address), folder, once(process.kill))
    stored = list((tmp_path / "s" / "games").iterdir())
    assert 0 < len(stored) < LONG.chunks
    with Folder.open(tmp_path / "s", None, resume=True) as folder:
        assert run(LONG, Threads(2), folder).counts == known


class TwoWorkers:
    """A client of two workers, one that hangs and one that differs. submitted: the workers that a chunk was submitted to."""

    status = "running"
    HANGING, DIFFERENT = "tcp://127.0.0.1:1", "tcp://127.0.0.1:2"

    def __init__(self) -> None:
        self.submitted: list[list[str] | None] = []

    def nthreads(self) -> dict[str, int]:
        return {self.HANGING: 1, self.DIFFERENT: 1}

    def submit(self, *arguments: object, workers: list[str] | None = None, **options: object) -> Future[WorkerResult]:
        self.submitted.append(workers)
        return self.refused()

    def refused(self) -> Future[WorkerResult]:
        done: Future[WorkerResult] = Future()
        done.set_result(WorkerResult(self.DIFFERENT, ["llvmlite 0.0, here 0.1"], None))
        return done


def test_a_worker_that_differs_makes_no_chunk_fail_while_the_others_hang() -> None:
    client, messages = TwoWorkers(), list[str]()
    job = Job(client, QUESTION, False, 1.0, messages.append)  # type: ignore[arg-type]
    job.hanging = {client.HANGING}
    job._look()
    job.pending = {client.refused(): Submission(QUESTION.cut(0), inf)}  # type: ignore[dict-item]
    for _ in range(2 * clusters.ATTEMPTS):
        (pending,) = job.pending
        assert list(job._collect(pending)) == []
    assert client.submitted == [[client.HANGING]] * len(client.submitted)
    assert messages == [
        f"{client.DIFFERENT} gets no games because it differs from this machine: llvmlite 0.0, here 0.1"
    ]


@pytest.mark.slow
def test_workers_that_differ_are_refused(start: Start, scheduler: tuple[str, object], tmp_path: Path) -> None:
    address, _ = scheduler
    other = tmp_path / "other.py"
    other.write_text(OTHER)
    worker(start, address, "--preload", str(other))
    with pytest.raises(StudyError, match=r"(?s)differ.*llvmlite 0\.0, here"):
        run(QUESTION, Cluster(address))


@pytest.mark.thorough
def test_ctrl_c_ends_it_cleanly(tmp_path: Path) -> None:
    """The whole group of processes hears it, as from a terminal."""
    arguments = ["--players", "3", "--games", "40000000", "--seed", "5", "--chunk", "20000", "--cluster", "local:2"]
    line = [sys.executable, "-m", "maumau", "study", *arguments, "--out", str(tmp_path / "s")]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not (tmp_path / "s" / "games" / "000000.parquet").exists():
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    out, output = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert output.count("\n") == 1
    assert "completed chunks are stored, continue with: maumau study --out" in output


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="children of processes are looked up in /proc")
def test_ctrl_c_ends_it_cleanly_while_its_workers_start() -> None:
    line = [sys.executable, "-m", "maumau", "study", "--players", "3", "--games", "40000000", "--cluster", "local:2"]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    started = 0
    while started < 3:  # two workers, and what tracks their resources
        tasks = Path(f"/proc/{process.pid}/task").glob("*/children")
        started = sum(len(children.read_text().split()) for children in tasks)
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    _, output = process.communicate()
    assert process.returncode == 130
    assert re.sub(r".*\.\.\.\n", "", output) == "maumau: interrupted after no games\n"


@pytest.mark.parametrize("address", ["", "locally", "local:0", "local:x", "http://host:1", "tcp://host", "tcp://:8786"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(StudyError, match=r"use local, local:N or tcp://HOST:PORT"):
        Cluster(address)


@pytest.mark.slow
def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "RESPONSE_TIMEOUT", 1.0)
    with pytest.raises(StudyError, match=r"^--cluster: no scheduler responds at tcp://127\.0\.0\.1:1"):
        run(QUESTION, Cluster("tcp://127.0.0.1:1"))
