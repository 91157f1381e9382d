"""The nets that are part of this package: `files/GAME-PLAYERS.safetensors`."""

from __future__ import annotations

from importlib.resources import files

from agents.nets.net import Net
from fsm.declaration import Declaration

SUFFIX = ".safetensors"


def shipped_nets(game: Declaration) -> dict[int, Net]:
    """The nets of a game, by the number of players. Raises ValueError if there are none."""
    nets = {}
    for file in sorted(files(__package__).joinpath("files").iterdir(), key=lambda file: file.name):
        name, _, players = file.name.removesuffix(SUFFIX).rpartition("-")
        if name == game.name and file.name.endswith(SUFFIX):
            nets[int(players)] = Net.of_bytes(file.read_bytes(), game)
    if not nets:
        raise ValueError(f"no net for {game.name} is part of this package, expected net:FILE; see maumau train")
    return nets
