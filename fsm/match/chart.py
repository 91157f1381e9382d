"""The phases and arcs of a match: one small machine above the machine of any game."""

from __future__ import annotations

from fsm.declaration.arcs import Arc, Control, Phase
from fsm.declaration.chart import Chart
from rules.match import (
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


class MatchPhase(Phase):
    """The phases of a match. In ROUND the game is played: a round is a game from its first to its last phase."""

    INITIAL = "initial"
    ROUND = "round"
    SCORE = "score"
    MATCH_OVER = "match-over"


INITIAL, ROUND, SCORE, MATCH_OVER = MatchPhase

ARCS = (
    Arc("begin", INITIAL, ROUND, then=(take_deck,), description="Player 1 is the dealer of the first round."),
    Arc("end_round", ROUND, SCORE, when=(round_scores,), then=(count_round,),
        description="The round is over: its points count."),
    Arc("end_round", ROUND, SCORE, unless=(round_scores,), then=(count_round, score_nothing),
        description="Nobody won the round: it scores nothing."),
    Arc("score", SCORE, MATCH_OVER, when=(somebody_has_target, one_is_ahead), then=(win_match, add_points),
        description="Somebody has the target: who is ahead wins the match."),
    Arc("score", SCORE, MATCH_OVER, when=(somebody_has_target,), unless=(one_is_ahead,), then=(tie_match, add_points),
        description="Somebody has the target, but several are ahead with equal totals: nobody wins."),
    Arc("score", SCORE, MATCH_OVER, unless=(somebody_has_target, deck_left), then=(stop_without_decks, add_points),
        description="Nobody has the target, and there is no deck for another round: nobody wins."),
    Arc("score", SCORE, ROUND, when=(deck_left,), unless=(somebody_has_target,),
        then=(add_points, move_dealer, take_deck), description="The next player deals the next round."),
)  # fmt: skip

MATCH = Chart(
    title="A match",
    name="match",
    table=MatchTable,
    phases=MatchPhase,
    initial=INITIAL,
    final=MATCH_OVER,
    control={
        INITIAL: Control(forced=("begin",)),
        ROUND: Control(forced=("end_round",)),
        SCORE: Control(forced=("score",)),
    },
    arcs=ARCS,
)
"""The chart of all matches: what a round scores, and the target, is declared with each game
(`fsm.declaration.scoring`).
"""
