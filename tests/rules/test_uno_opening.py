"""UNO, rule 3: what the opening card does."""

from __future__ import annotations

from uno_games import deck, turn

from fsm.games.uno.game import Uno


def test_after_an_exposed_number_player_2_is_in_turn() -> None:
    game = turn(Uno.parse(deck(4, "G3")))
    assert (str(game.phase), game.player, game.direction) == ("await-play", 2, 1)


def test_an_exposed_reverse_turns_the_direction_and_the_last_player_is_in_turn() -> None:
    game = turn(Uno.parse(deck(4, "GR")))
    assert (str(game.phase), game.player, game.direction) == ("await-play", 4, -1)


def test_an_exposed_reverse_of_two_players_leaves_player_2_in_turn() -> None:
    assert turn(Uno.parse(deck(2, "GR"))).player == 2


def test_an_exposed_skip_costs_player_2_the_turn() -> None:
    assert turn(Uno.parse(deck(4, "GS"))).player == 3


def test_an_exposed_draw_two_makes_player_2_draw_two_and_lose_the_turn() -> None:
    game = turn(Uno.parse(deck(4, "GD", "Y8", "Y9")))
    assert (game.player, game.hands[1][7:], game.due) == (3, ("Y8", "Y9"), 0)
