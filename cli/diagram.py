"""`maumau diagram`: the machine as a picture or a table."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cli.failure import BadInput
from cli.options import chosen_game, game_option


@click.command()
@click.option("--output", "-o", "file", default="-", metavar="FILE", help="Where to write; - is standard output.")
@click.option("--format", "wanted", help="dot, mermaid, table, svg, png or pdf; by default as FILE ends, else dot.")
@game_option
def diagram(file: str, wanted: str | None, game: str) -> None:
    """Draw the state diagram from the declaration.

    \b
    Examples:
      maumau diagram -o maumau.svg
      maumau diagram --format mermaid
    """
    from render.diagram import FORMATS, DiagramError, render

    wanted = wanted or _by_ending(file)
    if wanted not in FORMATS:
        raise BadInput(f"--format: {wanted!r}, expected one of {', '.join(FORMATS)}")
    try:
        drawn = render(chosen_game(game).declaration, wanted)
    except DiagramError as error:
        raise BadInput(str(error)) from None
    data = drawn if isinstance(drawn, bytes) else drawn.encode()
    if file == "-":
        sys.stdout.buffer.write(data)
        return
    try:
        Path(file).write_bytes(data)
    except OSError as error:
        raise BadInput(f"{file}: {(error.strerror or str(error)).lower()}, expected a file to write") from None


def _by_ending(file: str) -> str:
    endings = {".md": "mermaid", ".mmd": "mermaid", ".gv": "dot"}
    ending = Path(file).suffix.lower()
    return endings.get(ending, ending[1:]) or "dot"
