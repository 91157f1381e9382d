"""Atomic writes, and reads of real folders and regular files only: links are not followed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG

from fsm.edge.atomic import PARTIAL, replace_file
from maumau.study.spec import Damaged, NotWritten, StudyError
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
    with disk_errors(path, expected, StudyError):
        _check_mode(path, S_ISREG, "not a file", expected)
        return path.read_bytes()


def names_in(folder: Path) -> list[str]:
    """The names of the entries of a folder, sorted. Raises StudyError if it is a link or cannot be read."""
    try:
        with disk_errors(folder, _FOLDER, StudyError):
            _check_mode(folder, S_ISDIR, "not a folder", _FOLDER)
            return sorted(os.listdir(folder))
    except FileNotFoundError:
        raise StudyError(f"{folder}: missing, expected {_FOLDER}") from None


def _check_mode(path: Path, is_kind: Callable[[int], bool], otherwise: str, expected: str) -> None:
    mode = os.lstat(path).st_mode
    if S_ISLNK(mode):
        raise Damaged(f"{path}: a link, expected {expected}")
    if not is_kind(mode):
        raise StudyError(f"{path}: {otherwise}, expected {expected}")


@contextmanager
def disk_errors(path: Path, expected: str = "room to write", error: type[StudyError] = NotWritten) -> Iterator[None]:
    """Raise `error` if something on the disk fails, but FileNotFoundError for what is to be read and is not there."""
    try:
        yield
    except OSError as found:
        if error is StudyError and isinstance(found, FileNotFoundError | NotADirectoryError):
            raise FileNotFoundError from None
        raise error(f"{path}: {reason(found)}, expected {expected}") from None
