"""Nets by chance, which know nothing of any game."""

from __future__ import annotations

import numpy as np

from fsm.declaration.declaration import Declaration
from maumau import Net, action_space, layout
from maumau.agents.nets.layers import Network


def random_net(game: Declaration, players: int, seed: int = 1, hidden: int = 16) -> Net:
    """A net whose weights are all random, so that its moves depend on everything that it sees."""
    dice = np.random.default_rng(seed)
    width, actions = layout(game, players).width, len(action_space(game))
    network = Network.initial(np.ones(width, np.float32), hidden, actions, dice)
    for layer in network.layers:
        layer[:] = dice.standard_normal(layer.shape, np.float32)
    return Net(game, players, network, "by hand").rounded()
