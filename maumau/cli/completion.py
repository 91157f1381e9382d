"""`maumau completion`: the shell script for completing commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

HELP = """Print the completion script for a SHELL.

\b
Example:
  source <(maumau completion bash)
"""


@click.command(help=HELP)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Run `maumau completion`."""
    kind = get_completion_class(shell)
    assert kind is not None
    root = context.find_root()
    print(kind(root.command, {}, "maumau", "_MAUMAU_COMPLETE").source())
