"""Transcripts of matches that compiled code played: the same as those of stepped ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fsm.edge.numbers import np
from fsm.match.played import DealtMatch, PlayedMatch
from fsm.match.setup import deck_number, target_of
from fsm.match.stepped import MatchOutcome, Round
from fsm.stepping.game import Game
from fsm.stepping.transcript import Transcript
from maumau.kernels.bulk.logged import LoggedGame
from maumau.kernels.bulk.match_runs import MatchResults, MatchRunner
from maumau.kernels.bulk.transcripts import chunks, transcript_of_log
from maumau.kernels.compiler.machine_code import Notify
from rules.reading import Dealt


def play_compiled_matches(
    kind: type[Game],
    matches: Sequence[DealtMatch],
    policies: Sequence[str],
    seed: int,
    first: int,
    target: int | None,
    notify: Notify | None = None,
) -> Iterator[PlayedMatch]:
    """Play matches with valid decks by compiled code; the same as `play_stepped`. Raises BulkMissing."""
    goal = target_of(kind.declaration, target)
    for chunk in chunks(matches, first, lambda match: len(match.decks)):
        players = chunk[0][1].players
        runner = MatchRunner(kind.declaration, players, policies, seed, goal, tally=False, log=True, notify=notify)
        seated = kind.seated(players, policies)
        decks = np.array([list(deck) for _, match in chunk for deck in match.decks], np.uint8)
        ends = np.cumsum([len(match.decks) for _, match in chunk], dtype=np.int64)
        results, logged, totals = runner.play_decks(decks, ends, chunk[0][0])
        begin = 0
        for row, (number, match) in enumerate(chunk):
            played = range(begin, begin + int(results.rounds[row]))
            games = [(logged.row(index), tuple(totals[index].tolist())) for index in played]
            rounds = tuple(_rounds(kind, match, seated, seed, number, games))
            outcome = _outcome(results, row)
            yield PlayedMatch(kind, players, match.decks, seated, seed, number, goal, rounds, outcome)
            begin += len(played)


def _rounds(
    kind: type[Game],
    match: DealtMatch,
    seated: tuple[str, ...],
    seed: int,
    number: int,
    games: Iterable[tuple[LoggedGame, tuple[int, ...]]],
) -> Iterator[Round[Transcript]]:
    """The rounds of a match of the compiled engine. games: with the totals after each."""
    before = (0,) * match.players
    for index, (game, totals) in enumerate(games):
        dealt = Dealt(match.players, match.decks[index])
        transcript = transcript_of_log(kind, dealt, seated, seed, deck_number(number, index), game)
        points = tuple(after - until for after, until in zip(totals, before, strict=True))
        yield Round(index + 1, index % match.players + 1, transcript, points, totals)
        before = totals


def _outcome(results: MatchResults, row: int) -> MatchOutcome:
    result = results.games[row]
    totals = tuple(results.scores[row].tolist())
    ending, winner, winners = (int(result[name]) for name in ("ending", "winner", "winners"))
    return MatchOutcome.of(ending, winner, winners, totals, int(results.rounds[row]))
