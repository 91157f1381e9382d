"""UNO, rule 8: the effects of skip, reverse, draw two and wild draw four."""

from __future__ import annotations

from short_positions import moves
from uno_games import at, turn


def test_a_skip_costs_the_next_player_the_turn() -> None:
    assert turn(at("await-play hands=RS,B4/B1/B2 discard=R3 draw=...")).player == 3


def test_a_reverse_turns_the_direction() -> None:
    game = turn(at("await-play hands=RR,B4/B1/B2 discard=R3 draw=..."))
    assert (game.player, game.direction) == (3, -1)
    game = turn(at("await-play hands=RR,B4/B1/B2 discard=RR,R3 draw=..."))
    assert (game.player, game.direction) == (2, 1)


def test_counter_clockwise_a_skip_skips_the_seat_before() -> None:
    assert turn(at("await-play hands=RS,B4/B1/B2 discard=RR,R3 draw=...")).player == 2


def test_a_reverse_of_two_players_lets_the_other_one_move() -> None:
    assert turn(at("await-play hands=RR,B4/B1 discard=R3 draw=...")).player == 2


def test_a_draw_two_makes_the_next_player_draw_two_and_lose_the_turn_without_an_answer() -> None:
    game = at("await-play hands=RD,B4/GD,WF/B2 discard=R3 draw=Y1,Y2,...")
    game.step()
    assert moves(game) == ["draw"]
    turn(game)
    assert (game.player, game.hands[1]) == (3, ("GD", "WF", "Y1", "Y2"))


def test_a_wild_draw_four_makes_the_next_player_draw_four_and_lose_the_turn() -> None:
    game = turn(at("await-play hands=WF,B4/R1/B2 discard=R3 draw=Y1,Y2,Y3,Y4,..."))
    assert (str(game.phase), game.named_colour, game.player) == ("colour-named", "R", 3)
    assert game.hands[1] == ("R1", "Y1", "Y2", "Y3", "Y4")
