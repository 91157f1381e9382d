"""Plays matches of a game and checks what must hold of them, said again without the guards and effects of the chart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from fsm.declaration.arcs import Arc
from fsm.match.chart import ARCS
from fsm.match.stepped import Match
from fsm.match.steps import MatchStep
from fsm.stepping.game import Game
from rules.match import MatchEnding


def _totals_are_sums(match: Match) -> bool:
    return match.totals == tuple(map(sum, zip(*(round.points for round in match.rounds), strict=True)))


def _dealer_moves_on(match: Match) -> bool:
    return all(round.dealer == (round.number - 1) % match.players + 1 for round in match.rounds)


def _unwon_rounds_score_nothing(match: Match) -> bool:
    unwon = (round for round in match.rounds if round.game.outcome and round.game.outcome.winner is None)
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


@dataclass
class MatchReport:
    """Matches that were checked. failed: the first match in which each property failed. fired: the arcs of matches."""

    matches: int = 0
    rounds: int = 0
    failed: dict[str, Match] = field(default_factory=dict)
    fired: dict[Arc, int] = field(default_factory=lambda: dict.fromkeys(ARCS, 0))


def survey(kind: type[Game], matches: int, seed: int) -> MatchReport:
    """Play matches of a seed for each number of players, and check each property of each."""
    report = MatchReport()
    codec = kind.declaration.codec
    for players in range(codec.fewest, codec.most + 1):
        for number in range(matches):
            match = Match(kind, players, seed, number)
            while match.outcome is None:
                step = match.step()
                if isinstance(step, MatchStep):
                    report.fired[step.arc] += 1
            report.matches, report.rounds = report.matches + 1, report.rounds + len(match.rounds)
            for text, holds in PROPERTIES.items():
                if not holds(match):
                    report.failed.setdefault(text, match)
    return report
