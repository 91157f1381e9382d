"""Tasks with which players are compared: games, opponents and decks that never change, and one number for a player.

A task has a version in its name. A game, a rule or an opponent that would play it otherwise is refused, and needs a
task of another version: so results of different years can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from threading import Event

from fsm.edge.numbers import np
from fsm.hashes import rules_hash
from fsm.registry import game_class
from maumau.kernels.bulk.chunks import worker_count
from maumau.kernels.compiler.machine_code import Notify
from maumau.study.playing import end, runner_of
from maumau.study.tournament import Estimate, estimate, resampled, sums_of

SEED = 20261128
"""The seed of the decks of all tasks of version 1."""


@dataclass(frozen=True)
class Task:
    """What a player has to do: in each seat of each game it plays the same decks.

    games: names, with house rules, and what `played_hash` says of each. others: the policy of all other seats. decks:
    of each game, those of `seed`.
    """

    name: str
    title: str
    games: Mapping[str, str]
    players: int
    others: str = "house"
    decks: int = 10_000
    seed: int = SEED

    @property
    def measure(self) -> str:
        """What the number says."""
        return "returns" if any(game_class(game).declaration.returns for game in self.games) else "share of wins"

    def changed(self) -> list[str]:
        """Return the games that are not played as the task says any more."""
        return [game for game, known in self.games.items() if played_hash(game, self.others) != known]


def played_hash(game: str, others: str) -> str:
    """Return what tells how a game is played by an opponent: 16 digits."""
    declaration = game_class(game).declaration
    return rules_hash(declaration, declaration.policy(others))[:16]


_MAUMAU, _UNO = {"maumau": "7a033b27a44003a9"}, {"uno": "5a1ce3150c98725c"}
_OFFICIAL = {"uno-official": "26eca991c7fd4ad7"}
_LEARNED = {
    "maumau+ace-skips": "cd6e0c80f27e8450",
    "maumau+five-each": "34f886ced1f2bebc",
    "maumau+jack-on-jack": "dcdf1c4ad22783f2",
    "maumau+king-again": "f6468e32c332e35e",
    "maumau+other-scores": "8a686f22375541af",
    "maumau+sevens-draw-3": "28019f3505f5a29e",
    "maumau+sevens-not-answered": "e0b7952faba15f2b",
}
_TESTED = {
    "maumau+draw-until-fit": "b2d191c57a63a49c",
    "maumau+heart-king-draws-five": "1fa4c8abfed11848",
    "maumau+no-action-last": "e89380f6195cd9b9",
    "maumau+opening-without-effect": "7752a1bbc17f1f8f",
    "maumau+sevens-draw-4": "5abe40302fa2df05",
    "maumau+ten-is-wild": "f641e33bfb557691",
}
TASKS = {
    task.name: task
    for task in (
        Task("maumau-2-v1", "Mau-Mau, 2 players", _MAUMAU, 2),
        Task("maumau-3-v1", "Mau-Mau, 3 players", _MAUMAU, 3),
        Task("maumau-4-v1", "Mau-Mau, 4 players", _MAUMAU, 4),
        Task("uno-2-v1", "UNO, 2 players", _UNO, 2),
        Task("uno-4-v1", "UNO, 4 players", _UNO, 4),
        Task("uno-official-2-v1", "Official UNO, 2 players", _OFFICIAL, 2),
        Task("uno-official-4-v1", "Official UNO, 4 players", _OFFICIAL, 4),
        Task("mahjong-4-v1", "Mahjong, 4 players", {"mahjong": "2eb04af3bbc4e9b9"}, 4),
        Task("maumau-2-learned-v1", "Mau-Mau with 7 house rules to learn from", _LEARNED, 2, decks=2_000),
        Task("maumau-2-tested-v1", "Mau-Mau with 6 house rules that are kept for the test", _TESTED, 2, decks=2_000),
    )
}
"""All tasks, by name. The house rules change neither moves nor observations, so a net for Mau-Mau can play them."""


@dataclass(frozen=True)
class TaskResult:
    """What a player reached. decks: of each game. games: that it played. value: with the ends of the 95 % interval."""

    task: str
    policy: str
    measure: str
    decks: int
    games: int
    value: Estimate


def play_task(
    task: Task, policy: str, decks: int | None = None, threads: int | None = None, notify: Notify | None = None
) -> TaskResult:
    """Let a player do a task, in each seat of each game with the same decks.

    decks: the first so many of the task; all if None. Raises ValueError for a player that cannot play, and for a game
    that is not the one of the task.
    """
    if changed := task.changed():
        raise ValueError(f"task {task.name}: other rules play {', '.join(changed)} here; use the version of the task")
    decks = task.decks if decks is None else decks
    runners = []
    for game, seat in product(task.games, range(task.players)):
        declaration = game_class(game).declaration
        scored = replace(declaration, score=declaration.returns) if declaration.returns else declaration
        seats = [task.others] * task.players
        seats[seat] = policy
        runners.append(runner_of(scored, task.players, tuple(seats), task.seed, False, notify))
    for runner in runners:
        runner.prepare(decks)
    pool, stop = ThreadPoolExecutor(worker_count(len(runners), threads)), Event()
    played = [pool.submit(sums_of, runner, decks, stop) for runner in runners]
    try:
        sums = [each.result() for each in played]
    finally:
        end(pool, stop, played)
    first = task.players + 1 if task.measure == "returns" else 0
    gained = np.array([each[:, first + index % task.players] for index, each in enumerate(sums)]).sum(axis=0)
    games = decks * len(runners)
    spread = resampled(gained[:, None, None])[:, 0, 0] / games
    return TaskResult(task.name, policy, task.measure, decks, games, estimate(gained.sum() / games, spread))
