"""What a match is played for and with: the target, the numbers of its decks, and its table at the start."""

from __future__ import annotations

from typing import NamedTuple, SupportsIndex

from fsm.declaration.arcs import Phase
from fsm.declaration.chart import Chart
from fsm.declaration.declaration import Declaration
from fsm.declaration.page import forced, on, page
from fsm.edge.numbers import as_int, seed_number
from rules.chance import SEED_LIMIT
from rules.ending import Ending
from rules.match import (
    SEATS,
    MatchEnding,
    MatchTable,
    add_points,
    count_round,
    deck_left,
    move_dealer,
    one_is_ahead,
    round_scores,
    score_nothing,
    somebody_has_target,
    stop_without_decks,
    take_deck,
    tie_match,
    win_match,
)

DECKS = 1024
"""Decks of a match that is dealt, and so its rounds at most: round k (from 0) of match m of a seed has the deck and the
dice of game m * DECKS + k of that seed."""
MATCH_LIMIT = SEED_LIMIT // DECKS
"""The limit of match numbers: integers from 0 to one less than this."""


class SeriesUnit(NamedTuple):
    """What is counted where series of rounds are played: games, of one round each, or matches.

    one, many: what they are called. limit: of their numbers. endings: how they end. decks, seats: of each at most; None
    for as many seats as a game has.
    """

    one: str
    many: str
    limit: int
    endings: type[Ending] | type[MatchEnding]
    decks: int
    seats: int | None

    def deck_number(self, number: int, round: int) -> int:
        """Return the number of the game whose deck and dice a round has.

        number: of the game or match. round: from 0.
        """
        return number * self.decks + round

    def seat_count(self, game: Declaration, players: SupportsIndex) -> int:
        """Return a number of players that plays games or matches of `game`. Raises TypeError or ValueError."""
        seats = game.player_count(players)
        if self.seats is not None and seats > self.seats:
            raise ValueError(f"{seats} players; use at most {self.seats} in a {self.one}")
        return seats

    def numbers(
        self, game: Declaration, players: SupportsIndex, seed: SupportsIndex, first: SupportsIndex, count: SupportsIndex
    ) -> tuple[int, int, int, int]:
        """Return the plain integers of games or matches of a seed, in a row: players, seed, first number, and count.

        Raises TypeError or ValueError.
        """
        seats, plain_seed = self.seat_count(game, players), seed_number("seed", seed)
        many, start = as_int(self.many, count, 0), seed_number("first", first, self.limit)
        seed_number(f"the last {self.one}", start + max(many - 1, 0), self.limit)
        return seats, plain_seed, start, many


GAME_UNIT = SeriesUnit("game", "games", SEED_LIMIT, Ending, 1, None)
MATCH_UNIT = SeriesUnit("match", "matches", MATCH_LIMIT, MatchEnding, DECKS, SEATS)


def unit_of(target: int | None) -> SeriesUnit:
    """Return what is counted. target: of matches; None for games."""
    return GAME_UNIT if target is None else MATCH_UNIT


def match_table(game: Declaration, players: SupportsIndex, decks: int, target: SupportsIndex | None) -> MatchTable:
    """The table of a match at its start. Raises TypeError or ValueError for what cannot be played."""
    seats = MATCH_UNIT.seat_count(game, players)
    if not 1 <= decks <= DECKS:
        raise ValueError(f"{decks} decks; use 1 to {DECKS:,}")
    scoring = game.scoring
    return MatchTable(
        players=seats,
        sides=scoring.sides_among(seats),
        target=scoring.match_target(target),
        lowest_wins=int(scoring.lowest_wins),
        unwon_scores=int(scoring.unwon_scores),
        decks=decks,
    )


class MatchPhase(Phase):
    """The phases of a match. In ROUND the game is played: a round is a game from its first to its last phase."""

    INITIAL = "initial"
    ROUND = "round"
    SCORE = "score"
    MATCH_OVER = "match-over"


INITIAL, ROUND, SCORE, MATCH_OVER = MatchPhase

ARCS, CONTROL = page({
    INITIAL: forced(on("begin", ROUND, before=take_deck, rule="Player 1 is the dealer of the first round.")),
    ROUND: forced(
        on("end_round", SCORE, conditions=round_scores, before=count_round,
           rule="The round is over: its points count."),
        on("end_round", SCORE, unless=round_scores, before=(count_round, score_nothing),
           rule="Nobody won the round: it scores nothing.")),
    SCORE: forced(
        on("score", MATCH_OVER, conditions=(somebody_has_target, one_is_ahead), before=(win_match, add_points),
           rule="Somebody has the target: the player who is ahead wins the match."),
        on("score", MATCH_OVER, conditions=somebody_has_target, unless=one_is_ahead, before=(tie_match, add_points),
           rule="Somebody has the target, but several are ahead with equal totals: nobody wins."),
        on("score", MATCH_OVER, unless=(somebody_has_target, deck_left), before=(stop_without_decks, add_points),
           rule="Nobody has the target, and there is no deck for another round: nobody wins."),
        on("score", ROUND, conditions=deck_left, unless=somebody_has_target,
           before=(add_points, move_dealer, take_deck), rule="The next player deals the next round.")),
})  # fmt: skip

MATCH = Chart(
    title="A match",
    name="match",
    table=MatchTable,
    phases=MatchPhase,
    initial=INITIAL,
    final=MATCH_OVER,
    control=CONTROL,
    arcs=ARCS,
)
"""The chart of all matches: what a round scores, and the target, is declared with each game
(`fsm.declaration.parts`).
"""
