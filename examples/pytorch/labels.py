"""A network in PyTorch that learns from searches: each decision is labelled with what every move wins.

python examples/pytorch/labels.py [ROUNDS]

Each round has three steps:

1. The network plays 512 games of Mau-Mau side by side against the house player, sometimes with another move.
2. `search.wins(batch)` deals the hidden cards again in eight worlds, and counts in how many of them each move wins.
3. The network learns how much more each move wins than the mean of all moves.

New games measure the player every 80 rounds. `examples/pytorch/ppo.py` goes on from here without searches.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from maumau import Batch, ObservingPolicy, Search, action_space, game_class, layout

GAME, PLAYERS, SLOTS, WORLDS = "maumau", 2, 512, 8
ROUNDS, SHOWN_EVERY, EXPLORED = 800, 80, 0.1
"""Rounds, those between two measurements, and the part of random moves."""
TESTED, TEST_SEED = 4000, 1 << 32
"""Games that measure a player, and their seed, which no training has."""


class Network(nn.Module):
    """Two hidden layers, from observations to a score for each action and to the reward that is expected."""

    def __init__(self, hidden: int = 128) -> None:
        super().__init__()
        game = game_class(GAME).declaration
        seen = layout(game, PLAYERS)
        highest = [field.high for field in seen.fields for _ in field.labels]
        self.register_buffer("scale", 1 / torch.tensor(highest, dtype=torch.float32))
        self.body = nn.Sequential(nn.Linear(seen.width, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.scores, self.value = nn.Linear(hidden, len(action_space(game))), nn.Linear(hidden, 1)

    def forward(self, observations: Any, masks: Any) -> tuple[Any, Any]:
        """Return the scores, shape (rows, actions), -inf for illegal actions; and what is expected, shape (rows,)."""
        inner = self.body(torch.as_tensor(observations).float() * self.scale)
        scores = self.scores(inner).masked_fill(torch.as_tensor(masks) == 0, -torch.inf)
        return scores, self.value(inner)[:, 0]


class Player(ObservingPolicy):
    """Plays the action with the highest score of a network; it can be named wherever Python takes a player."""

    def __init__(self, name: str, network: Network) -> None:
        super().__init__(name)
        object.__setattr__(self, "network", network)

    def choose_actions(self, players: int, observations: Any, masks: Any) -> Any:
        with torch.no_grad():
            return self.network(observations, masks)[0].argmax(dim=1).numpy()


class Share(NamedTuple):
    """The share of games that are won, and its 95 % interval."""

    value: float
    low: float
    high: float


def measured(player: Player, others: Any = "house", games: int = TESTED) -> Share:
    """Return the share of wins in games 0, 1, ... of a seed, in the seats in turn."""
    batch, won = Batch(GAME, PLAYERS, SLOTS, TEST_SEED, others=others), np.zeros(games)
    while (batch.decisions.numbers < games).any():
        numbers, learner = batch.decisions.numbers.copy(), batch.decisions.acting.copy()
        decisions = batch.step(player.actions(PLAYERS, batch.observations, batch.masks))
        over = (decisions.ended & (numbers < games)).nonzero()[0]
        won[numbers[over]] = decisions.rewards[over, learner[over]] > 0
    share = float(won.mean())
    half = 1.96 * (share * (1 - share) / games) ** 0.5
    return Share(share, share - half, share + half)


def labelled(batch: Batch, search: Search, masks: Any) -> Any:
    """Return how much more than the mean of the legal moves each of them wins, shape (slots, actions)."""
    shares = torch.as_tensor(search.wins(batch)).float() / WORLDS
    return (shares - (shares * masks).sum(dim=1, keepdim=True) / masks.sum(dim=1, keepdim=True)) * masks


def rounds(network: Network, number: int = ROUNDS, seed: int = 1) -> Iterator[float]:
    """Let a network learn, and yield the loss of each round."""
    torch.manual_seed(seed)
    batch, search = Batch(GAME, PLAYERS, SLOTS, seed, others="house"), Search(GAME, PLAYERS, worlds=WORLDS)
    optimiser = torch.optim.Adam(network.parameters(), lr=2e-3)
    for _ in range(number):
        seen, masks = torch.tensor(batch.observations), torch.tensor(batch.masks)
        scores = network(seen, masks)[0].masked_fill(masks == 0, 0)
        loss = (scores - labelled(batch, search, masks)).square().sum(dim=1).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        best = torch.as_tensor(Player("best", network).choose_actions(PLAYERS, seen, masks))
        any_legal = torch.multinomial(masks.float(), 1)[:, 0]
        batch.step(torch.where(torch.rand(SLOTS) < EXPLORED, any_legal, best).numpy())
        yield loss.item()


def main() -> None:
    """Learn, print the curve, and save the weights."""
    network = Network()
    for number, loss in enumerate(rounds(network, int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS), 1):
        if number % SHOWN_EVERY == 0:
            share = measured(Player("labels", network))
            print(f"round {number}: loss {loss:.3f}, wins {share.value:.1%} ({share.low:.1%} to {share.high:.1%})")
    torch.save(network.state_dict(), "labels.pt")


if __name__ == "__main__":
    main()
