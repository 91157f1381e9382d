"""A game in a file outside the package: Mau-Mau under another name; and the command called in this process."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from command import maumau

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
    """Call `maumau` with `arguments` in this process; data: standard input."""
    done = maumau(*arguments, data=data)
    return Done(done.returncode, done.stdout, done.stderr)
