"""The decision rules 1 to 6: what a player of the house does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fsm import MauMau
from fsm.declaration.arcs import NO_CHOICE

At = Callable[[str], MauMau]
Decision = tuple[str, str | None, str | None, str | None]


def decision(game: MauMau) -> Decision:
    """What the player in turn does: the event, the card, the named suit and the decision rule."""
    step = game.step()
    return step.trigger, step.card, step.suit, step.rule


# ------------------------------------------------------------------ rule 1


def test_rule_1_a_seven_answers_a_seven(at: At) -> None:
    assert decision(at("penalty-pending due=2 hands=CK,HS/HA,HQ discard=...,CS draw=SA")) == (
        "play",
        "HS",
        None,
        "rule 1",
    )


def test_rule_1_the_strongest_seven_by_rule_6(at: At) -> None:
    game = at("penalty-pending due=2 hands=DS,SS,HS/HA,HQ discard=...,CS draw=SA")
    assert decision(game) == ("play", "SS", None, "rule 1")


def test_rule_1_without_a_seven_the_penalty_is_drawn(at: At) -> None:
    game = at("penalty-pending due=2 hands=CK,CJ/HA,HQ discard=...,CS draw=SA,SK")
    assert decision(game) == ("draw", None, None, NO_CHOICE)


def test_rule_1_comes_before_rule_4(at: At) -> None:
    game = at("penalty-pending due=2 hands=CJ,HS/HA discard=...,CS draw=SA,SK")
    assert decision(game) == ("play", "HS", None, "rule 1")
    game = at("penalty-pending due=2 hands=CJ,HK/HA discard=...,CS draw=SA,SK")
    assert decision(game) == ("draw", None, None, NO_CHOICE)


# ------------------------------------------------------------------ rules 2 and 6


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("CA,CT,CE,CS,CK,CQ", "CA"),
        ("CT,CE,CS,CK,CQ", "CT"),
        ("CE,CS,CK,CQ", "CE"),
        ("CS,CK,CQ", "CS"),
        ("CK,CQ", "CK"),
        ("CQ,HA", "CQ"),
        ("CE,HN,CS", "HN"),
    ],
)
def test_rule_2_the_fitting_card_of_the_highest_value(at: At, hand: str, card: str) -> None:
    assert decision(at(f"await-play hands={hand}/DA,DQ discard=...,CN draw=DK")) == ("play", card, None, "rule 2")


def test_rule_2_another_card_before_a_jack(at: At) -> None:
    game = at("await-play hands=CJ,CQ,SJ/DA,DQ discard=...,CN draw=DK")
    assert decision(game) == ("play", "CQ", None, "rule 2")


@pytest.mark.parametrize(("hand", "card"), [("DN,HN,SN", "SN"), ("DN,HN", "HN"), ("CE,DN,HN", "HN")])
def test_rule_6_the_strongest_suit_among_equal_values(at: At, hand: str, card: str) -> None:
    assert decision(at(f"await-play hands={hand}/DA,DQ discard=...,CN draw=DK")) == ("play", card, None, "rule 2")


def test_rule_6_clubs_are_the_strongest(at: At) -> None:
    game = at("await-play hands=DN,CN,HN/DA,DQ discard=...,SN draw=DK")
    assert decision(game) == ("play", "CN", None, "rule 2")


def test_rule_2_the_highest_card_of_the_bound_suit(at: At) -> None:
    game = at("jack-binding suit=H hands=HE,HT,CA,CJ/DA,DQ discard=...,SJ draw=DK")
    assert decision(game) == ("play", "HT", None, "rule 2")


def test_rules_2_and_6_under_an_opening_jack(at: At) -> None:
    game = at("jack-binding suit=- hands=HA,HT,SA,CJ/DA,DQ discard=SJ draw=...")
    assert decision(game) == ("play", "SA", None, "rule 2")


def test_without_a_fitting_card_one_is_drawn(at: At) -> None:
    game = at("await-play hands=HE,HT/DA,DQ discard=...,CN draw=DK")
    assert decision(game) == ("draw", None, None, NO_CHOICE)
    game = at("jack-binding suit=C hands=HE,HT,CJ/DA,DQ discard=...,SJ draw=DK")
    assert decision(game) == ("draw", None, None, NO_CHOICE)


def test_rule_2_a_drawn_card_that_fits_is_played(at: At) -> None:
    game = at("drawing drawn=CK hands=HE,CK/DA,DQ discard=...,CN draw=DK")
    assert decision(game) == ("play", "CK", None, "rule 2")


def test_a_drawn_card_that_does_not_fit_ends_the_turn(at: At) -> None:
    game = at("drawing drawn=SK hands=HE,SK/DA,DQ discard=...,CN draw=DK")
    assert decision(game) == ("pass_turn", None, None, NO_CHOICE)


# ------------------------------------------------------------------ rules 3 and 5


def test_rule_3_a_jack_when_nothing_else_fits(at: At) -> None:
    game = at("await-play hands=DJ,HK/DA,DQ discard=...,CN draw=DK")
    assert decision(game) == ("play", "DJ", "H", "rule 3")


def test_rule_3_the_strongest_jack_by_rule_6(at: At) -> None:
    game = at("await-play hands=DJ,SJ,HJ,HK/DA,DQ discard=...,CN draw=DK")
    assert decision(game) == ("play", "SJ", "H", "rule 3")


def test_rule_3_a_drawn_jack_is_played(at: At) -> None:
    game = at("drawing drawn=DJ hands=HK,DJ/DA,DQ discard=...,CN draw=DK")
    assert decision(game) == ("play", "DJ", "H", "rule 3")


def test_a_jack_as_last_card_names_no_suit(at: At) -> None:
    assert decision(at("await-play hands=DJ/DA,DQ discard=...,CN draw=DK")) == ("play", "DJ", None, "rule 3")


@pytest.mark.parametrize(
    ("left", "suit"),
    [
        ("HK,HT,SA", "H"),
        ("DK,DA,SA,HT", "D"),
        ("DK,HK", "H"),
        ("DK,HK,SK", "S"),
        ("DK,DA,SK,SA,HT", "S"),
        ("DK,DA,HK,HA", "H"),
    ],
    ids=["hearts", "diamonds", "tie H", "tie S", "tie of two S", "tie of two H"],
)
def test_rule_5_the_suit_of_most_cards_the_strongest_of_a_tie(at: At, left: str, suit: str) -> None:
    game = at(f"await-play hands=CJ,{left}/DQ,HQ discard=...,CN draw=SQ")
    assert decision(game) == ("play", "CJ", suit, "rule 3")


def test_rule_5_jacks_are_not_counted_neither_the_laid_one_nor_others(at: At) -> None:
    game = at("await-play hands=SJ,HJ,SK,DK,DA/DQ,HQ discard=...,CN draw=SQ")
    assert decision(game) == ("play", "SJ", "D", "rule 3")
    game = at("await-play hands=SJ,HJ,HK,DK/DQ,HQ discard=...,CN draw=SQ")
    assert decision(game) == ("play", "SJ", "H", "rule 3")


def test_rule_5_with_nothing_but_jacks_left_clubs(at: At) -> None:
    game = at("await-play hands=HJ,DJ/DQ,HQ discard=...,SN draw=SQ")
    assert decision(game) == ("play", "HJ", "C", "rule 3")


def test_rule_5_counts_the_cards_that_were_there_before_a_drawn_jack(at: At) -> None:
    game = at("drawing drawn=CJ hands=HK,DK,DA,CJ/DQ,HQ discard=...,SN draw=SQ")
    assert decision(game) == ("play", "CJ", "D", "rule 3")


# ------------------------------------------------------------------ rule 4


def test_rule_4_a_jack_goes_first_when_the_next_player_has_one_card_left(at: At) -> None:
    game = at("await-play hands=HJ,CA,DK/DQ/HQ,HK discard=...,CN draw=SQ")
    assert decision(game) == ("play", "HJ", "C", "rule 4")


def test_rule_4_the_strongest_jack_by_rule_6(at: At) -> None:
    game = at("await-play hands=HJ,CA,SJ/DQ discard=...,CN draw=SQ")
    assert decision(game) == ("play", "SJ", "C", "rule 4")


def test_rule_4_looks_at_nobody_but_the_seat_after_the_player_in_turn(at: At) -> None:
    for player, hands in ((1, "HJ,CA/DQ,DK/HQ"), (3, "HQ,DA/DQ/CA,HJ"), (2, "DQ/CA,HJ/HQ,DA/DK")):
        game = at(f"await-play player={player} hands={hands} discard=...,CN draw=SQ")
        assert decision(game) == ("play", "CA", None, "rule 2")
    game = at("await-play player=3 hands=DQ/HQ,DA/CA,HJ discard=...,CN draw=SQ")
    assert decision(game) == ("play", "HJ", "C", "rule 4")


def test_rule_4_with_two_players_also_after_an_own_eight_that_skipped_the_seat(at: At) -> None:
    game = at("await-play hands=CE,HJ,DK,CA/DQ discard=...,HE draw=SQ")
    assert decision(game) == ("play", "HJ", "C", "rule 4")
    game = at("await-play hands=CE,HJ,CA/DQ,HQ discard=...,HE draw=SQ")
    game.play("CE")
    game.skip()
    assert decision(game) == ("play", "CA", None, "rule 2")
    game = at("await-play hands=CE,HJ,CA/DQ discard=...,HE draw=SQ")
    game.play("CE")
    game.skip()
    assert decision(game) == ("play", "HJ", "C", "rule 4")


def test_rule_4_cannot_lay_a_jack_on_a_jack(at: At) -> None:
    game = at("jack-binding suit=C hands=HJ,CA,CK/DQ discard=...,SJ draw=SQ")
    assert decision(game) == ("play", "CA", None, "rule 2")


def test_rule_4_holds_for_a_drawn_jack(at: At) -> None:
    game = at("drawing drawn=HJ hands=DK,HJ/DQ discard=...,CN draw=SQ")
    assert decision(game) == ("play", "HJ", "D", "rule 4")
