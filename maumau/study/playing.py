"""Plays and counts the games of a chunk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fsm.declaration.policy import SteppedPolicy
from fsm.registry import game_class
from maumau.kernels.bulk.histograms import COUNT_VALUES, histograms
from maumau.kernels.bulk.matches import MatchResults, MatchRunner
from maumau.kernels.bulk.runner import Runner
from maumau.kernels.bulk.stepped import SteppedRunner
from maumau.kernels.compiler.machine_code import machine_code
from maumau.study.counts import Counts, Unwon, lowest
from maumau.study.errors import StudyError
from maumau.study.paired import paired, paired_rules
from maumau.study.spec import Chunk, StudySpec

if TYPE_CHECKING:
    from threading import Event

    from maumau.kernels.bulk.histograms import Distribution
    from maumau.kernels.compiler.machine_code import Notify
    from maumau.kernels.compiler.results import Array, Results


def play(spec: StudySpec, chunk: Chunk, stop: Event | None = None) -> list[Results]:
    """The games or matches of a chunk, once for each play, in one thread.

    stop: ends the call early, which raises Stopped.
    """
    return [_played(runner, chunk, stop) for runner in _runners(spec, None)]


def _played(runner: Runner | SteppedRunner, chunk: Chunk, stop: Event | None) -> Results:
    if isinstance(runner, SteppedRunner):
        return _stepped(runner, chunk, stop)
    return runner.play(None, chunk.first, chunk.games, threads=1, stop=stop)


def _stepped(runner: SteppedRunner, chunk: Chunk, stop: Event | None) -> Results:
    """The games of players that are computed in Python. Raises StudyError for what a policy must not choose."""
    try:
        return runner.play(None, chunk.first, chunk.games, stop)
    except ValueError as error:  # such as IllegalMove and OutsideError
        raise StudyError(str(error)) from None


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
        game = game_class(name).declaration
        seated = game.seated(spec.players, policies)
        if any(isinstance(policy, SteppedPolicy) for policy in seated):
            players = [policy if isinstance(policy, SteppedPolicy) else policy.name for policy in seated]
            yield SteppedRunner(game, spec.players, players, spec.seed, notify)
        elif spec.target is None:
            yield Runner(game, spec.players, policies, spec.seed, tally=True, log=False, notify=notify)
        else:
            where = game, spec.players, policies, spec.seed, spec.target
            yield MatchRunner(*where, tally=True, log=False, notify=notify)


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
