"""UNO, rule 10: how a game ends, and what the cards left count."""

from __future__ import annotations

import pytest
from short_positions import moves, refusal
from uno_games import at, turn

from rules.ending import Ending
from rules.uno.cards import UNO_CARDS, points


@pytest.mark.parametrize("last", ["R4", "RS", "RR", "WC"])
def test_the_last_card_ends_the_game(last: str) -> None:
    outcome = at(f"await-play hands={last}/B1,YS,WF discard=R3 draw=...").run()
    assert outcome == (Ending.WON, 1, (0, 71))


@pytest.mark.parametrize(("last", "drawn"), [("RD", "B7,B8"), ("WF", "B7,B8,WC,Y9")])
def test_the_penalty_of_the_last_card_is_drawn_and_counted(last: str, drawn: str) -> None:
    game = at(f"await-play hands={last}/B1/B2 discard=R3 draw={drawn},...")
    worth = sum(points(1 << UNO_CARDS.card(card)) for card in drawn.split(","))
    assert game.run() == (Ending.WON, 1, (0, 1 + worth, 2))


@pytest.mark.parametrize(("last", "left"), [("RD", ""), ("RD", "B7"), ("WF", ""), ("WF", "B7,B8,WC")])
def test_of_the_penalty_of_the_last_card_as_many_are_drawn_as_are_left(last: str, left: str) -> None:
    game = at(f"await-play hands=B2,YR/B1/{last} player=3 discard=...,R3 draw={left or '-'}")
    worth = sum(points(1 << UNO_CARDS.card(card)) for card in left.split(",") if card)
    assert game.run() == (Ending.WON, 3, (2 + 20, 1 + worth, 0))


def test_the_last_wild_names_no_colour() -> None:
    assert moves(at("await-play hands=WC/B1 discard=R3 draw=...")) == ["play WC"]
    assert "it names no colour" in refusal(at("await-play hands=WF/B1 discard=R3 draw=..."), "play", "WF", "R")


def test_a_turn_that_must_draw_from_an_empty_stock_ends_the_game_and_points_count() -> None:
    game = at("await-play hands=B5/B1 discard=...,R3 draw=-")
    assert game.run() == (Ending.OUT_OF_CARDS, None, (5, 1))


def test_a_penalty_that_finds_the_stock_empty_ends_the_game_and_drawn_cards_stay() -> None:
    game = at("await-play hands=RD,B5/B1/Y7 discard=...,R3 draw=B7")
    assert game.run() == (Ending.OUT_OF_CARDS, None, (5, 8, 7))
    assert game.uno_calls == (1, 0, 0)


def test_an_empty_stock_alone_ends_nothing() -> None:
    game = turn(at("await-play hands=RD,R5/R1/R7 discard=...,R3 draw=B7,B8"))
    assert (game.outcome, game.draw_pile, game.player) == (None, (), 3)
    assert turn(game).outcome == (Ending.WON, 3, (5, 16, 0))
