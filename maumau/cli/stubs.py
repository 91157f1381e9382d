"""`maumau stubs`: the stub of a module with a game, for type checkers and editors."""

from __future__ import annotations

from importlib.util import decode_source
from pathlib import Path

import click

from maumau.cli.interrupt import BadInput
from maumau.cli.options import GameName, chosen_game
from maumau.cli.output import STANDARD_OUTPUT, write_output

HELP = """Write the stub of a game, by which editors and type checkers know its events.

The events of a game are methods that are made from its declaration when its class is made. The stub of FILE.py is
FILE.pyi beside it: it has all names of FILE.py, and lists these methods with their parameters and the sentences of the
rules. Write it again when FILE.py has changed. The stub of a registered game is printed.

\b
Examples:
  maumau stubs examples/crazy_eights.py:CrazyEights
  maumau stubs uno -o -
"""


@click.command(help=HELP)
@click.argument("game", type=GameName("maumau stubs"))
@click.option(
    "--output",
    "-o",
    "file",
    metavar="FILE",
    help="Where to write; - is standard output.  [default: FILE.pyi of FILE.py:NAME, else -]",
)
def stubs(game: str, file: str | None) -> None:
    """Run `maumau stubs`."""
    from fsm.outside import Source, loaded, origins_of
    from fsm.stepping.stubs import stub_of

    kind = chosen_game(game)
    source = next((origin.source for origin in origins_of(game)), Source(kind.__module__, kind.__name__))
    module = loaded(source)
    text = Path(module.__file__ or "").read_bytes() if source.file is None else source.file.text
    try:
        stub = stub_of(module, decode_source(text), source.name)
    except ValueError as error:
        raise BadInput(f"maumau stubs: {source}: {error}") from None
    beside = f"{source.location}i" if source.file else STANDARD_OUTPUT
    write_output(beside if file is None else file, stub)
