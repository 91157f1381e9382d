"""What a command reads: a file or standard input, as bytes, with the name that errors go by."""

from __future__ import annotations

import sys
from pathlib import Path

from cli.failure import BadInput
from rules.reading import STDIN

STANDARD_INPUT = "-"


def read_source(path: str) -> tuple[bytes, str]:
    """The bytes of the file at `path`, or of standard input for `-`, and its name. Raises BadInput."""
    if path == STANDARD_INPUT:
        if sys.stdin.isatty():
            print("reading from the terminal, end with Ctrl-D", file=sys.stderr)
        return sys.stdin.buffer.read(), STDIN
    try:
        return Path(path).read_bytes(), path
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadInput(f"{path}: {reason}, expected a file to read, or - for standard input") from None
    except ValueError as error:
        raise BadInput(f"{path!r}: {error}, expected the name of a file") from None
