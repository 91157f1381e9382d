"""The eight: the next player is skipped."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fsm import IllegalMove, MauMau

At = Callable[[str], MauMau]


@pytest.mark.parametrize(
    ("others", "following"), [("HA", 1), ("HA/HQ", 3), ("HA/HQ/HT", 3)], ids=["two", "three", "four players"]
)
def test_an_eight_skips_the_next_player(at: At, others: str, following: int) -> None:
    game = at(f"await-play hands=CE,HK/{others} discard=...,CN draw=SA")
    game.play("CE")
    assert game == at(f"skip-pending player=2 hands=HK/{others} discard=...,CN,CE draw=SA")
    game.skip()
    assert game == at(f"await-play player={following} hands=HK/{others} discard=...,CN,CE draw=SA")


def test_the_skip_goes_around_the_table(at: At) -> None:
    game = at("await-play player=3 hands=HK/HA/CE,HQ discard=...,CN draw=SA")
    game.play("CE")
    game.skip()
    assert game == at("await-play player=2 hands=HK/HA/HQ discard=...,CN,CE draw=SA")


def test_the_skipped_player_may_do_nothing(at: At) -> None:
    game = at("skip-pending player=2 hands=HK/CA,HE discard=...,CE draw=SA")
    assert [str(move) for move in game.events()] == ["skip"]
    with pytest.raises(IllegalMove, match=r"player 2 cannot play HE on CE: .* which accepts skip; may skip"):
        game.play("HE")


def test_of_two_players_who_plays_an_eight_has_another_turn_and_again(at: At) -> None:
    game = at("await-play hands=CE,HE,DE,DK/HA discard=...,CN draw=SA")
    for card in ("CE", "HE", "DE"):
        game.play(card)
        game.skip()
        assert game.player == 1
    assert game == at("await-play hands=DK/HA discard=...,CN,CE,HE,DE draw=SA")


def test_after_skipping_the_eight_has_lost_its_effect(at: At) -> None:
    game = at("await-play hands=CK,HE/HA discard=...,CE draw=SA")
    game.play("CK")
    assert game == at("await-play player=2 hands=HE/HA discard=...,CE,CK draw=SA")


def test_the_last_eight_wins_and_skips_nobody(at: At) -> None:
    game = at("await-play hands=CE/HA discard=...,CN draw=SA")
    game.play("CE")
    assert str(game.phase) == "game-over"
    assert game.outcome == (1, 1, (0, 11))
