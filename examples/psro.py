"""PSRO: a population that grows by answers to its own mixtures (M. Lanctot and others 2017, arXiv:1711.00832).

python examples/psro.py [ROUNDS]

The population begins with a player who always takes the first legal move. Each round has four steps:

1. A new player plays against each of the population, in the seats in turn.
2. Fictitious play finds the mixture of the population that none of its players beats.
3. A player learns to answer this mixture: in each game its opponent is drawn by the probabilities.
4. New games measure what the answer gains. This is the approximate exploitability of the mixture: if it is not above
   zero, nothing was found that beats the mixture, and the program ends.

The game is Kuhn poker. Every player of the population is deterministic, so each can be beaten; the mixture bluffs.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from maumau import Batch, ObservingPolicy

sys.path.insert(0, str(Path(__file__).parents[1]))
from examples.kuhn_poker import KuhnPoker

SLOTS, STEPS, EXPLORED = 512, 60, (1.0, 0.5, 0.2, 0.1)
"""Games side by side, decisions of each in a sweep, and the part of moves that each sweep chooses at random."""
TESTED, DECKS, SEED = 40_000, 10_000, 1 << 32
"""Games that measure an answer, and games between two players; and their seeds, which no training has."""


class Answer(ObservingPolicy):
    """Plays the best action of a table, where it knows what it observes; else the first legal one."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        object.__setattr__(self, "gains", defaultdict(lambda: np.zeros(len(Batch(KuhnPoker, 2, 1).actions))))

    def choose_actions(self, players: int, observations: Any, masks: Any) -> Any:
        gains = np.array([self.gains[row.tobytes()] for row in observations])
        return np.where(masks == 1, gains, -np.inf).argmax(axis=1)


class Gain(NamedTuple):
    """The mean gain in chips a game, and its 95 % interval."""

    value: float
    low: float
    high: float


class Round(NamedTuple):
    """A round. mixture: the probability of each player. gain: of the answer against it."""

    mixture: dict[str, float]
    gain: Gain


def learned(mixture: dict[Any, float], seed: int) -> Answer:
    """Return an answer to a mixture: the mean gain of each action is counted, in sweeps that explore less and less."""
    answer, random = Answer(f"answer-{seed}"), np.random.default_rng(seed)
    batch = Batch(KuhnPoker, 2, SLOTS, seed, others=mixture)
    for explored in EXPLORED:
        sums: dict[bytes, Any] = defaultdict(lambda: np.zeros((2, len(batch.actions))))
        pasts: list[list[tuple[bytes, int]]] = [[] for _ in range(SLOTS)]
        for _ in range(STEPS):
            any_legal = (random.random(batch.masks.shape) * batch.masks).argmax(axis=1)
            best = answer.choose_actions(2, batch.observations, batch.masks)
            actions = np.where(random.random(SLOTS) < explored, any_legal, best)
            for past, row, action in zip(pasts, batch.observations, actions, strict=True):
                past.append((row.tobytes(), int(action)))
            learners = batch.decisions.acting.copy()
            decisions = batch.step(actions)
            for slot in decisions.ended.nonzero()[0]:
                for seen, action in pasts[slot]:
                    sums[seen][:, action] += decisions.rewards[slot, learners[slot]], 1
                pasts[slot] = []
        answer.gains.update({seen: gained / np.maximum(count, 1) for seen, (gained, count) in sums.items()})
    return answer


def gained(answer: Answer, others: Any, games: int, seed: int) -> Gain:
    """Return the gain of an answer against others in games 0, 1, ... of a seed, in the seats in turn."""
    batch, found = Batch(KuhnPoker, 2, SLOTS, seed, others=others), np.zeros(games)
    while (batch.decisions.numbers < games).any():
        numbers = batch.decisions.numbers.copy()
        decisions = batch.step(answer.choose_actions(2, batch.observations, batch.masks))
        over = (decisions.ended & (numbers < games)).nonzero()[0]
        found[numbers[over]] = decisions.rewards[over, numbers[over] % 2]
    mean, error = float(found.mean()), 1.96 * float(found.std()) / games**0.5
    return Gain(mean, mean - error, mean + error)


def equilibrium(payoffs: Any, rounds: int = 20_000) -> Any:
    """Return the mixture of a symmetric zero-sum game that fictitious play finds (J. Robinson 1951).

    payoffs: what the player of a row gains against that of a column, shape (players, players).
    """
    counts, gains = np.zeros(len(payoffs)), np.zeros(len(payoffs))
    for _ in range(rounds):
        best = int(gains.argmax())
        counts[best] += 1
        gains += payoffs[:, best]
    return counts / counts.sum()


def psro(rounds: int) -> Iterator[Round]:
    """Yield the rounds, up to the first one whose answer gains nothing."""
    players, payoffs = list[Any](["first-legal"]), np.zeros((1, 1))
    for number in range(1, rounds + 1):
        mixture = dict(zip(players, equilibrium(payoffs).tolist(), strict=True))
        answer = learned(mixture, seed=number)
        gain = gained(answer, mixture, TESTED, seed=SEED + number)
        yield Round({getattr(player, "name", player): share for player, share in mixture.items()}, gain)
        if gain.low <= 0:
            return
        against = np.array([gained(answer, other, DECKS, seed=SEED).value for other in players])
        payoffs = np.block([[payoffs, -against[:, None]], [against[None], np.zeros((1, 1))]])
        players.append(answer)


def main() -> None:
    """Print the rounds."""
    for number, (mixture, gain) in enumerate(psro(int(sys.argv[1]) if len(sys.argv) > 1 else 12), 1):
        players = ", ".join(f"{name} {share:.2f}" for name, share in mixture.items() if share >= 0.005)
        print(f"round {number}: {gain.value:+.3f} ({gain.low:+.3f} to {gain.high:+.3f}) against {players}", flush=True)


if __name__ == "__main__":
    main()
