"""A chunk of games played and counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fsm.batch import Batch
from rules.ending import Ending
from study.chains import counted
from study.counts import Counts, Unwon, lowest
from study.paired import paired
from study.question import Chunk, Question

if TYPE_CHECKING:
    from fsm.kernel import Say
    from fsm.results import Array, Results

SPREADS = ("turns", "laid", "taken", "reshuffles")
"""What is counted of each game by value, besides scores."""


def play(question: Question, chunk: Chunk) -> list[Results]:
    """The games of a chunk, once for each seating, in one thread."""
    return [batch.play(None, chunk.first, chunk.games, threads=1) for batch in _batches(question, None)]


def prepare(question: Question, say: Say | None = None) -> None:
    """Compile what the study needs; say: is told when that takes seconds."""
    for _ in _batches(question, say):
        pass


def count(question: Question, chunk: Chunk, results: Sequence[Results]) -> Counts:
    """What is kept of a chunk."""
    sums: dict[str, Array] = {}
    unwon: list[Unwon] = []
    for place, played in enumerate(results):
        sums |= {f"{place}/{name}": row for name, row in _sums(played)}
        unwon += _unwon(played, chunk.first, place)
    sums |= paired(question, results)
    return Counts(sums, lowest(unwon))


def _batches(question: Question, say: Say | None) -> Iterator[Batch]:
    """What plays the games of each seating."""
    game = counted(question.game).game
    for seating in question.seatings:
        yield Batch(game, question.players, seating, question.seed, tally=True, log=False, say=say)


def _sums(played: Results) -> Iterator[tuple[str, Array]]:
    """The sums of one seating, by name."""
    import numpy as np

    games = played.games
    assert played.fired is not None
    assert played.used is not None
    seats = played.scores.shape[1]
    yield "endings", np.bincount(games["ending"], minlength=len(Ending))
    yield "wins", np.bincount(games["winner"] + 1, minlength=seats + 1)[1:]
    for name in SPREADS:
        yield name, np.bincount(games[name])
    for seat in range(seats):
        yield f"score {seat + 1}", np.bincount(played.scores[:, seat])
    yield "arcs", np.array(list(played.fired.values()), np.int64)
    yield "rules", np.array(list(played.used.values()), np.int64)
    yield "trails", games["trail"].sum(dtype=np.int64, keepdims=True)


def _unwon(played: Results, first: int, seating: int) -> Iterator[Unwon]:
    """The games without a winner."""
    for row in (played.games["winner"] < 0).nonzero()[0].tolist():
        yield Unwon(int(played.games["ending"][row]), first + row, seating)
