"""The command `maumau`.

Write failures of its standard streams are reported, and every character can be printed. Standard input and output wait
while they are not ready, as another process may have made them non-blocking. Standard output raises CannotWrite
whenever writing or flushing fails. Messages that cannot be written to standard error are dropped; the exit status
reports the error. The descriptor of a closed stream stays reserved, so that no file opened later gets it.
"""

from __future__ import annotations

import gc
import io
import os
import select
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import click

from maumau.cli import SECTIONS, SUMMARIES
from maumau.cli.interrupt import (
    BAD_INPUT,
    CANNOT_WRITE,
    INTERRUPTED,
    STATUSES,
    CannotWrite,
    PipeClosed,
    end_by_closed_pipe,
    ignore_interrupts,
    interrupt_on_sigterm,
    printable_lines,
)
from maumau.version import VERSION
from rules.errors import Explained, Unwritten, interrupted_by

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer


STDOUT = "<stdout>"


class _Input(io.FileIO):
    """Standard input."""

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read some bytes into `buffer`, and wait while there are none. Returns 0 at the end of the input only."""
        while (count := cast("int | None", super().readinto(buffer))) is None:
            select.select([self], [], [])
        return count


class _Output(io.FileIO):
    """Standard output. After the first failure, which is stored in `failed`, and after an interrupt in the middle of a
    write, all output is dropped: how much of the data was written is not known then.
    """

    failed: CannotWrite | None = None
    interrupted = False

    def write(self, data: ReadableBuffer, /) -> int:
        """Write all of `data`, and wait while the stream is not ready. Raises CannotWrite, once."""
        rest = memoryview(data).cast("B")
        size = len(rest)
        try:
            while rest and not (self.failed or self.interrupted):
                written = super().write(rest)
                if written is None:
                    select.select([], [self], [])
                rest = rest[written or 0 :]
        except OSError as error:
            self.failed = _failure(error)
            raise self.failed from None
        except KeyboardInterrupt:
            self.interrupted = True
            raise
        return size


class _Messages(io.FileIO):
    """Standard error. Output that cannot be written is dropped."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write some of `data`."""
        with suppress(OSError):
            return super().write(data) or memoryview(data).nbytes
        return memoryview(data).nbytes


def _failure(error: OSError) -> CannotWrite:
    if isinstance(error, BrokenPipeError):
        return PipeClosed(f"{STDOUT}: closed by its reader")
    from rules.notation import reason

    return CannotWrite(f"{STDOUT}: {reason(error)}, expected room to write")


@contextmanager
def guarded_streams() -> Iterator[Callable[[], None]]:
    """Replace the standard streams by those of this module, unless a caller has replaced them.

    Yields a function that flushes standard output and raises CannotWrite if anything was not written.
    """
    if sys.stdout is not sys.__stdout__ or sys.stderr is not sys.__stderr__:
        yield sys.stdout.flush
        return
    _reserve_descriptors()
    before = sys.stdin, sys.stdout, sys.stderr
    output = _Output(1, "w", closefd=False)
    out = _text(output, before[1], by_lines=False)
    err = _text(_Messages(2, "w", closefd=False), before[2], by_lines=True)

    def check_written() -> None:
        out.flush()
        if output.failed:
            raise output.failed

    sys.stdout, sys.stderr = out, err
    if (stdin := sys.__stdin__) is not None and stdin is before[0]:
        source = io.BufferedReader(_Input(0, "r", closefd=False))
        sys.stdin = io.TextIOWrapper(source, stdin.encoding, stdin.errors)
    try:
        yield check_written
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


def _text(raw: io.FileIO, like: Any, *, by_lines: bool) -> io.TextIOWrapper:
    """A text stream with the encoding and buffering of `like`, which is None if it is closed."""
    unbuffered = getattr(like, "write_through", False)
    return io.TextIOWrapper(
        cast(io.BufferedWriter, raw) if unbuffered else io.BufferedWriter(raw),
        getattr(like, "encoding", None) or "utf-8",
        "backslashreplace",
        line_buffering=by_lines or getattr(like, "line_buffering", False),
        write_through=unbuffered,
    )


def _reserve_descriptors() -> None:
    """Open closed standard streams on the null device, in the wrong direction, so that using them fails."""
    for number, flags in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)


# ---------------------------------------------------------------- the commands


class Commands(Mapping[str, click.Command]):
    """The commands by name, each declared when it is asked for."""

    def __getitem__(self, name: str) -> click.Command:
        module = next((module for (_, module), summaries in SECTIONS.items() if name in summaries), None)
        if module is None:
            raise KeyError(name)
        declared = import_module(f"maumau.cli.commands.{module}").COMMANDS
        found: click.Command = next(command for command in declared if command.name == name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(SUMMARIES)

    def __len__(self) -> int:
        return len(SUMMARIES)


class Maumau(click.Group):
    """The group of all commands, with a help in sections."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by section, each with the first sentence of its help."""
        for (title, _), summaries in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(list(summaries.items()))

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Read the options before the command. Raises click.Abort if it is interrupted."""
        with _interrupted():
            return super().make_context(*arguments, terminal_width=_width(), **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the chosen command. Raises click.Abort if it is interrupted."""
        with _interrupted():
            return super().invoke(ctx)


def _width() -> int:
    """The columns of a page of help, as click finds them with `shutil`, whose import takes longer than the page."""
    given = os.environ.get("COLUMNS", "")
    columns = int(given) if given.isdecimal() else 0
    with suppress(OSError):
        columns = columns or os.get_terminal_size(1).columns
    return max(min(columns or 80, 100) - 2, 50)


@contextmanager
def _interrupted() -> Iterator[None]:
    """Raise click.Abort for Ctrl-C, for which click would print an empty line."""
    try:
        yield
    except BaseException as error:
        if interrupted_by(error):
            raise click.Abort from None
        raise


HELP = """Card games as finite-state machines: play games, explain every move, draw and check the machine.

\b
Examples:
  maumau deal --players 3 --seed 7 --games 5 | maumau simulate
  maumau simulate --trace games.txt
  maumau diagram -o maumau.svg
"""
app = Maumau(
    "maumau",
    commands=cast(MutableMapping[str, click.Command], Commands()),
    help=HELP,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=STATUSES,
)
click.version_option(VERSION, message="maumau %(version)s")(app)


def main() -> None:
    """Run the command line and exit with its status; failures are reported on standard error."""
    interrupt_on_sigterm()
    with guarded_streams() as check_written:
        try:
            status = _status()
            check_written()
        except PipeClosed:
            end_by_closed_pipe()
            status = CANNOT_WRITE
        except Unwritten as error:
            print(printable_lines(str(error)), file=sys.stderr)
            status = CANNOT_WRITE
    ignore_interrupts()
    gc.freeze()  # the memory of a process that ends is freed at once
    nothing_was_done = sys.stdout is sys.__stdout__ and "fsm" not in sys.modules  # as after a page of help
    if status == INTERRUPTED or nothing_was_done:
        os._exit(status)  # waits for no thread: one that compiles machine code cannot be stopped
    sys.exit(status)


def _status() -> int:
    """Run the command; its exit status. Raises CannotWrite."""
    try:
        status = int(app(prog_name="maumau", standalone_mode=False) or 0)
        sys.stdout.flush()  # here, as it can be interrupted
        return status
    except Unwritten:
        raise
    except Explained as error:
        return _report(str(error), BAD_INPUT)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        ignore_interrupts()
        return _report("maumau: interrupted", INTERRUPTED)
    except Exception as error:
        outside = sys.modules.get("fsm.outside")
        if outside is None or not (message := outside.failure(error)):
            raise
        return _report(message, BAD_INPUT)


def _report(message: str, status: int) -> int:
    """Print an error message after all previous output; return the status."""
    sys.stdout.flush()
    print(printable_lines(message), file=sys.stderr)
    return status


if __name__ == "__main__":
    main()
