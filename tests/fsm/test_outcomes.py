"""How games end: who wins, in which order the players stand, and what each of them gains."""

import copy
import pickle
from dataclasses import replace

import pytest
from uno_games import at

from examples.hearts import Hearts
from examples.leduc_poker import LeducPoker
from fsm import MauMau
from fsm.declaration.rewards import Reward
from fsm.table.layout import PositionError, layout_of
from maumau import Mahjong

STAKES = next(fact for fact in LeducPoker.declaration.codec.facts if fact.name == "stakes")


def test_who_wins_alone_gains_one_that_the_others_lose_in_equal_shares() -> None:
    outcome = MauMau.deal(players=3, seed=7).run()
    assert (outcome.winner, outcome.winners) == (1, (1,))
    assert outcome.returns == (1.0, -0.5, -0.5)
    assert outcome.ranking == ((1,), (2, 3))


def test_without_a_winner_nobody_gains_anything() -> None:
    outcome = at("await-play hands=RD,B5/B1/Y7 discard=...,R3 draw=B7").run()
    assert (outcome.winner, outcome.winners, outcome.returns) == (None, (), (0.0, 0.0, 0.0))
    assert outcome.ranking == ((1, 2, 3),)


def test_a_tuple_of_ending_winner_and_scores_is_all_that_is_compared() -> None:
    outcome = MauMau.deal(players=2, seed=7).run()
    ending, winner, scores = outcome
    assert (ending, winner, scores) == outcome
    for other in (copy.copy(outcome), copy.deepcopy(outcome), pickle.loads(pickle.dumps(outcome))):
        assert (other, other.winners, other.returns) == (outcome, outcome.winners, outcome.returns)


@pytest.mark.parametrize("number", range(20))
def test_the_points_of_hearts_are_lost(number: int) -> None:
    outcome = Hearts.deal(4, 7, number).run()
    assert outcome.returns == tuple(-float(points) for points in outcome.scores)
    best = min(outcome.scores)
    assert outcome.ranking[0] == tuple(player for player, points in enumerate(outcome.scores, 1) if points == best)


@pytest.mark.parametrize("number", range(20))
def test_the_payments_of_mahjong_are_gained_and_add_up_to_nothing(number: int) -> None:
    outcome = Mahjong.deal(4, 7, number).run()
    assert outcome.returns == outcome.scores
    assert sum(outcome.returns) == 0


def test_chips_and_winners_of_a_position_are_read_again() -> None:
    game = LeducPoker.deal(2, 7, 1)
    game.run()
    for text in (game.position(), game.position().replace("stakes=1/1", "stakes=99/99")):
        assert LeducPoker.at(text).position() == text
    assert "winners=1 " in game.position()
    with pytest.raises(PositionError, match="stakes='100'; use a number from 0 to 99"):
        LeducPoker.at(game.position().replace("stakes=1/1", "stakes=100/1"))
    for wrong in ("-,-", "-,1", "1,", "3"):
        with pytest.raises(PositionError, match=r"winners='.*'; use a number from 1 to 2"):
            LeducPoker.at(game.position().replace("winners=1 ", f"winners={wrong} "))
    wealthy = replace(STAKES, most=1000)
    assert layout_of(LeducPoker.declaration).value(wealthy, "1000/7", 2) == [1000, 7]


def test_points_left_in_hand_are_lost_in_scores_and_matches() -> None:
    game = MauMau.deal(players=3, seed=7)
    scores = game.run().scores
    for reward in (Reward.SCORE, Reward.MATCH):
        assert game.declaration.rewards(game.table, reward) == tuple(-float(points) for points in scores)


@pytest.mark.parametrize(("name", "default"), [(None, Reward.WIN), ("score", Reward.SCORE)])
def test_the_rewards_of_a_game_without_returns(name: str | None, default: Reward) -> None:
    assert Reward.named(MauMau.declaration, name) is default
    assert Reward.named(Hearts.declaration, None) is Reward.RETURNS


@pytest.mark.parametrize("name", ["returns", "chips"])
def test_rewards_that_a_game_does_not_have_are_refused(name: str) -> None:
    what = "rewards: maumau declares no returns" if name == "returns" else f"unknown rewards '{name}'"
    with pytest.raises(ValueError, match=f"{what}; use one of win, score, match"):
        Reward.named(MauMau.declaration, name)
