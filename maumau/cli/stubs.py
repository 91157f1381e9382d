"""`maumau stubs`: the stub of a module with a game, for type checkers and editors."""

from __future__ import annotations

from fsm.outside import stub_for
from maumau.cli.chosen import refusing
from maumau.cli.output import STANDARD_OUTPUT, write_output


def run(game: str, file: str | None) -> None:
    """Run `maumau stubs`."""
    with refusing("maumau stubs"):
        stub, source = stub_for(game)
    write_output((f"{source}i" if source else STANDARD_OUTPUT) if file is None else file, stub)
