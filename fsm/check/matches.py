"""Plays matches of a game and checks what must hold of them, said again without the guards and effects of the chart."""

from __future__ import annotations

from collections.abc import Callable

from fsm.check.properties import Report
from fsm.match.setup import MATCH
from fsm.match.stepped import Match
from fsm.stepping.game import Game
from rules.match import MatchEnding


def _totals_are_sums(match: Match) -> bool:
    return match.totals == tuple(map(sum, zip(*(round.points for round in match.rounds), strict=True)))


def _dealer_moves_on(match: Match) -> bool:
    return all(round.dealer == (round.number - 1) % match.players + 1 for round in match.rounds)


def _unwon_rounds_score_nothing(match: Match) -> bool:
    unwon = (round for round in match.rounds if round.game.outcome and not round.game.outcome.winners)
    return match.kind.declaration.scoring.unwon_scores or not any(any(round.points) for round in unwon)


def _target_ends_match(match: Match) -> bool:
    *before, last = (max(round.totals) >= match.target for round in match.rounds)
    return not any(before) and last is not (match.table.ending == MatchEnding.OUT_OF_DECKS)


def _winner_is_ahead(match: Match) -> bool:
    best = (min if match.kind.declaration.scoring.lowest_wins else max)(match.totals)
    ahead = [seat for seat, total in enumerate(match.totals, 1) if total == best]
    outcome = match.outcome
    assert outcome is not None
    if outcome.ending is MatchEnding.OUT_OF_DECKS:
        return outcome.winner is None
    return outcome.winner == (ahead[0] if len(ahead) == 1 else None)


PROPERTIES: dict[str, Callable[[Match], bool]] = {
    "the totals are the sums of the points of the rounds": _totals_are_sums,
    "the dealer of each round is the seat after that of the round before, first player 1": _dealer_moves_on,
    "a round without a winner scores nothing, unless the game declares it": _unwon_rounds_score_nothing,
    "the match is over after the first round with which somebody has the target, or without a deck": _target_ends_match,
    "who alone is ahead wins the match, nobody if several are or the decks ended": _winner_is_ahead,
}
"""What must hold of a match that is over."""


def survey_matches(kind: type[Game], matches: int, seed: int) -> Report:
    """Play matches of a seed for each number of players, and check each property of each: games of which the positions
    are the rounds. The example of a property is the first match in which it failed.
    """
    report = Report(MATCH, tuple(PROPERTIES))
    codec = kind.declaration.codec
    for players in range(codec.fewest, codec.most + 1):
        for number in range(matches):
            match = Match(kind, players, seed, number)
            match.run()
            report.fired.update(step.arc for step in match.history)
            report.games, report.positions = report.games + 1, report.positions + len(match.rounds)
            for index, holds in enumerate(PROPERTIES.values()):
                if not holds(match):
                    report.failed[index] += 1
                    report.examples.setdefault(index, match)
    return report
