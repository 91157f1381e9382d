"""Writes files whole or not at all: a full disk, Ctrl-C or a kill leaves the file that was there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR, ENOENT
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it takes a thirtieth of the start of a command
    from pathlib import Path

PARTIAL = ".part"
"""The suffix of the temporary file while a file is written."""


def replace_file(path: str | Path, data: bytes, partial: str | Path = "", mode: int | None = None) -> None:
    """Put a new file in place of `path`, flushed to the disk.

    partial: the new file until it is renamed, for those who remove it after a kill; nothing may be there. mode: its
    permissions, by default those of the file that was there. Raises OSError, and leaves no new file.
    """
    _check_name(path)
    folder, name = os.path.dirname(path) or os.curdir, partial or path
    partial = partial or os.path.join(folder, f".{os.urandom(8).hex()}{PARTIAL}")
    try:
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode or 0o666)
    except OSError as error:
        error.filename = os.fspath(name)  # who asked for a file does not know that of a random name
        raise
    except BaseException:  # Ctrl-C, when the file may be there already
        _remove(partial)
        raise
    try:
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        _rename(partial, path, keeps_mode=mode is None)
    except BaseException:
        _remove(partial)
        raise


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """The path of a new file, for what is too large for `replace_file`: after this context it is flushed to the disk
    and put in place of `path`; an error leaves no new file.

    Raises OSError.
    """
    from pathlib import Path

    _check_name(path)
    partial = Path(os.path.dirname(path) or os.curdir, f".{os.urandom(8).hex()}{PARTIAL}")
    try:
        yield partial
        with open(partial, "rb+") as written:
            os.fsync(written.fileno())
        _rename(partial, path)
    except OSError as error:
        _remove(partial)
        if error.filename == os.fspath(partial):
            error.filename = os.fspath(path)
        raise
    except BaseException:
        _remove(partial)
        raise


def _check_name(path: str | Path) -> None:
    """Raise OSError for an empty name, and for that of a folder: no file can be put in its place."""
    if not (name := os.fspath(path)):
        raise FileNotFoundError(ENOENT, "the name is empty", name)
    mode = 0
    with suppress(OSError):  # what cannot be looked at is reported when it is written
        mode = os.lstat(path).st_mode
    if S_ISDIR(mode):
        raise IsADirectoryError(EISDIR, "is a folder", name)


def _rename(partial: str | Path, path: str | Path, *, keeps_mode: bool = True) -> None:
    """Put a file in place of another one, with the permissions of this if it keeps them. Raises OSError."""
    with suppress(FileNotFoundError):
        if keeps_mode and S_ISREG(there := os.lstat(path).st_mode):
            os.chmod(partial, there & 0o777)
    try:
        os.replace(partial, path)
    except OSError as error:
        # without the name of the new file, which the caller does not know
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    _sync(os.path.dirname(path) or os.curdir)


def _remove(file: str | Path) -> None:
    with suppress(OSError):
        os.remove(file)


def _sync(folder: str) -> None:
    """Flush the entries of a folder to the disk, if the system supports it."""
    with suppress(PermissionError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def read_regular(file: str | Path, most: int) -> bytes:
    """The content of a regular file of at most `most` bytes; others are not opened.

    Raises OSError for a file that cannot be read, is of another kind or longer, ValueError for a name that no file can
    have.
    """
    if not S_ISREG(os.stat(file).st_mode):
        raise OSError("it is not a regular file")
    with open(file, "rb") as opened:
        data = opened.read(most + 1)
    if len(data) > most:
        raise OSError(f"it has more than {most:,} bytes")
    return data
