"""Tasks with which players are compared: games, opponents and decks that never change, and one number for a player.

A task has a version in its name. A game, a rule or an opponent that would play it otherwise is refused, and needs a
task of another version: so results of different years can be compared.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from itertools import product
from typing import Any

from fsm.edge.numbers import Notify, as_int, np
from fsm.registry import game_class
from maumau.agents.intervals import Estimate
from maumau.agents.opponents import Player, player_of
from maumau.study.tournament import MAX_DECKS, estimate, resampled, sums_of


@dataclass(frozen=True)
class Task:
    """What a player has to do: in each seat of each game it plays the same decks.

    games: names, with house rules, and what `played_hash` says of each. others: the policy of all other seats. decks:
    of each game, those of `seed`.
    """

    name: str
    title: str
    players: int
    others: str
    decks: int
    seed: int
    games: Mapping[str, str]

    @property
    def measure(self) -> str:
        """What the number says."""
        return "returns" if any(game_class(game).declaration.returns for game in self.games) else "share of wins"

    def record(self) -> dict[str, Any]:
        """Return the task as plain data."""
        return asdict(self) | {"measure": self.measure}

    @property
    def description(self) -> str:
        """What is done, in words."""
        decks = f"{self.decks:,} decks" + (f" of each of {len(self.games)} games" if len(self.games) > 1 else "")
        return f"{self.title}: {self.measure} against {self.others}, {decks}"

    def __str__(self) -> str:
        return f"{self.name}: {self.description}"

    def changed(self) -> list[str]:
        """Return the games that are not played as the task says any more."""
        return [game for game, known in self.games.items() if played_hash(game, self.others) != known]

    def play(
        self, policy: Player, decks: int | None = None, threads: int | None = None, notify: Notify | None = None
    ) -> TaskResult:
        """Let a player do the task, in each seat of each game with the same decks.

        policy: as `player_of` takes it. decks: the first so many of the task; all if None. Raises TypeError, or
        ValueError for a player that cannot play, and for a game that is not the one of the task.
        """
        if changed := self.changed():
            names = ", ".join(changed)
            raise ValueError(f"task {self.name}: the rules of {names} are different here; use the version of the task")
        decks = self.decks if decks is None else as_int("decks", decks, 1, MAX_DECKS)
        seated = []
        for game, seat in product(self.games, range(self.players)):
            seats: list[Player] = [self.others] * self.players
            seats[seat] = policy
            seated.append((game_class(game).declaration, seats))
        sums = sums_of(seated, decks, self.seed, threads, notify)
        first = self.players + 1 if self.measure == "returns" else 0
        gained = np.array([each[:, first + index % self.players] for index, each in enumerate(sums)]).sum(axis=0)
        games = decks * len(seated)
        spread = resampled(gained[:, None, None])[:, 0, 0] / games
        name = policy if isinstance(policy, str) else player_of(seated[0][0], policy).name
        return TaskResult(self.name, name, self.measure, decks, games, estimate(gained.sum() / games, spread))


def played_hash(game: str, others: str) -> str:
    """Return what tells how a game is played by an opponent: 16 digits."""
    kind = game_class(game)
    return kind.rules_hash(kind.declaration.policy(others))[:16]


_TEXT = files(__package__).joinpath("tasks.toml").read_text(encoding="utf-8")
TASKS = {name: Task(name, **given) for name, given in tomllib.loads(_TEXT).items()}
"""All tasks, by name."""


@dataclass(frozen=True)
class TaskResult:
    """What a player reached. decks: of each game. games: that it played. value: with the ends of the 95 % interval."""

    task: str
    policy: str
    measure: str
    decks: int
    games: int
    value: Estimate

    def record(self) -> dict[str, Any]:
        """Return the result as plain data."""
        return asdict(self) | self.value._asdict()

    def __str__(self) -> str:
        (value, low, high), games = self.value, f"{self.games:,} games"
        if self.measure == "returns":
            said = f"{self.policy} gains {value:+.3f} [{low:+.3f}, {high:+.3f}] a game, in {games}"
        else:
            said = f"{self.policy} wins {value:.2%} [{low:.2%}, {high:.2%}] of {games}"
        known = TASKS.get(self.task)
        if known is None or known.decks == self.decks:
            return f"{self.task}: {said}"
        return f"{self.task}: {said}; an estimate, as the task has {known.decks:,} decks"
