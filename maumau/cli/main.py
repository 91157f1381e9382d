"""The command `maumau`."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, cast

import click

from maumau.cli import SECTIONS, SUMMARIES, VERSION
from maumau.cli.interrupt import (
    BAD_INPUT,
    CANNOT_WRITE,
    INTERRUPTED,
    STATUSES,
    Interrupted,
    PipeClosed,
    end_by_closed_pipe,
    ignore_interrupts,
    interrupt_on_sigterm,
    printable_lines,
)
from maumau.cli.streams import guarded_streams
from rules.errors import Explained, Unwritten


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
        """Read the options before the command. Raises Interrupted."""
        with _interrupted():
            return super().make_context(*arguments, terminal_width=_width(), **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the chosen command. Raises Interrupted."""
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
    """Raise Interrupted for Ctrl-C, for which click would print an empty line."""
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted from None


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
        return int(app(prog_name="maumau", standalone_mode=False) or 0)
    except Unwritten:
        raise
    except Explained as error:
        return _report(str(error), BAD_INPUT)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (Interrupted, click.Abort, KeyboardInterrupt):
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
