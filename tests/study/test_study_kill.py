"""A study killed, or out of room, at each call that changes the disk: it goes on to the same files, bit for bit."""

from __future__ import annotations

import errno
import itertools
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from study_files import files

from maumau.kernels.bulk.runner import Runner
from maumau.study.folder import Folder
from maumau.study.playing import Threads, play_chunk
from maumau.study.run import Interrupted, run
from maumau.study.spec import NotWritten, StudySpec

QUESTION = StudySpec.of("maumau", 2, 5, 3, chunk=2)
NARROW = StudySpec.of("maumau", 2, 100_000, 9, until_width=0.2, chunk=100)
MATCHES = StudySpec.of("maumau", 2, 200, 7, chunk=50, target=100)
CALLS = ("open", "write", "fsync", "replace", "unlink", "mkdir")
At = Callable[[str, tuple[Any, ...]], None]


def study_in(folder: Path, spec: StudySpec | None = QUESTION, resume: bool = True) -> None:
    with Folder.open(folder, spec, resume) as opened:
        run(opened.spec, Threads(1), opened)


@contextmanager
def before_each_call(at: At) -> Iterator[None]:
    """Call `at` with the name and arguments of each call of the system that changes a file or a folder, before it."""

    def watched(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: Any, **more: Any) -> Any:
            at(name, given)
            return real(*given, **more)

        return called

    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(os, name, watched(name, getattr(os, name)))
        yield


def calls_of(study: Callable[[], object]) -> list[str]:
    """The names of the calls that a study makes."""
    names: list[str] = []
    with before_each_call(lambda name, given: names.append(name)):
        study()
    return names


def full_from(place: int, calls: tuple[str, ...]) -> At:
    """A disk that is full from a call on; what is written then comes to the disk in part."""
    left = [place]

    def at(name: str, given: tuple[Any, ...]) -> None:
        if name in calls:
            left[0] -= 1
            if left[0] < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return at


@pytest.fixture(name="whole", scope="module")
def whole_study(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("whole") / "s"
    study_in(folder)
    return files(folder)


KILLED = f"""
import os, signal, sys, warnings
from pathlib import Path
sys.path[:0] = {sys.path!r}
from test_study_kill import QUESTION, before_each_call, calls_of, study_in

def killed_at(place):
    left = [place]
    def at(name, given):
        left[0] -= 1
        if left[0] < 0:
            if name == "write":
                real_write(given[0], given[1][: len(given[1]) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
    return at

real_write = os.write
folder = Path(sys.argv[1])
study_in(folder / "compiled")
calls = calls_of(lambda: study_in(folder / "whole"))
for place in range(len(calls)):
    with warnings.catch_warnings():  # Python 3.12 warns of threads, whose locks this child never waits for
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        with before_each_call(killed_at(place)):
            study_in(folder / str(place))
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    assert status == signal.SIGKILL, (place, calls[place], status)
print(*calls)
"""


@pytest.mark.slow
def test_killed_before_each_call(tmp_path: Path, whole: dict[str, bytes]) -> None:
    """kill -9 before each call; a write has brought half of its bytes to the disk."""
    done = subprocess.run([sys.executable, "-c", KILLED, tmp_path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    calls = done.stdout.split()
    assert {name: calls.count(name) for name in ("write", "replace")} == {"write": len(whole), "replace": len(whole)}
    assert calls.count("fsync") == 2 * len(whole)
    for place in range(len(calls)):
        folder = tmp_path / str(place)
        assert files(folder).keys() - whole.keys() <= {f"{name}.part" for name in whole}
        study_in(folder)
        assert files(folder) == whole
    assert not Folder.verify(folder).faults


def test_interrupted_in_the_middle_of_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while matches of the second chunk are played."""
    play, calls = Runner._call, itertools.count(1)

    def pressing(*arguments: Any) -> None:
        if next(calls) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        play(*arguments)

    study_in(tmp_path / "whole", MATCHES)
    with monkeypatch.context() as patch:
        patch.setattr(Runner, "_call", pressing)
        with pytest.raises(Interrupted):
            study_in(tmp_path / "s", MATCHES)
    assert files(tmp_path / "s").items() <= files(tmp_path / "whole").items()
    study_in(tmp_path / "s", MATCHES)
    assert files(tmp_path / "s") == files(tmp_path / "whole")


@pytest.mark.parametrize("call", ["open", "write", "fsync", "replace"])
def test_a_full_disk_at_each_call(tmp_path: Path, whole: dict[str, bytes], call: str) -> None:
    number = calls_of(lambda: study_in(tmp_path / "counted")).count(call)
    assert number >= len(whole)
    for place in range(number):
        folder = tmp_path / str(place)
        with pytest.raises(NotWritten, match="no space left on device"), before_each_call(full_from(place, (call,))):
            study_in(folder)
        assert files(folder).items() <= whole.items()
        study_in(folder)
        assert files(folder) == whole


def test_killed_while_later_chunks_are_dropped(tmp_path: Path) -> None:
    """Chunks beyond the one that ends a study are removed, whatever interrupts that."""
    study_in(tmp_path / "whole", NARROW)
    known = files(tmp_path / "whole")
    with Folder.open(tmp_path / "whole", None, resume=True) as opened:
        for place in (40, 41):
            opened.store(play_chunk(NARROW, NARROW.cut(place), with_file=True))
    assert any("after chunk" in fault for fault in Folder.verify(tmp_path / "whole").faults)
    for place in range(4):
        folder = tmp_path / str(place)
        shutil.copytree(tmp_path / "whole", folder)
        with pytest.raises(NotWritten), before_each_call(full_from(place, ("unlink",))):
            study_in(folder, None)
        study_in(folder, None)
        assert files(folder) == known
        assert not Folder.verify(folder).faults
