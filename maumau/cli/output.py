"""What a command reads and writes: files, which are written atomically, the standard streams, and messages."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from textwrap import fill
from typing import TYPE_CHECKING, BinaryIO

from fsm.edge.atomic import replace_file
from maumau.cli.interrupt import BadInput, CannotWrite, one_line, print_error
from rules.errors import raised_as
from rules.reading import STDIN, decoded

if TYPE_CHECKING:
    from pathlib import Path

STANDARD_INPUT = STANDARD_OUTPUT = "-"


def write_output(file: str, output: bytes | str) -> None:
    """Write bytes, or text in UTF-8, into `file`, and report that; or to standard output for `-`.

    What UTF-8 does not have, as the bytes of a file name in another encoding, is escaped: `\\udcff`.

    Raises CannotWrite, and leaves the file unchanged; BadInput for an impossible file name, and for bytes to a
    terminal.
    """
    if isinstance(output, bytes):
        refuse_terminal(file)
    data = output.encode(errors="backslashreplace") if isinstance(output, str) else output
    if file == STANDARD_OUTPUT:
        sys.stdout.buffer.write(data)
        return
    put_file(file, data)
    report_written(file)


LABEL = re.compile(r" *(?:\S+(?: \S+)* {2,}|[^:.]+: +)?")
"""What stands before a text in a line: blanks, or a label that ends with two blanks or a colon."""
LONGEST_LABEL = 16


def say(text: str) -> None:
    """Print a text; in a terminal lines wrap between words, below the text after their label."""
    if not sys.stdout.isatty():
        print(text)
        return
    from shutil import get_terminal_size

    width = get_terminal_size().columns
    for line in text.split("\n"):
        print(wrapped(line, width) if len(line) > width else line)


def wrapped(line: str, width: int) -> str:
    """Return a line in lines of a width at most, unless a word is longer."""
    label = LABEL.match(line)
    assert label
    hang = len(label[0]) if len(label[0]) <= min(LONGEST_LABEL, width // 2) else len(line) - len(line.lstrip())
    return fill(line, width, subsequent_indent=" " * hang, break_long_words=False, break_on_hyphens=False)


def put_file(file: str, data: bytes) -> None:
    """Write a file of which nothing is reported. Raises CannotWrite, and leaves the file unchanged; BadInput."""
    with writing(file) as path:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            replace_file(path.resolve(), data)


def open_in_browser(file: str) -> None:
    """Open a file that was written in the user's browser; where there is none, ask the user to."""
    import webbrowser
    from pathlib import Path

    if not webbrowser.open(Path(file).resolve().as_uri()):
        print_message(f"no browser was found: open {one_line(file)} in one")


def report_written(file: str | Path) -> None:
    """Report that the command has written a file, or a folder."""
    print_message(f"wrote {one_line(str(file))}")


def refuse_terminal(file: str) -> None:
    """Raise BadInput for `-` where standard output is a terminal, which cannot show bytes that are not text."""
    if file == STANDARD_OUTPUT and sys.stdout.isatty():
        raise BadInput("--output: a terminal cannot show this file; name a file with -o FILE, or redirect the output")


def format_of(file: str, formats: Iterable[str], endings: Mapping[str, str], usual: str) -> str:
    """The format of a file that is written, by the ending of its name.

    formats: those that can be written; each is an ending as well. endings: other ones. usual: the format of a file
    without an ending. Raises BadInput for an unknown one.
    """
    known = {f".{format}": format for format in formats} | dict(endings)
    if not (ending := os.path.splitext(file)[1].rstrip(".")):
        return usual
    if ending.lower() not in known:
        raise BadInput(f"{one_line(file)}: unknown ending {ending!r}; use one of {', '.join(known)}, or --format")
    return known[ending.lower()]


def check_output(file: str) -> None:
    """Raise CannotWrite for a file that cannot be written beside what is printed, before long work; BadInput for an
    impossible file name.
    """
    if file == STANDARD_OUTPUT:
        raise BadInput(f"{file!r}: standard output already shows the result; name a file")
    with writing(file) as path:
        if hindrance := _hindrance(path):
            raise CannotWrite(f"{one_line(file)}: {hindrance}; name a file that can be written")


@contextmanager
def writing(file: str) -> Iterator[Path]:
    """The path of a file that is written in this context. Raises CannotWrite, or BadInput for an impossible name."""
    from pathlib import Path

    if not file:
        raise BadInput(f"{file!r}: the name is empty; name a file to write")
    with (
        raised_as(BadInput, f"{file!r}: ", remedy="give the name of a file"),
        raised_as(CannotWrite, f"{one_line(file)}: ", OSError, "name a file that can be written"),
    ):
        try:
            yield Path(file)
        except FileNotFoundError:
            raise OSError("no such folder") from None
        except RuntimeError:
            raise OSError("a link that leads to itself") from None


def _hindrance(path: Path) -> str:
    """Why a file cannot be written, as far as that can be seen before; empty if nothing is in the way."""
    if path.is_dir():
        return "is a directory"
    folder = path.resolve().parent
    if not folder.is_dir():
        with suppress(FileNotFoundError, NotADirectoryError):
            folder.stat()  # raises PermissionError for one of which is_dir() knows nothing
        return "no such folder"
    is_replaced = path.is_file() or not path.exists()
    return "permission denied" if is_replaced and not os.access(folder, os.W_OK) else ""


MOST = 256 << 20
"""Maximum size in bytes of an input that is kept whole; a larger one is a mistake, such as an endless device."""
BLOCK = 1 << 18
"""Bytes that are read at a time."""


def read_source(path: str) -> tuple[bytes, str]:
    """The bytes of the file at `path`, or of standard input for `-`, and its name. Raises BadInput."""
    source, data = source_name(path), bytearray()
    for block in read_blocks(path):
        data += block
        if len(data) > MOST:
            raise BadInput(f"{source}: more than {MOST:,} bytes; split the input into several files")
    return bytes(data), source


def read_text(path: str) -> tuple[str, str]:
    """Return the text of an input, and its name. path: as of `read_source`. Raises BadInput, and InputError."""
    data, source = read_source(path)
    return decoded(data, source), source


def source_name(path: str) -> str:
    """The name of an input in messages. path: as of `read_source`."""
    return STDIN if path == STANDARD_INPUT else one_line(path) or repr(path)


def read_blocks(path: str) -> Iterator[bytes]:
    """Yield the bytes of an input, a block at a time. path: as of `read_source`. Raises BadInput."""
    source = source_name(path)
    with (
        raised_as(BadInput, f"{source!r}: ", remedy="give the name of a file"),
        raised_as(BadInput, f"{source}: ", OSError, "name a file to read, or - for standard input"),
        nullcontext(_standard_input()) if path == STANDARD_INPUT else open(path, "rb") as file,
    ):
        while block := file.read(BLOCK):
            yield block


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise BadInput(f"{STDIN}: closed; pipe an input in, or name a file")
    if sys.stdin.isatty():
        print_error("reading from the terminal, end with Ctrl-D")
    return sys.stdin.buffer


def notify(message: str) -> None:
    """Report a slow step."""
    print_message(f"{message} ...")


def print_message(message: str) -> None:
    """Print a message."""
    print_error(f"maumau: {message}")
