"""`maumau completion`: the shell script for completing commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


def run(shell: str) -> None:
    """Run `maumau completion`."""
    kind = get_completion_class(shell)
    assert kind is not None
    root = click.get_current_context().find_root()
    print(kind(root.command, {}, "maumau", "_MAUMAU_COMPLETE").source())
