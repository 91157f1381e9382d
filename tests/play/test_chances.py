"""The chances over a round: what each move was worth by what its player knew."""

from __future__ import annotations

import pytest
from all_games import GAMES

from fsm import Game
from maumau.play.table.hints import gained, judged

pytest.importorskip("llvmlite")

MAUMAU, _, OFFICIAL, MAHJONG, *_ = GAMES


def played(kind: type[Game], players: int) -> Game:
    game = kind.deal(players=players, seed=5, number=1)
    game.run()
    return game


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "players"), [(MAUMAU, 3), (OFFICIAL, 4), (OFFICIAL.with_rules("jump-in"), 3), (MAHJONG, 3)]
)
def test_each_move_that_was_chosen_among_several_is_judged(kind: type[Game], players: int) -> None:
    game = played(kind, players)
    moves = list(judged(game))
    assert len(moves) > 5
    assert [move.at for move in moves] == sorted({move.at for move in moves})
    secret = kind.declaration.asked_in_secret
    assert any(game.history[move.at].source in secret for move in moves) == bool(secret)
    in_points = kind is MAHJONG
    for move in moves:
        assert game.history[move.at].player == move.player
        assert move.share <= move.best
        assert in_points or 0 <= move.share <= move.best <= 1
        assert bool(move.better) == (move.share < move.best)
    if in_points:
        assert gained(game) == list(game.outcome.returns)
    else:
        assert gained(game) == [float(player == game.outcome.winner) for player in range(1, players + 1)]


@pytest.mark.slow
def test_the_card_with_which_a_player_goes_out_is_worth_all() -> None:
    game = played(MAUMAU, 3)
    last = list(judged(game))[-1]
    assert len(game.history) - 1 == last.at
    assert last.share == last.best == 1
