"""What a command reads: a file or standard input, as bytes, with the name that errors go by."""

from __future__ import annotations

import sys
from typing import BinaryIO

from cli.failure import BadInput
from rules.reading import STDIN

STANDARD_INPUT = "-"
MOST = 256 << 20
"""Bytes of an input, at most: more is a mistake, such as a device that never ends."""


def read_source(path: str) -> tuple[bytes, str]:
    """The bytes of the file at `path`, or of standard input for `-`, and its name. Raises BadInput."""
    source = STDIN if path == STANDARD_INPUT else path
    try:
        if path == STANDARD_INPUT:
            return _bounded(_standard_input(), source), source
        with open(path, "rb") as file:
            return _bounded(file, source), source
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadInput(f"{source}: {reason}, expected a file to read, or - for standard input") from None
    except ValueError as error:
        raise BadInput(f"{source!r}: {error}, expected the name of a file") from None


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise BadInput(f"{STDIN}: closed, expected an input, or the name of a file")
    if sys.stdin.isatty():
        print("reading from the terminal, end with Ctrl-D", file=sys.stderr)
    return sys.stdin.buffer


def _bounded(file: BinaryIO, source: str) -> bytes:
    """All of a file. Raises BadInput for one that is too large."""
    data = file.read(MOST + 1)
    if len(data) > MOST:
        raise BadInput(f"{source}: more than {MOST:,} bytes, expected at most as many: several inputs")
    return data
