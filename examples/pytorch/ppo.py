"""Proximal policy optimisation in PyTorch, from games alone (J. Schulman and others 2017, arXiv:1707.06347).

python examples/pytorch/ppo.py [WEIGHTS]

512 games of Mau-Mau are played side by side against the house player. The network chooses moves at random by their
scores, and those that did better than expected become likelier. A game that is broken off counts what the network
expects of its end. WEIGHTS is the file that `examples/pytorch/labels.py` writes: then the network begins with what it
learned from searches.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch.distributions import Categorical

from maumau import Batch

sys.path.insert(0, str(Path(__file__).parents[2]))
from examples.pytorch.labels import GAME, PLAYERS, SLOTS, Network, Player, measured

ROUNDS, STEPS, PASSES, PARTS = 150, 32, 3, 8
"""Rounds, decisions of each game in a round, how often the network learns from them, and in how many parts."""
SHARP, LAMBDA, CLIP, ENTROPY = 10.0, 0.95, 0.2, 0.005
"""How sharply scores choose, how far rewards reach back, how far a move may change, and the bonus for random moves."""


class Rows(NamedTuple):
    """Decisions of a round: what was seen, what was legal and chosen, how likely, and what it gained and was worth."""

    seen: Any
    masks: Any
    actions: Any
    logs: Any
    gains: Any
    worth: Any


def chosen(network: Network, seen: Any, masks: Any) -> tuple[Categorical, Any]:
    """Return how likely each action is, and what is expected."""
    scores, values = network(seen, masks)
    return Categorical(logits=SHARP * scores), values


def played(network: Network, batch: Batch) -> Rows:
    """Play on, and return the decisions with what they gained above what was expected."""
    rows, rewards, ends = list[tuple[Any, ...]](), torch.zeros(STEPS, batch.slots), torch.zeros(STEPS, batch.slots)
    values, every = torch.zeros(STEPS + 1, batch.slots), range(batch.slots)
    with torch.no_grad():
        for step in range(STEPS):
            seen, masks = torch.tensor(batch.observations), torch.tensor(batch.masks)
            likely, values[step] = chosen(network, seen, masks)
            actions, learner = likely.sample(), batch.decisions.acting.copy()
            decisions = batch.step(actions.numpy())
            rewards[step] = torch.as_tensor(decisions.rewards[every, learner])
            if decisions.truncated.any():
                expected = network(batch.last_observations, batch.masks)[1]
                rewards[step] += torch.as_tensor(decisions.truncated) * expected
            ends[step] = torch.as_tensor(decisions.ended | decisions.truncated)
            rows.append((seen, masks, actions, likely.log_prob(actions)))
        values[STEPS] = network(batch.observations, batch.masks)[1]
    gains, later = torch.zeros(STEPS, batch.slots), torch.zeros(batch.slots)
    for step in reversed(range(STEPS)):
        goes_on = 1 - ends[step]
        later = rewards[step] + goes_on * (values[step + 1] + LAMBDA * later) - values[step]
        gains[step] = later
    return Rows(*map(torch.cat, zip(*rows, strict=True)), gains.flatten(), (gains + values[:STEPS]).flatten())


def improve(network: Network, optimiser: Any, rows: Rows) -> float:
    """Make moves likelier that gained more than expected, and return the mean of what the decisions were worth."""
    for _ in range(PASSES):
        for part in torch.randperm(len(rows.actions)).chunk(PARTS):
            some = Rows(*(column[part] for column in rows))
            likely, values = chosen(network, some.seen, some.masks)
            ratio = (likely.log_prob(some.actions) - some.logs).exp()
            gains = (some.gains - some.gains.mean()) / (some.gains.std() + 1e-8)
            better = torch.minimum(ratio * gains, ratio.clamp(1 - CLIP, 1 + CLIP) * gains)
            loss = -better.mean() + 0.5 * (values - some.worth).square().mean() - ENTROPY * likely.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimiser.step()
    return float(rows.worth.mean())


def rounds(network: Network, number: int = ROUNDS, seed: int = 1, others: Any = "house") -> Iterator[float]:
    """Let a network learn, and yield what the decisions of each round were worth on average."""
    torch.manual_seed(seed)
    batch = Batch(GAME, PLAYERS, SLOTS, seed, others=others)
    optimiser = torch.optim.Adam(network.parameters(), lr=5e-4)
    for _ in range(number):
        yield improve(network, optimiser, played(network, batch))


def main() -> None:
    """Learn, print the curve, and save the weights."""
    network = Network()
    if len(sys.argv) > 1:
        network.load_state_dict(torch.load(sys.argv[1], weights_only=True))
    for number, worth in enumerate(rounds(network), 1):
        if number % 15 == 0:
            share = measured(Player("ppo", network))
            print(f"round {number}: worth {worth:+.3f}, wins {share.value:.1%} ({share.low:.1%} to {share.high:.1%})")
    torch.save(network.state_dict(), "ppo.pt")


if __name__ == "__main__":
    main()
