"""A league in PyTorch: a network learns against the house player and against all its former selves.

python examples/pytorch/league.py [WEIGHTS]

Each season ends with a copy of the network that learns no more, and joins the opponents. In each game of the next
season one of them is drawn: in a half of the games the house player, else a copy. After each season the network plays
against the house player and against the copy of the season before. WEIGHTS is a file of `examples/pytorch/labels.py` or
`examples/pytorch/ppo.py`, with which the network begins.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import torch

sys.path.insert(0, str(Path(__file__).parents[2]))
from examples.pytorch.labels import Network, Player, Share, measured
from examples.pytorch.ppo import rounds

SEASONS, ROUNDS = 5, 20
"""Seasons, and rounds of a season."""


class Season(NamedTuple):
    """What the network wins after a season: against the house player, and against itself of a season before."""

    house: Share
    before: Share


def league(network: Network, seasons: int = SEASONS, length: int = ROUNDS) -> Iterator[Season]:
    """Let a network learn, and yield what it wins after each season."""
    copies = [Player("copy-0", deepcopy(network))]
    for season in range(1, seasons + 1):
        others: dict[Any, float] = {"house": 0.5, **dict.fromkeys(copies, 0.5 / len(copies))}
        for _ in rounds(network, length, seed=season, others=others):
            pass
        player = Player(f"copy-{season}", deepcopy(network))
        yield Season(measured(player), measured(player, copies[-1]))
        copies.append(player)


def main() -> None:
    """Print what is won after each season, and save the weights."""
    network = Network()
    if len(sys.argv) > 1:
        network.load_state_dict(torch.load(sys.argv[1], weights_only=True))
    for number, season in enumerate(league(network), 1):
        house, before = (f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})" for share in season)
        print(f"season {number}: wins {house} against house, {before} against season {number - 1}")
    torch.save(network.state_dict(), "league.pt")


if __name__ == "__main__":
    main()
