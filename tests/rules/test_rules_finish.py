"""The end of the game and the score."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from plain_maumau import CARDS, VALUES

from fsm import IllegalMove, MauMau

At = Callable[[str], MauMau]


@pytest.mark.parametrize(
    "position", ["await-play hands=CK/HA,HQ discard=...,CN", "jack-binding suit=C hands=CK/HA,HQ discard=...,SJ"]
)
def test_who_plays_the_last_card_wins_with_no_points(at: At, position: str) -> None:
    game = at(f"{position} draw=SA")
    game.play("CK")
    assert str(game.phase) == "game-over"
    assert str(game.outcome) == "player 1 won, scores 0 14"
    assert game.open_card == "CK"


@pytest.mark.parametrize("rank", VALUES)
def test_a_card_in_hand_counts_its_value(at: At, rank: str) -> None:
    for card in (card for card in CARDS if card[1] == rank and card[0] != "C"):
        game = at(f"await-play hands=CK/{card} discard=...,CN draw=CA")
        game.play("CK")
        assert game.outcome is not None
        assert game.outcome.scores == (0, VALUES[rank])


def test_each_player_counts_all_cards_left(at: At) -> None:
    game = at("await-play player=3 hands=HA,HQ/SS,SE,SN,ST,SJ,SQ,SK,SA/CK/DJ,HJ discard=...,CN draw=CA")
    game.play("CK")
    assert game.outcome is not None
    assert game.outcome.scores == (14, 7 + 8 + 9 + 10 + 20 + 3 + 4 + 11, 0, 40)
    assert game.outcome.winner == 3


@pytest.mark.parametrize("card", ["CS", "CE"])
@pytest.mark.parametrize("position", ["await-play {}{} discard=...,CN", "jack-binding suit=C {}{} discard=...,SJ"])
def test_the_action_of_the_last_card_is_not_carried_out(at: At, position: str, card: str) -> None:
    game = at(position.format("hands=", f"{card}/HA,HQ/DK") + " draw=SA")
    game.play(card)
    assert str(game.outcome) == "player 1 won, scores 0 14 4"
    assert game.hands == ((), ("HA", "HQ"), ("DK",))


def test_a_jack_as_last_card_doubles_all_scores(at: At) -> None:
    game = at("await-play hands=CJ/HA,HQ/DK,DJ discard=...,SN draw=SA")
    game.play("CJ")
    assert str(game.outcome) == "player 1 won, scores 0 28 48"


def test_a_jack_that_was_not_the_last_card_doubles_nothing(at: At) -> None:
    game = at("jack-binding player=2 suit=H hands=HQ/HA discard=...,CJ draw=SA")
    game.play("HA")
    assert str(game.outcome) == "player 2 won, scores 3 0"


def test_a_game_without_a_winner_doubles_nothing_under_a_jack(at: At) -> None:
    game = at("jack-binding suit=S hands=HK,DK/... discard=CJ draw=-")
    game.draw()
    game.abandon()
    assert game.outcome is not None
    assert game.outcome.scores[0] == 8


def test_the_game_is_over_and_nothing_may_be_done(at: At) -> None:
    game = at("await-play hands=CK/HA,HQ discard=...,CN draw=SA")
    game.play("CK")
    assert list(game.events()) == []
    for fire in (game.open, game.draw, game.take, game.turn_pile, game.pass_turn, game.skip, game.abandon, game.step):
        with pytest.raises(IllegalMove, match="the game is over: player 1 won, scores 0 14"):
            fire()
    with pytest.raises(IllegalMove, match="the game is over"):
        game.play("HA")


def test_a_running_game_has_no_outcome(at: At) -> None:
    assert at("await-play hands=CK/HA,HQ discard=...,CN draw=SA").outcome is None


def test_a_game_may_not_be_abandoned_while_it_can_go_on(at: At) -> None:
    for position in (
        "await-play hands=CK/HA,HQ discard=...,CN draw=SA",
        "jack-binding suit=C hands=CK/HA,HQ discard=...,SJ draw=SA",
        "penalty-pending due=2 hands=CK/HA,HQ discard=...,CS draw=SA",
    ):
        with pytest.raises(IllegalMove, match="this position was not there before"):
            at(position).abandon()
    with pytest.raises(IllegalMove, match="the piles can give a card"):
        at("drawing due=1 hands=CK/HA,HQ discard=...,CN draw=SA").abandon()


@pytest.fixture
def endless(corpus: list[tuple[str, list[str]]]) -> MauMau:
    """A game that was abandoned because its whole position came back."""
    game = MauMau.parse(next(line for line, (_, score) in corpus if score == "No score: endless"))
    game.run()
    return game


@pytest.mark.slow
def test_a_game_is_endless_when_its_whole_position_comes_back(endless: MauMau) -> None:
    last = endless.history[-1]
    assert (last.trigger, str(last.arc.description)[:18]) == ("abandon", "The whole position")
    assert str(endless.outcome) == "no winner: endless"
    endless.undo()
    back = MauMau.at(endless.position())
    seen = []
    while endless.history:
        endless.undo()
        seen.append(endless.position())
    assert sum(MauMau.at(position) == back for position in seen) == 1


def test_an_endless_game_taken_back_is_endless_again(endless: MauMau) -> None:
    endless.undo()
    assert endless.outcome is None
    assert endless.step().trigger == "abandon"
    for _ in range(30):
        endless.undo()
    assert str(endless.run().ending) == "endless"


def test_a_move_by_hand_may_lead_out_of_an_endless_game(endless: MauMau) -> None:
    endless.undo()
    move = next(iter(endless.events()))
    endless.fire(*move)
    assert endless.history[-1].trigger != "abandon"
    assert endless.step().trigger != "abandon"
