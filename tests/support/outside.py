"""A game in a file outside the package: Mau-Mau under another name; and the command called in this process."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

FILE = '''
"""Mau-Mau under another name."""
from dataclasses import replace

from fsm import MauMau


class {name}(MauMau):
    declaration = replace(MauMau.declaration, name="{game}", title="{name}")
'''


def game_file(folder: Path, game: str = "other", name: str = "Other", more: str = "") -> Path:
    """A file in `folder` that declares the game called `game` as the class `name`."""
    path = folder / f"{game}.py"
    path.write_text(FILE.format(game=game, name=name) + more)
    return path


class Done(NamedTuple):
    """What a command did: its exit status, and what it printed."""

    status: int
    out: str
    err: str


def command(*arguments: object, data: str = "") -> Done:
    """Call `maumau` with `arguments` in this process; data: standard input. No exception but for bad input passes."""
    from maumau.cli.interrupt import BAD_INPUT
    from maumau.cli.main import app
    from rules.errors import Explained

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(data.encode()), encoding="utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            try:
                status = app([str(each) for each in arguments], prog_name="maumau", standalone_mode=False)
            except Explained as error:
                print(error, file=sys.stderr)
                status = BAD_INPUT
    finally:
        sys.stdin = before
    for stream in (out, err):
        stream.flush()
    return Done(status or 0, *(stream.buffer.getvalue().decode() for stream in (out, err)))  # type: ignore[attr-defined]
