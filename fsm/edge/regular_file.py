"""Reads files that are named by a user: regular ones only, with a limit, as a device or a pipe may never end."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_ISREG


def read_regular(file: str | Path, most: int) -> bytes:
    """The content of a regular file of at most `most` bytes; others are not opened.

    Raises OSError for a file that cannot be read, is of another kind or longer, ValueError for a name that no file can
    have.
    """
    if not S_ISREG(os.stat(file).st_mode):
        raise OSError("it is no regular file")
    with open(file, "rb") as opened:
        data = opened.read(most + 1)
    if len(data) > most:
        raise OSError(f"it has more than {most:,} bytes")
    return data
