"""What a command writes: a file, whole or not at all, or standard output."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from cli.failure import BadInput, CannotWrite

STANDARD_OUTPUT = "-"


def write_output(file: str, data: bytes) -> None:
    """Write `data` into `file`, or to standard output for `-`.

    Raises CannotWrite, and leaves the file as it was; BadInput for what cannot be the name of a file.
    """
    if file == STANDARD_OUTPUT:
        sys.stdout.buffer.write(data)
        return
    path = Path(file)
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _replace(path.resolve(), data)
    except OSError as error:
        raise CannotWrite(f"{file}: {(error.strerror or str(error)).lower()}, expected a file to write") from None
    except ValueError as error:
        raise BadInput(f"{file!r}: {error}, expected the name of a file") from None


def _replace(path: Path, data: bytes) -> None:
    """Write a file beside `path` and put it in its place, with the rights that a new file or the old one has."""
    import tempfile

    if path.exists():
        rights = path.stat().st_mode & 0o777
    else:
        mask = os.umask(0)
        os.umask(mask)
        rights = 0o666 & ~mask
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as written:
        try:
            written.write(data)
            written.close()
            os.chmod(written.name, rights)
            os.replace(written.name, path)
        except BaseException:
            os.unlink(written.name)
            raise
