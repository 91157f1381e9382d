"""UNO, rule 7: which colour a wild names."""

from __future__ import annotations

import pytest
from short_positions import refusal
from uno_games import at, turn


@pytest.mark.parametrize(("wilds", "colour"), [(0, "R"), (1, "G"), (2, "B"), (3, "Y"), (4, "R")])
def test_each_player_names_red_green_blue_yellow_red(wilds: int, colour: str) -> None:
    dropped = "WC,WC,WC,WF,WF,WF,WF"
    game = at(f"await-play wilds={wilds}/{7 - wilds} hands=WC,B4/B1 discard={dropped},R3 draw=...")
    assert game.step().suit == colour
    assert game.named_colour == colour
    assert game.table.wilds[:2] == [wilds + 1, 7 - wilds]


def test_wilds_and_wild_draw_fours_are_counted_together() -> None:
    game = at("await-play hands=WC,WF,B4/Y1,Y2 discard=R3 draw=Y3,Y4,Y5,Y6,Y7,...")
    turn(turn(game))
    assert [step.suit for step in game.history if step.trigger == "play"] == ["R"]
    turn(game)
    assert [step.suit for step in game.history if step.trigger == "play"] == ["R", "G"]


def test_other_players_may_name_any_colour_and_must_name_one() -> None:
    game = at("await-play hands=WC,B4/B1 discard=R3 draw=...")
    assert "it must name a colour, one of Y, R, G, B" in refusal(game, "play", "WC")
    assert game.play("WC", "Y").suit == "Y"


def test_a_number_names_no_colour() -> None:
    assert "it names no colour" in refusal(at("await-play hands=R4,B4/B1 discard=R3 draw=..."), "play", "R4", "G")


def test_the_named_colour_ends_with_the_next_card() -> None:
    game = at("colour-named colour=G hands=G5,B4/B1 discard=R3,WC draw=...")
    game.play("G5")
    assert (str(game.phase), game.named_colour) == ("await-play", None)
