"""Reads the input of a command, a file or standard input, as bytes, with its name for error messages."""

from __future__ import annotations

import sys
from typing import BinaryIO

from maumau.cli.failure import BadInput, one_line
from rules.notation import reason
from rules.reading import STDIN

STANDARD_INPUT = "-"
MOST = 256 << 20
"""Maximum size of an input in bytes; a larger one is a mistake, such as an endless device."""


def read_source(path: str) -> tuple[bytes, str]:
    """The bytes of the file at `path`, or of standard input for `-`, and its name. Raises BadInput."""
    source = STDIN if path == STANDARD_INPUT else one_line(path) or repr(path)
    try:
        if path == STANDARD_INPUT:
            return _bounded(_standard_input(), source), source
        with open(path, "rb") as file:
            return _bounded(file, source), source
    except OSError as error:
        raise BadInput(f"{source}: {reason(error)}, expected a file to read, or - for standard input") from None
    except ValueError as error:
        raise BadInput(f"{source!r}: {error}, expected the name of a file") from None


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise BadInput(f"{STDIN}: closed, expected an input, or the name of a file")
    if sys.stdin.isatty():
        print("reading from the terminal, end with Ctrl-D", file=sys.stderr)
    return sys.stdin.buffer


def _bounded(file: BinaryIO, source: str) -> bytes:
    """The content of a file. Raises BadInput if it is too large."""
    data = file.read(MOST + 1)
    if len(data) > MOST:
        raise BadInput(f"{source}: more than {MOST:,} bytes, split the input into several files")
    return data
