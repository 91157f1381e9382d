"""Files that are written whole or not at all, and read only where they are files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from study.errors import NotWritten, StudyError

ASIDE = ".part"
"""What is added to the name of a file while it is written."""


def write_whole(path: Path, data: bytes) -> None:
    """Write a file aside, bring it to the disk, and rename it. Raises NotWritten; then nothing is left aside."""
    aside = path.with_name(path.name + ASIDE)
    with disk_errors(path):
        try:
            _write(aside, data)
            os.replace(aside, path)
            _sync(path.parent)
        except BaseException:
            with suppress(OSError):
                aside.unlink(missing_ok=True)
            raise


def read_whole(path: Path, expected: str) -> bytes:
    """The content of a file. Raises FileNotFoundError, and StudyError for what is no file or cannot be read."""
    if os.path.lexists(path) and not path.is_file():
        raise StudyError(f"{path}: not a file, expected {expected}")
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StudyError(f"{path}: {reason(error)}, expected {expected}") from None


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Raise NotWritten for a failure of the disk."""
    try:
        yield
    except OSError as error:
        raise NotWritten(f"{path}: {reason(error)}, expected room to write") from None


def reason(error: OSError) -> str:
    """Why the system refused, in lower case."""
    return (error.strerror or str(error)).lower()


def _write(path: Path, data: bytes) -> None:
    """Write a new file to the disk. One that is there, or a link, is not written through."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync(folder: Path) -> None:
    """Bring the names of a folder to the disk, where the system can."""
    with suppress(PermissionError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
