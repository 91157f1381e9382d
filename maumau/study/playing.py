"""Plays and counts the games of a chunk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fsm.declaration.policy import SteppedPolicy
from fsm.registry import game_class
from maumau.kernels.bulk.matches import MatchResults, MatchRunner
from maumau.kernels.bulk.runner import Runner
from maumau.kernels.bulk.stepped import SteppedRunner
from maumau.kernels.bulk.totals import COUNT_VALUES, histograms
from maumau.kernels.compiler.machine_code import machine_code
from maumau.study.counts import Counts, Unwon, lowest
from maumau.study.errors import StudyError
from maumau.study.paired import paired, paired_rules
from maumau.study.spec import Chunk, StudySpec

if TYPE_CHECKING:
    from threading import Event

    from fsm.declaration.declaration import Declaration
    from maumau.kernels.bulk.totals import Distribution
    from maumau.kernels.compiler.machine_code import Notify
    from maumau.kernels.compiler.results import Array, Results


def play(spec: StudySpec, chunk: Chunk, stop: Event | None = None) -> list[Results]:
    """The games or matches of a chunk, once for each play, in one thread.

    stop: ends the call early, which raises Stopped.
    """
    return [_played(runner, chunk, stop) for runner in _runners(spec, None)]


def _played(runner: Runner | SteppedRunner, chunk: Chunk, stop: Event | None) -> Results:
    """Raises StudyError for what a policy must not choose."""
    try:
        return played_by(runner, chunk.first, chunk.games, stop)
    except ValueError as error:  # such as IllegalMove and OutsideError
        raise StudyError(str(error)) from None


def played_by(runner: Runner | SteppedRunner, first: int, games: int, stop: Event | None) -> Results:
    """Games from number `first` on, in one thread. Raises ValueError for what a policy must not choose."""
    if isinstance(runner, SteppedRunner):
        return runner.play(None, first, games, stop)
    return runner.play(None, first, games, threads=1, stop=stop)


def prepare(spec: StudySpec, notify: Notify | None = None) -> None:
    """Compile the kernels of a study. notify: called before a compilation that takes seconds."""
    for runner in _runners(spec, notify):
        runner.prepare(spec.cut(0).games)
    machine_code(COUNT_VALUES)


def count(spec: StudySpec, chunk: Chunk, results: Sequence[Results]) -> Counts:
    """The counts of a chunk."""
    sums: dict[str, Array] = {}
    unwon: list[Unwon] = []
    count_values = machine_code(COUNT_VALUES)
    for index, played in enumerate(results):
        sums |= {f"{index}/{name}": row for name, row in _sums(count_values, played).items()}
        unwon += _unwon(played, chunk.first, index)
    sums |= paired(spec, results) if spec.compared_with is None else paired_rules(spec, *results)
    return Counts(sums, lowest(unwon))


def _runners(spec: StudySpec, notify: Notify | None) -> Iterator[Runner | SteppedRunner]:
    """The runner of each play."""
    for name, policies in spec.plays:
        where = game_class(name).declaration, spec.players, policies, spec.seed
        if spec.target is None:
            yield runner_of(*where, tally=True, notify=notify)
        else:
            yield MatchRunner(*where, spec.target, tally=True, log=False, notify=notify)


def runner_of(
    game: Declaration, players: int, policies: Sequence[str], seed: int, tally: bool, notify: Notify | None
) -> Runner | SteppedRunner:
    """What plays games of these policies. tally: whether arcs and decision rules are counted."""
    if any(isinstance(policy, SteppedPolicy) for policy in game.seated(players, policies)):
        return SteppedRunner(game, players, policies, seed, notify)
    return Runner(game, players, policies, seed, tally=tally, log=False, notify=notify)


def _sums(count_values: Distribution, played: Results) -> dict[str, Array]:
    """The sums of one play, by name."""
    import numpy as np

    assert played.counted is not None
    assert played.used is not None
    arcs = np.array(list(played.counted.values()), np.int64)
    rules = np.array(list(played.used.values()), np.int64)
    rounds = {"rounds": np.bincount(played.rounds)} if isinstance(played, MatchResults) else {}
    return histograms(count_values, played) | rounds | {"arcs": arcs, "rules": rules}


def _unwon(played: Results, first: int, seating: int) -> Iterator[Unwon]:
    """The games without a winner."""
    for row in (played.games["winner"] < 0).nonzero()[0].tolist():
        yield Unwon(int(played.games["ending"][row]), first + row, seating)
