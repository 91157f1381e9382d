"""A position on one line: what it tells, what is hidden from a seat, and how each fault is told."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fsm import MauMau, Position, PositionError
from fsm.maumau import MAUMAU
from fsm.stepping.position import parse_position

At = Callable[[str], MauMau]
LINE = (
    "await-play player=2 due=0 penalty=0 drawn=- suit=- ending=- winner=- hands=SS,SN/HA,HQ "
    "discard=CN,HN draw=SA,CS,CE,CT,CJ,CQ,CK,CA,SE,ST,SJ,SQ,SK,HS,HE,HT,HJ,HK,DS,DE,DN,DT,DJ,DQ,DK,DA"
)


def fault(line: str) -> str:
    """The message with which the line is refused."""
    with pytest.raises(PositionError) as caught:
        MauMau.at(line)
    return str(caught.value)


def test_a_position_round_trips() -> None:
    assert MauMau.at(LINE).position() == LINE
    assert str(parse_position(MAUMAU, LINE)) == LINE


def test_a_position_tells_all_that_lies_on_the_table() -> None:
    game = MauMau.at(LINE)
    assert (str(game.phase), game.player, game.players, game.open_card) == ("await-play", 2, 2, "HN")
    assert game.hands == (("SS", "SN"), ("HA", "HQ"))
    assert game.discard_pile == ("CN", "HN")
    assert game.draw_pile[:3] == ("SA", "CS", "CE")
    assert game.history == []


def test_a_game_may_start_at_a_parsed_position() -> None:
    assert MauMau.at(parse_position(MAUMAU, LINE)) == MauMau.at(LINE)


def test_the_order_of_a_hand_is_kept_and_changes_no_game() -> None:
    turned = LINE.replace("SS,SN", "SN,SS")
    assert MauMau.at(turned).position() == turned
    assert MauMau.at(turned) == MauMau.at(LINE)


@pytest.mark.parametrize(
    "short",
    [
        "initial hands=SS,HK/HA,HQ discard=CN draw=...",
        "await-play player=3 hands=SS,HK/HA,HQ/... discard=CN draw=-",
        "penalty-pending player=2 due=8 hands=SS,HK/HA,HQ discard=...,CS draw=-",
        "skip-pending player=2 hands=SS,HK/HA,HQ discard=...,CE draw=SA",
        "jack-binding suit=H hands=SS,HK/HA,HQ discard=...,CJ draw=SA",
        "drawing due=3 penalty=1 drawn=HK hands=SS,HK/HA,HQ discard=...,CS draw=SA",
        "reshuffle drawn=HK hands=SS,HK/HA,HQ discard=...,CN draw=-",
        "game-over ending=won winner=2 hands=SS,HK/- discard=...,CN draw=SA",
        "game-over ending=endless hands=SS,HK/HA,HQ discard=...,CN draw=SA",
        "game-over ending=out-of-cards due=2 hands=SS,HK/... discard=CN draw=-",
    ],
)
def test_a_position_of_every_phase_round_trips(at: At, short: str) -> None:
    game = at(short)
    assert MauMau.at(game.position()).position() == game.position()


# ------------------------------------------------------------------ what a seat sees


def test_a_seat_sees_its_own_hand_and_the_discard_pile(at: At) -> None:
    game = at("await-play hands=SS,HK/HA,HQ,HT/DA discard=...,CN draw=SA,SK")
    view = parse_position(MAUMAU, game.position(seen_by=2))
    assert view.hands == (("?", "?"), ("HA", "HQ", "HT"), ("?",))
    assert view.discard == game.discard_pile
    assert view.draw == ("?", "?")


def test_a_drawn_card_is_hidden_from_the_others(at: At) -> None:
    game = at("drawing player=2 drawn=HK hands=SS/HA,HK discard=...,CN draw=SA,SK")
    assert "drawn=HK" in game.position(seen_by=2)
    assert "drawn=?" in game.position(seen_by=1)
    assert "HK" not in game.position(seen_by=1)


def test_a_view_is_no_game(at: At) -> None:
    view = at("await-play hands=SS,HK/HA,HQ discard=...,CN draw=SA,SK").position(seen_by=1)
    assert not parse_position(MAUMAU, view).is_whole
    assert fault(view) == "position: the cards called ? must be known before it can be stepped"


@pytest.mark.parametrize("seat", [-1, 0, 3, 99])
def test_nobody_sees_from_a_seat_that_is_not_there(seat: int) -> None:
    with pytest.raises(ValueError, match="expected"):
        MauMau.at(LINE).position(seen_by=seat)


# ------------------------------------------------------------------ faults of the line


@pytest.mark.parametrize("first", ["", "x", "AWAIT_PLAY", "await_play"])
def test_an_unknown_phase(first: str) -> None:
    told = fault(LINE.replace("await-play", first, 1) if first else "")
    shown = repr(first)
    assert told.startswith(f"position: unknown phase {shown}, expected one of initial, await-play, ")


@pytest.mark.parametrize(
    "line",
    [
        "await-play",
        LINE.replace(" due=0", ""),
        LINE.replace("due=0 penalty=0", "penalty=0 due=0"),
        LINE.replace("due=0", "due"),
        LINE + " more=1",
        LINE.replace("winner=-", "loser=-"),
    ],
    ids=["no fields", "missing", "order", "no value", "one more", "unknown"],
)
def test_fields_that_are_not_as_expected(line: str) -> None:
    told = fault(line)
    assert told.startswith("position: fields after the phase must be player=... due=... penalty=... drawn=... ")
    assert told.endswith("hands=... discard=... draw=...")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("player=2", "player=3", "player='3', expected a number from 1 to 2"),
        ("player=2", "player=0", "player='0', expected a number from 1 to 2"),
        ("due=0", "due=two", "due='two', expected a number from 0 to 99"),
        ("due=0", "due=-1", "due='-1', expected a number from 0 to 99"),
        ("due=0", "due=100", "due='100', expected a number from 0 to 99"),
        ("drawn=-", "drawn=XX", "drawn: unknown card 'XX', expected one letter of DHSC and one of QKSENTAJ"),
        ("suit=-", "suit=X", "suit: unknown suit 'X', expected one of D, H, S, C"),
        ("ending=-", "ending=lost", "ending='lost', expected one of -, won, out-of-cards, endless"),
        ("winner=-", "winner=3", "winner='3', expected a number from 1 to 2"),
        ("SS,SN", "ss,SN", "hands: unknown card 'ss', expected upper case: SS"),
        ("SS,SN", "SS,,SN", "hands: unknown card ''"),
        ("CN,HN", "CN,10", "discard: unknown card '10'"),
        ("draw=SA", "draw=S", "draw: unknown card 'S'"),
        ("SS,SN", "SS", "SN missing, expected all 32 cards"),
        ("SS,SN", "SS,SN,HA", "HA is there too often"),
        ("/HA,HQ", ",HA,HQ", "player='2', expected a number from 1 to 1"),
        ("SS,SN/HA,HQ", "SS/SN/HA/HQ/-", "hands of 5 players, expected 2 to 4"),
    ],
)
def test_a_field_that_is_wrong(old: str, new: str, told: str) -> None:
    assert fault(LINE.replace(old, new, 1)).startswith(f"position: {told}")


def test_a_number_that_is_too_long() -> None:
    for long in ("0" * 20 + "999", "0" * 5000, "9" * 5000):
        assert "expected a number from 0 to 99" in fault(LINE.replace("due=0", f"due={long}"))


def test_one_player_plays_no_game() -> None:
    line = LINE.replace("player=2", "player=1").replace("SS,SN/HA,HQ", "SS,SN,HA,HQ")
    assert fault(line) == "position: hands of 1 players, expected 2 to 4"


def test_an_open_card_must_lie_there() -> None:
    line = LINE.replace("discard=CN,HN draw=", "discard=- draw=CN,HN,")
    assert fault(line) == "position: discard=-, expected at least the open card"


# ------------------------------------------------------------------ facts that contradict the phase


@pytest.mark.parametrize(
    ("short", "told"),
    [
        ("await-play ending=won winner=1 hands=HK/HA discard=...,CN", "an ending is expected when the game is over"),
        ("game-over hands=HK/HA discard=...,CN", "an ending is expected when the game is over"),
        ("game-over ending=won hands=HK/HA discard=...,CN", "a winner is expected when the game was won"),
        ("game-over ending=endless winner=1 hands=HK/HA discard=...,CN", "a winner is expected when the game was won"),
        ("await-play winner=1 hands=HK/HA discard=...,CN", "a winner is expected when the game was won"),
        ("penalty-pending due=2 hands=HK/HA discard=...,CN", "expected an open seven and 2, 4, 6 or 8 cards due"),
        ("penalty-pending due=0 hands=HK/HA discard=...,CS", "expected an open seven and 2, 4, 6 or 8 cards due"),
        ("penalty-pending due=3 hands=HK/HA discard=...,CS", "expected an open seven and 2, 4, 6 or 8 cards due"),
        ("skip-pending hands=HK/HA discard=...,CN", "expected an open eight"),
        ("await-play hands=HK/HA discard=...,CJ", "await-play has no open jack, jack-binding has one"),
        ("jack-binding hands=HK/HA discard=...,CN", "await-play has no open jack, jack-binding has one"),
        ("await-play suit=H hands=HK/HA discard=...,CN", "a suit is bound, expected an open jack"),
        ("await-play due=1 hands=HK/HA discard=...,CN", "due=1, expected 0"),
        ("skip-pending due=1 hands=HK/HA discard=...,CE", "due=1, expected 0"),
        ("await-play drawn=HK hands=HK/HA discard=...,CN", "a turn starts here, expected drawn=- and penalty=0"),
        ("await-play penalty=1 hands=HK/HA discard=...,CN", "a turn starts here, expected drawn=- and penalty=0"),
        ("drawing drawn=HA hands=HK/HA discard=...,CN", "the drawn card is not in the hand of the player in turn"),
        ("await-play hands=HK/- discard=...,CN", "an empty hand, expected at least one card each"),
    ],
)
def test_a_position_that_cannot_be(at: At, short: str, told: str) -> None:
    phase = short.split(maxsplit=1)[0]
    with pytest.raises(PositionError, match=f"position: {phase}: {told}"):
        at(f"{short} draw=SA")


@pytest.mark.parametrize(
    "short",
    [
        "drawing penalty=2 due=1 hands=HK/HA discard=...,CN draw=SA",
        "drawing due=99 penalty=1 hands=HK/HA discard=...,CS draw=SA",
        "drawing due=3 hands=HK/HA discard=...,CN draw=SA",
        "reshuffle drawn=HK hands=HK/HA discard=...,CN draw=SA",
        "game-over ending=won winner=1 hands=HK/HA discard=...,CN draw=SA",
        "initial hands=HK/HA discard=...,CN draw=SA",
        "initial drawn=HK hands=HK/HA discard=CN draw=...",
    ],
)
def test_a_position_that_no_game_comes_to(at: At, short: str) -> None:
    with pytest.raises(PositionError):
        at(short)


def test_a_position_is_small_data() -> None:
    position = parse_position(MAUMAU, LINE)
    assert isinstance(position, Position)
    assert position == parse_position(MAUMAU, str(position))
    assert hash(position) == hash(parse_position(MAUMAU, str(position)))
    assert position.canonical() == parse_position(MAUMAU, LINE.replace("SS,SN", "SN,SS")).canonical()
