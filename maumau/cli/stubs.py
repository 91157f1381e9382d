"""`maumau stubs`: the stub of a module with a game, for type checkers and editors."""

from __future__ import annotations

from importlib.util import decode_source
from pathlib import Path

from fsm.outside import Source, loaded, origins_of
from fsm.registry import game_class
from fsm.stepping.stubs import stub_of
from maumau.cli.chosen import refusing
from maumau.cli.output import STANDARD_OUTPUT, write_output


def run(game: str, file: str | None) -> None:
    """Run `maumau stubs`."""
    kind = game_class(game)
    source = next((origin.source for origin in origins_of(game)), Source(kind.__module__, kind.__name__))
    module = loaded(source)
    text = Path(module.__file__ or "").read_bytes() if source.file is None else source.file.text
    with refusing(f"maumau stubs: {source}"):
        stub = stub_of(module, decode_source(text), source.name, kind)
    beside = f"{source.location}i" if source.file else STANDARD_OUTPUT
    write_output(beside if file is None else file, stub)
