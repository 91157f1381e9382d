"""Atomic writes, and reads of real folders and regular files only: links are not followed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG

from maumau.study.errors import Damaged, NotWritten, StudyError
from rules.notation import reason

PARTIAL = ".part"
"""The suffix of the temporary file while a file is written."""
_FOLDER = "a folder with a file for each chunk"


def write_atomically(path: Path, data: bytes) -> None:
    """Write a temporary file, flush it to the disk, and rename it. Raises NotWritten, and leaves no temporary file."""
    partial = path.with_name(path.name + PARTIAL)
    with disk_errors(path):
        try:
            _write(partial, data)
            os.replace(partial, path)
            _sync(path.parent)
        except BaseException:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            raise


def read_regular_file(path: Path, expected: str) -> bytes:
    """The content of a file.

    Raises FileNotFoundError, Damaged for a link, and StudyError if it is not a regular file or not readable.
    """
    try:
        mode = os.lstat(path).st_mode
        if S_ISLNK(mode):
            raise Damaged(f"{path}: a link, expected {expected}")
        if not S_ISREG(mode):
            raise StudyError(f"{path}: not a file, expected {expected}")
        return path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StudyError(f"{path}: {reason(error)}, expected {expected}") from None


def names_in(folder: Path) -> list[str]:
    """The names of the entries of a folder, sorted. Raises StudyError if it is a link or cannot be read."""
    try:
        mode = os.lstat(folder).st_mode
        if not S_ISDIR(mode):
            what = "a link" if S_ISLNK(mode) else "not a folder"
            raise StudyError(f"{folder}: {what}, expected {_FOLDER}")
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        raise StudyError(f"{folder}: missing, expected {_FOLDER}") from None
    except OSError as error:
        raise StudyError(f"{folder}: {reason(error)}, expected {_FOLDER}") from None


@contextmanager
def disk_errors(path: Path, expected: str = "room to write") -> Iterator[None]:
    """Raise NotWritten if a change on the disk fails."""
    try:
        yield
    except OSError as error:
        raise NotWritten(f"{path}: {reason(error)}, expected {expected}") from None


def _write(path: Path, data: bytes) -> None:
    """Write a new file to the disk. Raises FileExistsError for an existing file or a link."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync(folder: Path) -> None:
    """Flush the entries of a folder to the disk, if the system supports it."""
    with suppress(PermissionError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
