"""The cache of kernels under attack: foreign and open folders, links, kills at every step, a disk that refuses."""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fsm.edge.atomic import PARTIAL
from maumau.cli.main import app
from maumau.kernels.compiler import cache
from rules.errors import Unwritten

pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners and modes are those of POSIX")

NAME, CODE = "game-0123", b"machine\0code"
FILE = NAME + cache.ENDING


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, in a process that has not warned."""
    monkeypatch.setattr(cache, "_warned", set())
    monkeypatch.setenv("MAUMAU_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def kept(root: Path) -> Path:
    cache.keep(NAME, CODE)
    assert cache.load(NAME) == CODE
    return root


def refused(match: str) -> None:
    """The kernel is not read, with one warning; the second time there would be an error."""
    with pytest.warns(cache.CacheWarning, match=match):
        assert cache.load(NAME) is None
    assert cache.load(NAME) is None


def test_only_the_owner_can_read_and_write_what_is_kept(kept: Path) -> None:
    assert [path.stat().st_mode & 0o077 for path in (kept, kept / FILE)] == [0, 0]


@pytest.mark.parametrize("place", ["", FILE])
@pytest.mark.parametrize("mode", [0o020, 0o002, 0o1777])
def test_what_others_can_write_is_not_read(kept: Path, place: str, mode: int) -> None:
    path = kept / place
    path.chmod(path.stat().st_mode | mode)
    refused(f"{path} can be written by other users; make it writable only by you")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("place", ["", FILE])
def test_what_another_user_owns_is_not_read(kept: Path, place: str) -> None:
    os.chown(kept / place, 12345, 12345)
    refused("belongs to another user")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give links away")
def test_a_link_of_another_user_to_a_folder_of_ones_own_is_not_followed(kept: Path) -> None:
    kept.rename(kept.with_name("elsewhere"))
    kept.symlink_to(kept.with_name("elsewhere"))
    assert cache.load(NAME) == CODE
    os.chown(kept, 12345, 12345, follow_symlinks=False)
    refused("is a link")


def test_nothing_is_written_where_others_can_write(root: Path) -> None:
    root.mkdir()
    root.chmod(0o1777)
    with pytest.warns(cache.CacheWarning, match="can be written by other users"):
        cache.keep(NAME, CODE)
    assert list(root.iterdir()) == []


def open_to_others(file: Path) -> None:
    file.chmod(0o666)


def link_to_another(file: Path) -> None:
    file.rename(file.with_name("elsewhere"))
    file.symlink_to(file.with_name("elsewhere"))


def pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file, 0o600)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [(open_to_others, "can be written by other users"), (link_to_another, "is a link"), (pipe, "is not a file")],
)
def test_a_kernel_that_is_refused_is_replaced_and_nothing_else_is_claimed(
    kept: Path, spoil: Callable[[Path], None], why: str
) -> None:
    spoil(kept / FILE)
    refused(f"^a compiled kernel on disk is not used, but compiled again: {kept / FILE} {why}")
    cache.keep(NAME, CODE)
    assert cache.load(NAME) == CODE
    assert (kept / FILE).stat().st_mode & 0o777 == 0o600


def test_a_user_without_a_home(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_home(monkeypatch)
    with pytest.warns(cache.NotStoredWarning, match="this user has no home folder; name a folder in MAUMAU_CACHE"):
        assert cache.load(NAME) is None
    cache.keep(NAME, CODE)


def without_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a user whom the system does not know, and for whom no variable is set."""
    for name in ("MAUMAU_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(cache, "expanduser", str)


def test_a_kernel_under_the_name_of_another_is_not_read(kept: Path) -> None:
    (kept / FILE).rename(kept / f"game-4567{cache.ENDING}")
    assert cache.load("game-4567") is None


@pytest.mark.slow
def test_every_cut_and_every_flipped_bit_is_detected(kept: Path) -> None:
    path = kept / FILE
    whole = path.read_bytes()
    damaged = [whole[:length] for length in range(len(whole))]
    damaged += [whole[: bit // 8] + bytes([whole[bit // 8] ^ 1 << bit % 8]) + whole[bit // 8 + 1 :]
                for bit in range(8 * len(whole))]  # fmt: skip
    for content in damaged:
        path.write_bytes(content)
        assert cache.load(NAME) is None
    cache.keep(NAME, CODE)
    assert cache.load(NAME) == CODE
    assert [path.name for path in kept.iterdir()] == [FILE]


def test_what_killed_processes_left_is_swept_when_it_is_old(root: Path) -> None:
    root.mkdir(mode=0o700)
    old, young, other = (root / name for name in (f".a{PARTIAL}", f".b{PARTIAL}", "c"))
    for file in (old, young, other):
        file.write_text("half")
    before = time.time() - 2 * cache.STALE_SECONDS
    for file in (old, other):
        os.utime(file, (before, before))
    cache.keep(NAME, CODE)
    assert {path.name for path in root.iterdir()} == {FILE, young.name, other.name}


def test_every_command_prints_a_warning_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warnings, "formatwarning", warnings.formatwarning)
    app(["completion", "bash"], standalone_mode=False)
    shown = warnings.formatwarning(cache.CacheWarning("one\ntwo"), cache.CacheWarning, "cache.py", 75)
    assert shown == "maumau: one two\n"


# ---------------------------------------------------------------- a command whose purpose is to store kernels


def compile_reports(message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`maumau compile` in a process that has no kernels ends with status 74 and a message."""
    kernel = pytest.importorskip("maumau.kernels.compiler.machine_code", reason="the compiled engine needs llvmlite")
    monkeypatch.setattr(kernel, "_ready", {})
    with pytest.raises(Unwritten, match=message):
        app(["compile"], standalone_mode=False)


def test_kernels_that_cannot_be_stored_are_not_reported_as_ready(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root.touch()
    compile_reports(f"^compiled kernels are not stored on disk: {root} is not a folder; name one", monkeypatch)
    assert capsys.readouterr() == ("", "")


def test_kernels_cannot_be_stored_for_a_user_without_a_home(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_home(monkeypatch)
    compile_reports("^compiled kernels are not stored on disk: this user has no home folder", monkeypatch)


# ---------------------------------------------------------------- a kill, or a refusal, at each operation on files

OPERATIONS = "open", "os.mkdir", "os.rename", "os.remove", "os.chmod", "os.listdir", "os.scandir", "os.utime"


def killed_at(number: int) -> bool:
    """Keep a kernel in a process that is killed before operation `number` on files; whether it came so far."""
    with warnings.catch_warnings():  # Python 3.12 warns of threads, whose locks this child never waits for
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        count = iter(range(number))

        def kill(event: str, arguments: object) -> None:
            if event in OPERATIONS and next(count, None) is None:
                os._exit(9)

        sys.addaudithook(kill)
        cache.keep(NAME, CODE)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def kills() -> Iterator[int]:
    number = 0
    while killed_at(number):
        yield number
        number += 1


@pytest.mark.slow
@pytest.mark.parametrize("there", ["nothing", "a whole kernel", "a broken kernel"])
def test_a_kill_at_any_moment_leaves_a_whole_kernel_or_none(root: Path, there: str) -> None:
    seen = set()
    done = -1
    for done in kills():  # noqa: B007
        found = cache.load(NAME)
        assert found in (None, CODE)
        seen.add(found)
        if there != "nothing":
            cache.keep(NAME, CODE)
            assert cache.load(NAME) == CODE
        if there == "a broken kernel":
            (root / FILE).write_bytes(b"half")
    assert done > 2
    cache.keep(NAME, CODE)
    assert cache.load(NAME) == CODE


@pytest.mark.parametrize("operation", ["mkdir", "replace", "open", "write", "fsync"])
def test_a_disk_that_refuses_costs_one_warning(root: Path, operation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **named: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, operation, refuse)
    with pytest.warns(cache.CacheWarning, match="(?i)not stored on disk: .*no space left on device"):
        cache.keep(NAME, CODE)
    cache.keep(NAME, CODE)
    monkeypatch.undo()
    monkeypatch.setenv("MAUMAU_CACHE", str(root))
    assert cache.load(NAME) is None
    cache.keep(NAME, CODE)
    assert cache.load(NAME) == CODE
