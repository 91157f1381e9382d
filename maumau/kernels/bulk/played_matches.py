"""Matches that compiled code played: the same as those that were stepped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fsm.match.played import PlayedMatch
from fsm.match.reading import DealtMatch
from fsm.match.setup import deck_number, target_of
from fsm.match.steps import MatchOutcome, Round
from fsm.stepping.game import Game
from fsm.stepping.steps import winner_of
from fsm.stepping.transcript import Transcript
from maumau.kernels.bulk.logged import logged_row
from maumau.kernels.bulk.transcripts import chunks, transcript_of_log
from rules.match import MatchEnding
from rules.reading import Dealt

if TYPE_CHECKING:
    from maumau.kernels.bulk.matches import MatchResults
    from maumau.kernels.compiler.machine_code import Notify


def play_compiled(
    kind: type[Game],
    matches: Sequence[DealtMatch],
    policies: Sequence[str],
    seed: int,
    first: int,
    target: int | None,
    notify: Notify | None = None,
) -> Iterator[PlayedMatch]:
    """Play matches with valid decks by compiled code; the same as `play_stepped`. Raises BulkMissing."""
    import numpy as np

    from maumau.kernels.bulk.matches import MatchRunner

    goal = target_of(kind.declaration, target)
    for chunk in chunks(matches, first, lambda match: len(match.decks)):
        players = chunk[0][1].players
        runner = MatchRunner(kind.declaration, players, policies, seed, goal, tally=False, log=True, notify=notify)
        seated = kind.seated(players, policies)
        decks = np.array([list(deck) for _, match in chunk for deck in match.decks], np.uint8)
        ends = np.cumsum([len(match.decks) for _, match in chunk], dtype=np.int64)
        results = runner.play_decks(decks, ends, chunk[0][0])
        for row, (number, match) in enumerate(chunk):
            rounds = tuple(_rounds(kind, match, seated, seed, number, results, row))
            outcome = _outcome(results, row)
            yield PlayedMatch(kind, players, match.decks, seated, seed, number, goal, rounds, outcome)


def _rounds(
    kind: type[Game],
    match: DealtMatch,
    seated: tuple[str, ...],
    seed: int,
    number: int,
    results: MatchResults,
    row: int,
) -> Iterator[Round[Transcript]]:
    """The rounds of a match of the compiled engine."""
    assert results.each is not None
    assert results.each_totals is not None
    played = int(results.rounds[row])
    begin = int(results.rounds[:row].sum())
    before = (0,) * match.players
    for index in range(played):
        dealt = Dealt(match.players, match.decks[index])
        where = kind, dealt, seated, seed, deck_number(number, index), logged_row(results.each, begin + index)
        totals = tuple(results.each_totals[begin + index].tolist())
        points = tuple(after - until for after, until in zip(totals, before, strict=True))
        yield Round(index + 1, index % match.players + 1, transcript_of_log(*where), points, totals)
        before = totals


def _outcome(results: MatchResults, row: int) -> MatchOutcome:
    """How a match of the compiled engine ended."""
    result = results.games[row]
    totals = tuple(results.scores[row].tolist())
    return MatchOutcome(MatchEnding(result["ending"]), winner_of(result["winner"]), totals, int(results.rounds[row]))
