"""A chunk of games played and counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fsm.bulk.histograms import COUNTING, spreads
from fsm.bulk.runner import Runner
from fsm.compiler.kernel import machine_code
from study.chains import counted
from study.counts import Counts, Unwon, lowest
from study.paired import paired
from study.question import Chunk, Question

if TYPE_CHECKING:
    from threading import Event

    from fsm.bulk.histograms import Spread
    from fsm.compiler.kernel import Say
    from fsm.compiler.results import Array, Results


def play(question: Question, chunk: Chunk, stop: Event | None = None) -> list[Results]:
    """The games of a chunk, once for each seating, in one thread. stop: ends it early; raises Stopped then."""
    return [runner.play(None, chunk.first, chunk.games, threads=1, stop=stop) for runner in _batches(question, None)]


def prepare(question: Question, say: Say | None = None) -> None:
    """Compile what the study needs; say: is told when that takes seconds."""
    for _ in _batches(question, say):
        pass
    machine_code(COUNTING)


def count(question: Question, chunk: Chunk, results: Sequence[Results]) -> Counts:
    """What is kept of a chunk."""
    sums: dict[str, Array] = {}
    unwon: list[Unwon] = []
    spread = machine_code(COUNTING)
    for place, played in enumerate(results):
        sums |= {f"{place}/{name}": row for name, row in _sums(spread, played).items()}
        unwon += _unwon(played, chunk.first, place)
    sums |= paired(question, results)
    return Counts(sums, lowest(unwon))


def _batches(question: Question, say: Say | None) -> Iterator[Runner]:
    """What plays the games of each seating."""
    game = counted(question.game).game
    for seating in question.seatings:
        yield Runner(game, question.players, seating, question.seed, tally=True, log=False, say=say)


def _sums(spread: Spread, played: Results) -> dict[str, Array]:
    """The sums of one seating, by name."""
    import numpy as np

    assert played.fired is not None
    assert played.used is not None
    arcs = np.array(list(played.fired.values()), np.int64)
    rules = np.array(list(played.used.values()), np.int64)
    return spreads(spread, played) | {"arcs": arcs, "rules": rules}


def _unwon(played: Results, first: int, seating: int) -> Iterator[Unwon]:
    """The games without a winner."""
    for row in (played.games["winner"] < 0).nonzero()[0].tolist():
        yield Unwon(int(played.games["ending"][row]), first + row, seating)
