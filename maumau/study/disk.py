"""Atomic writes, and reads of real folders and regular files only: links are not followed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG

from fsm.edge.atomic import PARTIAL, replace_file
from maumau.study.errors import Damaged, NotWritten, StudyError
from rules.notation import reason

_FOLDER = "a folder with a file for each chunk"


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file whole, or not at all. Raises NotWritten."""
    with disk_errors(path):
        replace_file(path, data, path.with_name(path.name + PARTIAL))


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
