"""UNO, rule 4: which cards may be played."""

from __future__ import annotations

from short_positions import moves, refusal
from uno_games import at


def test_a_card_fits_by_colour_or_by_rank_and_a_wild_always() -> None:
    game = at("await-play hands=R5,G3,G5,YD,WC/B1 discard=R3 draw=...")
    assert moves(game) == ["play G3", "play R5", *(f"play WC naming {colour}" for colour in "YRGB")]


def test_two_equal_cards_are_one_move() -> None:
    assert moves(at("await-play hands=R5,R5,WF/B1 discard=R3 draw=...")) == ["play R5"]


def test_four_equal_wilds_are_one_move_for_each_colour() -> None:
    assert len(moves(at("await-play hands=WC,WC,WC,WC/B1 discard=R3 draw=..."))) == 4


def test_a_wild_draw_four_fits_only_if_nothing_else_does() -> None:
    assert moves(at("await-play hands=G5,WF/B1 discard=R3 draw=...")) == [f"play WF naming {c}" for c in "YRGB"]
    output = refusal(at("await-play hands=R5,WF/B1 discard=R3 draw=..."), "play", "WF", "R")
    assert output == (
        "player 1 cannot play WF on R3: WF must match the colour or the rank of R3, or be WC; "
        "WF needs that nothing else fits; may play R5"
    )


def test_a_wild_counts_as_legal_so_it_forbids_the_wild_draw_four() -> None:
    assert {move.card for move in at("await-play hands=G5,WF,WC/B1 discard=R3 draw=...").events()} == {"WC"}


def test_after_a_wild_only_the_named_colour_counts() -> None:
    game = at("colour-named colour=G hands=G5,R3,WF/B1 discard=R3,WC draw=...")
    assert moves(game) == ["play G5"]
    assert "R3 must be of the named colour G, or WC" in refusal(game, "play", "R3")


def test_after_a_wild_draw_four_another_one_fits_only_if_the_colour_is_missing() -> None:
    game = at("colour-named colour=G hands=B5,R3,WF,WC/B1 discard=R3,WF draw=...")
    assert {move.card for move in game.events()} == {"WC"}
