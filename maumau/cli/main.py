"""The command `maumau`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from maumau.cli.acquaintance import acquaintance
from maumau.cli.actions import actions
from maumau.cli.bulk import prepare_compiled_code
from maumau.cli.check import check
from maumau.cli.compile import compile_
from maumau.cli.completion import completion
from maumau.cli.deal import deal
from maumau.cli.diagram import diagram
from maumau.cli.interrupt import (
    BAD_INPUT,
    CANNOT_WRITE,
    INTERRUPTED,
    STATUSES,
    BadInput,
    CannotWrite,
    Interrupted,
    PipeClosed,
    end_by_closed_pipe,
    ignore_interrupts,
    interrupt_on_sigterm,
    printable_lines,
)
from maumau.cli.play import play
from maumau.cli.replay import replay
from maumau.cli.rules import rules
from maumau.cli.serve import serve
from maumau.cli.simulate import simulate
from maumau.cli.streams import guarded_streams
from maumau.cli.stubs import stubs
from maumau.cli.study import study
from maumau.cli.tournament import tournament
from maumau.cli.train import train
from maumau.cli.waits import waits
from rules.errors import Explained, Unwritten

SECTIONS = {
    "Games": (play, simulate, deal, replay, serve),
    "The machine": (diagram, check, rules, actions, compile_, stubs),
    "Players": (train, tournament),
    "Analysis": (study,),
    "Other problems": (waits, acquaintance),
    "Shell": (completion,),
}
"""The sections of the help."""


class Commands(click.Group):
    """The group of all commands, with a help in sections."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by section, each with the first sentence of its help."""
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(str(command.name), command.get_short_help_str(120)) for command in commands])

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Read the options before the command. Raises Interrupted."""
        with _translated():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the chosen command. Raises Interrupted."""
        with _translated():
            return super().invoke(ctx)


@contextmanager
def _translated() -> Iterator[None]:
    """Raise Interrupted for Ctrl-C, for which click would print an empty line; BadInput or CannotWrite for errors whose
    messages are for users.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted from None
    except Unwritten as error:
        raise CannotWrite(str(error)) from None
    except Explained as error:
        raise BadInput(str(error)) from None


HELP = """Card games as finite-state machines: play games, explain every move, draw and check the machine.

\b
Examples:
  maumau deal --players 3 --seed 7 --games 5 | maumau simulate
  maumau simulate --trace games.txt
  maumau diagram -o maumau.svg
"""


@click.group(
    help=HELP,
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=STATUSES,
)
@click.version_option(package_name="maumau", message="maumau %(version)s")
def app() -> None:
    """Prepare what all commands share."""
    prepare_compiled_code()


for section in SECTIONS.values():
    for command in section:
        app.add_command(command)


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
        except CannotWrite as error:
            print(printable_lines(str(error)), file=sys.stderr)
            status = CANNOT_WRITE
    ignore_interrupts()
    if status == INTERRUPTED:
        os._exit(status)  # waits for no thread: one that compiles machine code cannot be stopped
    sys.exit(status)


def _status() -> int:
    """Run the command; its exit status. Raises CannotWrite."""
    try:
        return int(app(prog_name="maumau", standalone_mode=False) or 0)
    except BadInput as error:
        return _report(str(error), BAD_INPUT)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (Interrupted, click.Abort, KeyboardInterrupt):
        ignore_interrupts()
        return _report("maumau: interrupted", INTERRUPTED)
    except (PipeClosed, CannotWrite):
        raise
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
