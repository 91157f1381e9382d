"""The cache of kernels on disk: one file each, written atomically, and read only if no other user can write there.

A file has a checksum and the machine code. Nothing is loaded unless the cache folder and the file belong to the
effective user, are not links, cannot be written by others, and the checksum matches. If the cache cannot be used,
kernels are compiled again, with one warning; a kernel that is refused is compiled again and replaced, with another.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
import warnings
from contextlib import suppress
from os.path import expanduser, join

from fsm.edge.atomic import PARTIAL, replace_file

ENDING = ".kernel"
"""The ending of the file of a kernel."""
STALE_SECONDS = 3600
"""Age after which the incomplete files of processes that were killed are removed."""
MAX_BYTES = 1 << 28
CHECKSUM_BYTES = 65
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


def cache_folder() -> str:
    """The folder of kernels: MAUMAU_CACHE, or in the user's cache folder. Raises OSError if there is neither."""
    return os.environ.get("MAUMAU_CACHE") or join(_users_folder(), "maumau")


def _users_folder() -> str:
    """The folder for the caches of this user. Raises OSError if the user has no home."""
    variable, usual = {
        "win32": ("LOCALAPPDATA", join("AppData", "Local")),
        "darwin": ("", join("Library", "Caches")),
    }.get(sys.platform, ("XDG_CACHE_HOME", ".cache"))
    if chosen := os.environ.get(variable):
        return chosen
    if (home := expanduser("~")) == "~":
        raise OSError("this user has no home folder; name a folder in MAUMAU_CACHE")
    return join(home, usual)


def load(name: str) -> bytes | None:
    """The machine code of the kernel called `name`, or None if it is missing or damaged. Warns if it is not trusted."""
    category: type[CacheWarning] = NotStoredWarning
    try:
        root = cache_folder()
        _check_folder(root)
        category = CacheWarning
        data = _bytes_of(join(root, name + ENDING))
        code = data[CHECKSUM_BYTES:]
        return code if data[:CHECKSUM_BYTES] == _checksum(name, code) else None
    except FileNotFoundError:
        return None
    except OSError as error:
        _warn(category, error)
        return None


def keep(name: str, code: bytes) -> None:
    """Write the kernel called `name`; in place of one that is there. Warns if it cannot be written."""
    try:
        root = cache_folder()
        os.makedirs(root, mode=0o700, exist_ok=True)
        _check_folder(root)
        _sweep(root)
        replace_file(join(root, name + ENDING), _checksum(name, code) + code, mode=0o600)
    except OSError as error:
        _warn(NotStoredWarning, error)


def sources(folder: str, *names: str) -> list[str]:
    """The texts of source files in a folder: of these, or of all. Kernels are compiled again when one is changed."""
    texts = []
    for name in names or sorted(os.listdir(folder)):
        if name.endswith((".py", ".ll")):
            with open(join(folder, name), encoding="utf-8") as file:
                texts.append(file.read())
    return texts


def _warn(category: type[CacheWarning], error: OSError) -> None:
    """Warn of the cache, with the reason, once in a process for each category."""
    if category not in _warned:
        _warned.add(category)
        reason = f"{error.filename}: {error.strerror.lower()}" if error.filename and error.strerror else error
        warnings.warn(f"{category.what}: {reason}", category, stacklevel=3)


# ---------------------------------------------------------------- reading


def _checksum(name: str, code: bytes) -> bytes:
    """The first line of a file. It includes the name of the kernel, so that kernels cannot be exchanged."""
    return hashlib.sha256(name.encode() + b"\0" + code).hexdigest().encode() + b"\n"


def _check_folder(folder: str) -> None:
    """Raise UntrustedError for a folder that others own or can write to, or for a link to it that others own."""
    seen = os.lstat(folder)
    if stat.S_ISLNK(seen.st_mode):
        if _is_foreign(seen, also_trusted=0):
            raise UntrustedError(f"{folder} is a link that is not trusted; use a folder of your own")
        seen = os.stat(folder)
    if not stat.S_ISDIR(seen.st_mode):
        raise NotADirectoryError(f"{folder} is not a folder; name one in MAUMAU_CACHE")
    _check_owner(folder, seen)


def _check_owner(path: str, seen: os.stat_result) -> None:
    if _is_foreign(seen):
        raise UntrustedError(f"{path} belongs to another user; use one of your own: see MAUMAU_CACHE")
    if os.name == "posix" and seen.st_mode & OTHERS_WRITE:
        raise UntrustedError(f"{path} can be written by other users; make it writable only by you: chmod go-w")


def _is_foreign(seen: os.stat_result, also_trusted: int | None = None) -> bool:
    return os.name == "posix" and seen.st_uid not in (os.geteuid(), also_trusted)


def _bytes_of(file: str) -> bytes:
    """The content of a file in a folder that is trusted.

    Raises UntrustedError for a link, for what is not a regular file, and for a file that others can write.
    """
    seen = os.lstat(file)
    if not stat.S_ISREG(seen.st_mode):
        raise UntrustedError(f"{file} is {'a link' if stat.S_ISLNK(seen.st_mode) else 'not a file'}; use a file")
    _check_owner(file, seen)
    with open(file, "rb") as opened:
        return opened.read(min(seen.st_size, MAX_BYTES))


def _sweep(root: str) -> None:
    """Remove what processes left that were killed."""
    for left in os.scandir(root):
        with suppress(OSError):
            is_partial = left.name.startswith(".") and left.name.endswith(PARTIAL)
            if is_partial and time.time() - os.lstat(left.path).st_mtime > STALE_SECONDS:
                os.remove(left.path)
