"""The nets that are part of this package: `files/GAME-PLAYERS.safetensors`."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from fsm.declaration.declaration import Declaration

if TYPE_CHECKING:
    from maumau.agents.nets.net import Net

SUFFIX = ".safetensors"


def shipped_files(game: Declaration) -> dict[int, Traversable]:
    """The files of the nets of a game, by the number of players."""
    found = {}
    for file in files(__package__).joinpath("files").iterdir():
        name, _, players = file.name.removesuffix(SUFFIX).rpartition("-")
        if name == game.name and file.name.endswith(SUFFIX):
            found[int(players)] = file
    return dict(sorted(found.items()))


def shipped_nets(game: Declaration) -> dict[int, Net]:
    """The nets of a game, by the number of players. Raises ValueError if there are none."""
    from maumau.agents.nets.net import Net

    nets = {players: Net.of_bytes(file.read_bytes(), game) for players, file in shipped_files(game).items()}
    if not nets:
        raise ValueError(f"no net for {game.name} is part of this package, expected net:FILE; see maumau train")
    return nets
