"""UNO, rules 5 and 6: which card is played, and when a card is drawn instead."""

from __future__ import annotations

import pytest
from short_positions import refusal
from uno_games import at, turn


def test_who_can_drop_must_not_draw() -> None:
    output = refusal(at("await-play hands=R5,G9/B1 discard=R3 draw=..."), "draw")
    assert output.startswith("player 1 cannot draw: not while a card of the player in turn fits the open card")


@pytest.mark.parametrize(
    ("hand", "dropped"),
    [
        ("R1,R9,R4", "R9"),
        ("R9,RS,RD,RR", "RD"),
        ("R9,G3,B3,Y3", "R9"),
        ("R2,G3,B3,Y3", "B3"),
        ("RD,WC,WF", "WC"),
        ("B9,WF", "WF"),
    ],
)
def test_most_points_are_dropped_first_then_the_first_in_the_alphabet(hand: str, dropped: str) -> None:
    step = at(f"await-play hands={hand},B4/B1 discard=R3 draw=...").step()
    assert (step.card, step.rule) == (dropped, "most points")


def test_who_cannot_drop_draws_one_card_and_does_not_play_it() -> None:
    game = turn(at("await-play hands=B5/B1 discard=R3 draw=R9,..."))
    assert (game.player, game.hands[0], game.open_card) == (2, ("B5", "R9"), "R3")


def test_under_a_named_colour_drawing_lets_the_colour_hold_on() -> None:
    game = turn(at("colour-named colour=Y hands=B5/B1 discard=R3,WC draw=Y9,..."))
    assert (str(game.phase), game.player, game.named_colour) == ("colour-named", 2, "Y")
    assert "not while a card of the player in turn fits the named colour" in refusal(
        at("colour-named colour=Y hands=Y5/B1 discard=R3,WC draw=..."), "draw"
    )


def test_one_of_two_copies_leaves_the_other_in_the_hand() -> None:
    game = at("await-play hands=R5,R5/B1 discard=R3 draw=...")
    game.play("R5")
    assert game.hands[0] == ("R5",)
    assert game.uno_calls == (1, 0)
