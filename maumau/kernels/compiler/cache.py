"""The cache of kernels on disk: one folder each, written atomically, and read only if no other user can write there.

What is stored is machine code. Nothing is loaded unless the cache folder, the folder of the kernel and its files belong
to the effective user, are no links, cannot be written by others, and match their checksums. If the cache cannot be
used, kernels are compiled again, with one warning; a kernel that is refused is compiled again and replaced, with
another.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import sys
import tempfile
import time
import warnings
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

SOURCE, CODE, CHECKSUMS = "kernel.py", "kernel.nbc", "checksums.json"
MAKING = ".making-"
STALE_SECONDS = 3600
"""Age after which incomplete folders of processes that no longer run are removed."""
MAX_BYTES = 1 << 28
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class CacheWarning(RuntimeWarning):
    """A compiled kernel on disk is not used; the message gives the reason."""

    what = "a compiled kernel on disk is not used, but compiled again"


class NotStoredWarning(CacheWarning):
    """Compiled kernels are not stored on disk; the message gives the reason and the remedy."""

    what = "compiled kernels are not stored on disk"


_warned: set[type[CacheWarning]] = set()
"""The warnings of this process."""


class UntrustedError(OSError):
    """A file or folder of the cache may have been written by somebody else."""


def cache_folder() -> Path:
    """The folder of kernels: MAUMAU_CACHE, or in the user's cache folder. Raises OSError if there is neither."""
    if chosen := os.environ.get("MAUMAU_CACHE"):
        return Path(chosen)
    try:
        return _users_folder() / "maumau"
    except RuntimeError:
        raise OSError("this user has no home folder, expected a folder in MAUMAU_CACHE") from None


def _users_folder() -> Path:
    """The folder for the caches of this user. Raises RuntimeError if the user has no home."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def load(name: str) -> bytes | None:
    """The machine code of the kernel called `name`, or None if it is missing or damaged. Warns if it is not trusted."""
    try:
        root = cache_folder()
        _check_folder(root)
    except FileNotFoundError:
        return None
    except OSError as error:
        _warn(NotStoredWarning, error)
        return None
    try:
        return _read(root / name)
    except FileNotFoundError:
        return None
    except OSError as error:
        _warn(CacheWarning, error)
        return None


def keep(name: str, source: str, code: bytes) -> None:
    """Write the kernel called `name`; one that another process wrote meanwhile stays. Warns if it cannot be written."""
    try:
        root = cache_folder()
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_folder(root)
        _sweep(root)
        _publish(root / name, {SOURCE: source.encode(), CODE: code})
    except OSError as error:
        _warn(NotStoredWarning, error)


def _warn(category: type[CacheWarning], error: OSError) -> None:
    """Warn of the cache, with the reason, once in a process for each category."""
    if category not in _warned:
        _warned.add(category)
        reason = f"{error.filename}: {error.strerror.lower()}" if error.filename and error.strerror else error
        warnings.warn(f"{category.what}: {reason}", category, stacklevel=3)


# ---------------------------------------------------------------- reading


def _read(folder: Path) -> bytes | None:
    """The machine code of a kernel in a folder of the cache, which is trusted; None if it is damaged."""
    _check_folder(folder, may_be_link=False)
    files = {name: _bytes_of(folder / name) for name in (SOURCE, CODE)}
    whole = _bytes_of(folder / CHECKSUMS) == _checksums(folder.name, files)
    return files[CODE] if whole else None


def _checksums(name: str, files: Mapping[str, bytes]) -> bytes:
    """The file of checksums of a whole kernel. They include its name, so that kernels cannot be exchanged."""
    sums = {file: hashlib.sha256(name.encode() + b"\0" + content).hexdigest() for file, content in files.items()}
    return json.dumps(sums, indent=1).encode()


def _check_folder(folder: Path, may_be_link: bool = True) -> None:
    """Raise UntrustedError for a folder that others own or can write to, or for a link to it that others own."""
    seen = folder.lstat()
    if stat.S_ISLNK(seen.st_mode):
        if not may_be_link or _is_foreign(seen, also_trusted=0):
            raise UntrustedError(f"{folder} is a link that is not trusted, expected a folder of your own")
        seen = folder.stat()
    if not stat.S_ISDIR(seen.st_mode):
        raise NotADirectoryError(f"{folder} is no folder, expected one: see MAUMAU_CACHE")
    _check_owner(folder, seen)


def _check_owner(path: Path, seen: os.stat_result) -> None:
    if _is_foreign(seen):
        raise UntrustedError(f"{path} belongs to another user, expected one of your own: see MAUMAU_CACHE")
    if os.name == "posix" and seen.st_mode & OTHERS_WRITE:
        raise UntrustedError(f"{path} can be written by other users, expected only by you: chmod go-w")


def _is_foreign(seen: os.stat_result, also_trusted: int | None = None) -> bool:
    return os.name == "posix" and seen.st_uid not in (os.geteuid(), also_trusted)


def _bytes_of(file: Path) -> bytes:
    """The content of a file.

    Raises UntrustedError for a link, for what is not a regular file, and for a file that others can write.
    """
    with suppress(FileNotFoundError):
        if file.is_symlink():
            raise UntrustedError(f"{file} is a link, expected a file")
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(file, flags)
    try:
        seen = os.fstat(descriptor)
        if not stat.S_ISREG(seen.st_mode):
            raise UntrustedError(f"{file} is no file, expected one")
        _check_owner(file, seen)
        with open(descriptor, "rb", closefd=False) as opened:
            return opened.read(MAX_BYTES)
    finally:
        os.close(descriptor)


# ---------------------------------------------------------------- writing


def _publish(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a kernel to a temporary folder and move it to its place; a damaged one is moved away before."""
    fresh = _making(folder.parent)
    try:
        for name, content in (*files.items(), (CHECKSUMS, _checksums(folder.name, files))):
            (fresh / name).touch(mode=0o600)
            (fresh / name).write_bytes(content)
        if os.path.lexists(folder) and not _is_whole(folder):
            folder.rename(_making(folder.parent) / "broken")
        _move(fresh, folder)
    finally:
        for left in folder.parent.glob(f"{MAKING}{os.getpid()}-*"):
            shutil.rmtree(left, ignore_errors=True)


def _move(fresh: Path, folder: Path) -> None:
    """Move a finished folder to its place, unless another process was faster."""
    try:
        fresh.rename(folder)
    except OSError:
        if not _is_whole(folder):
            raise


def _making(root: Path) -> Path:
    """A new temporary folder of this process."""
    return Path(tempfile.mkdtemp(dir=root, prefix=f"{MAKING}{os.getpid()}-"))


def _is_whole(folder: Path) -> bool:
    try:
        return _read(folder) is not None
    except OSError:
        return False


def _sweep(root: Path) -> None:
    """Remove the temporary folders of processes that were killed."""
    for left in root.glob(f"{MAKING}*"):
        with suppress(OSError):
            if time.time() - left.lstat().st_mtime > STALE_SECONDS and not _is_alive(left.name):
                shutil.rmtree(left, ignore_errors=True)


def _is_alive(name: str) -> bool:
    """Whether the process runs that made the folder called `name`."""
    number = name.removeprefix(MAKING).partition("-")[0]
    if not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
