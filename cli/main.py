"""The command `maumau`."""

from __future__ import annotations

import signal
import sys

import click

from cli.acquaintance import acquaintance
from cli.check import check
from cli.compile import compile_
from cli.completion import completion
from cli.deal import deal
from cli.diagram import diagram
from cli.failure import BAD_INPUT, INTERRUPTED, BadInput
from cli.replay import replay
from cli.serve import serve
from cli.simulate import simulate
from cli.study import study
from cli.waits import waits


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="maumau", message="maumau %(version)s")
def app() -> None:
    """Card games as finite-state machines: play decks, tell why, draw and check the machine.

    \b
    Examples:
      maumau deal --players 3 --seed 7 --games 5 | maumau simulate
      maumau simulate --trace games.txt
      maumau diagram -o maumau.svg
    """


for command in (simulate, deal, study, diagram, check, compile_, replay, serve, waits, acquaintance, completion):
    app.add_command(command)


def main() -> None:
    """Run the command line; bad input is told on standard error, a closed pipe or Ctrl-C ends it quietly."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        status = app(prog_name="maumau", standalone_mode=False)
    except BadInput as error:
        sys.stdout.flush()
        print(error, file=sys.stderr)
        status = BAD_INPUT
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        status = INTERRUPTED
    sys.exit(status)


if __name__ == "__main__":
    main()
