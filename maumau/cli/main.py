"""The command `maumau`, and how it ends.

A closed pipe ends it silently, Ctrl-C with one line, and a standard output that cannot be written with one line.
"""

from __future__ import annotations

import atexit
import io
import os
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any, cast

import click

from maumau.cli import SECTIONS, SUMMARIES
from maumau.cli.interrupt import (
    BAD_INPUT,
    CANNOT_WRITE,
    INTERRUPTED,
    PIPE_CLOSED,
    STATUSES,
    CannotWrite,
    discard,
    ignore_interrupts,
    one_line,
    print_error,
)
from maumau.cli.options import HelpContext
from maumau.version import VERSION
from rules.errors import Explained, Unwritten, interrupted_by, raised_as


class Commands(Mapping[str, click.Command]):
    """The commands by name, each declared when it is asked for."""

    def __getitem__(self, name: str) -> click.Command:
        for (_, module), summaries in SECTIONS.items():
            if name in summaries:
                declared: Iterable[click.Command] = import_module(f"maumau.cli.commands.{module}").COMMANDS
                return next(command for command in declared if command.name == name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(SUMMARIES)

    def __len__(self) -> int:
        return len(SUMMARIES)


class Maumau(click.Group):
    """The group of all commands, with a help in sections."""

    context_class = HelpContext

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by section, each with the first sentence of its help."""
        for (title, _), summaries in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(list(summaries.items()))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Return the command that the words name. Raises click.UsageError, which names the nearest."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            from rules.notation import expected_name, shown

            listing = "'maumau --help'"
            ctx.fail(f"unknown command {shown(args[0])}{expected_name(args[0], self.list_commands(ctx), listing)}")
        return super().resolve_command(ctx, args)

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Read the options before the command. Raises click.Abort if it is interrupted, and CannotWrite."""
        with _translated():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the chosen command. Raises click.Abort if it is interrupted, and CannotWrite."""
        with _translated():
            return super().invoke(ctx)


@contextmanager
def _translated() -> Iterator[None]:
    """Write all output; raise click.Abort for Ctrl-C, and CannotWrite for output that cannot be written.

    Click would print an empty line for Ctrl-C. A closed pipe ends the process.
    """
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os._exit(PIPE_CLOSED)
    except BaseException as error:
        if interrupted_by(error):
            raise click.Abort from None
        if isinstance(error, OSError) and error.errno and error.filename is None:  # files are reported with their names
            discard(sys.stdout)
            with raised_as(CannotWrite, "<stdout>: ", OSError, "redirect the output to where it can be written"):
                raise error
        raise


HELP = """Card games as finite-state machines: play games, explain every move, draw and check the machine.

\b
Examples:
  maumau deal --players 3 --games 5 | maumau simulate
  maumau simulate --trace games.txt
  maumau diagram -o maumau.svg
"""
app = Maumau(
    "maumau",
    commands=cast(MutableMapping[str, click.Command], Commands()),
    help=HELP,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=STATUSES,
)
click.version_option(VERSION, message="maumau %(version)s")(app)


def main() -> None:
    """Run the command line and exit with its status; failures are reported on standard error."""
    if signal.getsignal(signal.SIGTERM) != signal.SIG_IGN:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # raises KeyboardInterrupt, as Ctrl-C does
    _prepare_streams()
    status = _status()
    ignore_interrupts()
    if status == INTERRUPTED:
        atexit._run_exitfuncs()  # `distributed` ends its workers
        os._exit(status)  # waits for no thread: one that compiles machine code cannot be stopped
    sys.exit(status)


def _prepare_streams() -> None:
    """Let standard output escape characters that its encoding lacks, and closed streams fail when they are written."""
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if isinstance(sys.stdout, io.TextIOWrapper):  # not that of a caller
        sys.stdout.reconfigure(errors="backslashreplace")


def _status() -> int:
    """Run the command, and report why it fails. Returns its exit status."""
    try:
        return int(app(prog_name="maumau", standalone_mode=False) or 0)
    except Unwritten as error:
        return _report(str(error), CANNOT_WRITE)
    except Explained as error:
        return _report(str(error), BAD_INPUT)
    except click.ClickException as error:
        error.show(usage := io.StringIO())
        return _report(usage.getvalue().rstrip("\n"), error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        ignore_interrupts()
        return _report("maumau: interrupted", INTERRUPTED)
    except Exception as error:
        if "fsm.edge.errors" not in sys.modules:  # of which some are reported
            raise
        from fsm.outside import failure

        if not (message := failure(error)):
            raise
        return _report(message, BAD_INPUT)


def _report(message: str, status: int) -> int:
    """Print an error message, in which names of files may have control characters; return the status."""
    print_error("\n".join(map(one_line, message.split("\n"))))
    return status


if __name__ == "__main__":
    main()
