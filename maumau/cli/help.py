"""`maumau help`: the help of a command."""

from __future__ import annotations

import click


def run(command: str | None) -> None:
    """Run `maumau help`. Raises click.UsageError for an unknown command."""
    context = click.get_current_context().find_root()
    group = context.command
    assert isinstance(group, click.Group)
    if command is None:
        print(context.get_help())
        return
    _, found, _ = group.resolve_command(context, [command])
    assert found
    print(found.get_help(click.Context(found, context, info_name=found.name)))
