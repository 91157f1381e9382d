"""A position on one line: what it tells, what is hidden from a seat, and how each fault is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from all_games import GAMES, HOUSE_RULES

from fsm import Game, MauMau, Position, PositionError, Uno, UnoOfficial
from fsm.declaration.arcs import Invariant
from fsm.edge.errors import CompilationWarning
from fsm.games.maumau import MAUMAU
from fsm.stepping.position import parse_position
from fsm.table.layout import layout_of
from rules.rule import query

At = Callable[[str], MauMau]
POLICIES = ((), ("random",), ("first-legal",))
MAX_STEPS = 400
LINE = (
    "await-play player=2 due=0 penalty=0 drawn=- suit=- ending=- winner=- hands=SS,SN/HA,HQ "
    "discard=CN,HN draw=SA,CS,CE,CT,CJ,CQ,CK,CA,SE,ST,SJ,SQ,SK,HS,HE,HT,HJ,HK,DS,DE,DN,DT,DJ,DQ,DK,DA"
)


DRAW_PILE = LINE.rsplit(maxsplit=1)[-1]


def fault(line: str) -> str:
    """The message with which the line is refused."""
    with pytest.raises(PositionError) as caught:
        MauMau.at(line)
    return str(caught.value)


def test_a_position_round_trips() -> None:
    assert MauMau.at(LINE).position() == LINE
    assert str(parse_position(MAUMAU, LINE)) == LINE


def test_a_position_contains_all_that_lies_on_the_table() -> None:
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
        "initial hands=SS,HK,DQ,DK,DA,DT,DN/HA,HQ,CQ,CK,CA,CT,SN discard=CN draw=...",
        "await-play player=3 hands=SS,HK/HA,HQ/... discard=CN draw=-",
        "penalty-pending player=2 due=8 hands=ST,HK/HA,HQ discard=...,DS,SS,HS,CS draw=-",
        "skip-pending player=2 hands=SS,HK/HA,HQ discard=...,CE draw=SA",
        "jack-binding suit=H hands=SS,HK/HA,HQ discard=...,CJ draw=SA",
        "drawing due=3 penalty=1 drawn=HK hands=SS,HK/HA,HQ discard=...,DS,CS draw=SA",
        "reshuffle drawn=HK hands=SS,HK/HA,HQ discard=...,CN draw=-",
        "game-over player=2 ending=won winner=2 hands=SS,HK/- discard=...,CN draw=SA",
        "game-over ending=endless hands=SS,HK/HA,HQ discard=...,CN draw=SA",
        "game-over ending=out-of-cards due=1 hands=SS,HK/... discard=CN draw=-",
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
    assert "?" in parse_position(MAUMAU, view).cards
    assert fault(view) == "position: the cards called ? must be known before it can be stepped; name them"


# ------------------------------------------------------------------ faults of the line


@pytest.mark.parametrize("first", ["AWAIT_PLAY", "await_play"])
def test_an_unknown_phase_is_held_against_those_that_are_near(first: str) -> None:
    output = fault(LINE.replace("await-play", first, 1))
    assert output.startswith(f"position: unknown phase {first!r}; did you mean await-play? Use one of await-play, ")


@pytest.mark.parametrize("first", ["", "x"])
def test_an_unknown_phase(first: str) -> None:
    output = fault(LINE.replace("await-play", first, 1) if first else "")
    shown = repr(first)
    assert output.startswith(f"position: unknown phase {shown}; use one of initial, await-play, ")


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("await-play", "hands is missing"),
        (LINE.partition(" discard=")[0], "discard is missing"),
        (LINE + " due=0", "a field is written twice, in another place or without ="),
        (LINE.replace("due=0 penalty=0", "penalty=0 due=0"), "a field is written twice, in another place or without ="),
        (LINE.replace("due=0", "due"), "a field is written twice, in another place or without ="),
        (LINE + " more=1", "'more' is not a field"),
        (LINE.replace("winner=-", "loser=-"), "'loser' is not a field"),
    ],
    ids=["no fields", "no cards", "twice", "order", "no value", "one more", "unknown"],
)
def test_fields_that_are_not_as_expected(line: str, what: str) -> None:
    output = fault(line)
    assert output.startswith(f"position: {what}; write player=... due=... penalty=... drawn=... ")
    assert output.endswith("draw=... after the phase; a fact with its default may be left out")


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_facts_that_have_their_default_may_be_left_out(kind: type[Game]) -> None:
    game = kind.deal(kind.declaration.codec.fewest, seed=7)
    line, blank = game.position(), kind.declaration.table()
    facts = {fact.name: fact for fact in kind.declaration.codec.facts}
    blank.players = game.players
    kept = [
        part
        for part in line.split()
        if (name := part.partition("=")[0]) not in facts
        or part != f"{name}={layout_of(kind.declaration).text(facts[name], blank)}"
    ]
    assert len(kept) < len(line.split())
    assert kind.at(" ".join(kept)).position() == line


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("player=2", "player=3", "player='3'; use a number from 1 to 2"),
        ("player=2", "player=0", "player='0'; use a number from 1 to 2"),
        ("due=0", "due=two", "due='two'; use a number from 0 to 99"),
        ("due=0", "due=-1", "due='-1'; use a number from 0 to 99"),
        ("due=0", "due=100", "due='100'; use a number from 0 to 99"),
        ("drawn=-", "drawn=XX", "drawn: unknown card 'XX'; use one letter of DHSC and one of QKSENTAJ"),
        ("suit=-", "suit=X", "suit: unknown suit 'X'; use one of D, H, S, C"),
        ("ending=-", "ending=lost", "ending='lost'; use one of -, won, out-of-cards, endless"),
        ("winner=-", "winner=3", "winner='3'; use a number from 1 to 2"),
        ("SS,SN", "ss,SN", "hands: unknown card 'ss'; use upper case: SS"),
        ("SS,SN", "SS,,SN", "hands: unknown card ''"),
        ("CN,HN", "CN,10", "discard: unknown card '10'"),
        ("draw=SA", "draw=S", "draw: unknown card 'S'"),
        ("SS,SN", "SS", "SN missing; use all 32 cards"),
        (DRAW_PILE, "draw=-", "DQ, SQ, CQ, DK, HK, SK, CK, DS and 18 more missing; use all 32 cards"),
        ("SS,SN", "SS,SN,HA", "HA appears too often"),
        ("/HA,HQ", ",HA,HQ", "player='2'; use a number from 1 to 1"),
        ("SS,SN/HA,HQ", "SS/SN/HA/HQ/-", "hands of 5 players; use 2 to 4"),
    ],
)
def test_a_field_that_is_wrong(old: str, new: str, message: str) -> None:
    assert fault(LINE.replace(old, new, 1)).startswith(f"position: {message}")


def test_a_number_that_is_too_long() -> None:
    for long in ("0" * 20 + "999", "0" * 5000, "9" * 5000):
        assert "use a number from 0 to 99" in fault(LINE.replace("due=0", f"due={long}"))


def test_one_player_plays_no_game() -> None:
    line = LINE.replace("player=2", "player=1").replace("SS,SN/HA,HQ", "SS,SN,HA,HQ")
    assert fault(line) == "position: hands of 1 player; use 2 to 4"


def test_an_open_card_must_lie_there() -> None:
    line = LINE.replace("discard=CN,HN draw=", "discard=- draw=CN,HN,")
    assert fault(line) == "position: discard=-; give at least the open card"


# ------------------------------------------------------------------ facts that contradict the phase


@pytest.mark.parametrize(
    ("short", "message"),
    [
        ("await-play ending=won winner=1 hands=HK/HA discard=...,CN", "a game without an ending goes on"),
        ("game-over hands=HK/HA discard=...,CN", "a game that is over has an ending"),
        ("game-over ending=won hands=HK/HA discard=...,CN", "there is a winner exactly if the game was won"),
        (
            "game-over ending=endless winner=1 hands=HK/HA discard=...,CN",
            "there is a winner exactly if the game was won",
        ),
        ("await-play winner=1 hands=HK/HA discard=...,CN", "there is a winner exactly if the game was won"),
        ("penalty-pending due=2 hands=HK/HA discard=...,CN", "an active seven is open, two cards are due for each"),
        ("penalty-pending due=0 hands=HK/HA discard=...,CS", "an active seven is open, two cards are due for each"),
        ("penalty-pending due=3 hands=HK/HA discard=...,CS", "an active seven is open, two cards are due for each"),
        ("skip-pending hands=HK/HA discard=...,CN", "a player is skipped by an open eight"),
        ("await-play hands=HK/HA discard=...,CJ", "any fitting card is played on a card that is not a jack"),
        ("jack-binding hands=HK/HA discard=...,CN", "a suit is bound by an open jack"),
        ("await-play suit=H hands=HK/HA discard=...,CN", "any fitting card is played on a card that is not a jack"),
        ("await-play due=1 hands=HK/HA discard=...,CN", "where no seven is active no card is due"),
        ("skip-pending due=1 hands=HK/HA discard=...,CE", "where no seven is active no card is due"),
        ("await-play drawn=HK hands=HK/HA discard=...,CN", "a turn starts with nothing drawn"),
        ("await-play penalty=1 hands=HK/HA discard=...,CN", "a turn starts with nothing drawn"),
        ("drawing drawn=HA hands=HK/HA discard=...,CN", "one card is drawn, or as a penalty"),
        ("await-play hands=HK/- discard=...,CN", "while the game runs all hold cards"),
    ],
)
def test_a_position_that_cannot_be(at: At, short: str, message: str) -> None:
    phase = short.split(maxsplit=1)[0]
    with pytest.raises(PositionError, match=f"position: {phase}: no game comes to it; this must hold: {message}"):
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
        # the seven that is open was laid after another card: two are due
        "penalty-pending due=4 hands=HK/HA discard=...,CN,CS draw=SA",
        "penalty-pending due=8 hands=HK/HA discard=...,DS,SS,HS,CE,CS draw=SA",
        "drawing due=3 penalty=1 drawn=HK hands=HK,HA/DA discard=...,CN,CS draw=SA",
        "drawing due=2 penalty=1 drawn=HK hands=HK,HA/DA discard=...,CN,CS draw=SA",
        "game-over ending=won winner=1 due=2 hands=-/HA discard=...,CN,CS draw=SA",
        "game-over ending=won winner=1 due=2 hands=-/HA discard=...,CS,CN draw=SA",
        "game-over ending=endless due=4 hands=HK/HA discard=...,CN,CS draw=SA",
        # what is drawn for want of a card is one card, what is drawn as a penalty is drawn under a seven
        "drawing due=1 drawn=HK hands=HK,HA/DA discard=...,CN draw=SA",
        "drawing hands=HK,HA/DA discard=...,CN draw=SA",
        "drawing penalty=1 drawn=HK hands=HK,HA,DK/DA discard=...,CN draw=SA",
        "drawing penalty=1 due=2 hands=HK/HA discard=...,CN draw=SA",
        "drawing penalty=1 due=1 hands=HK/HA discard=...,CS draw=SA",
        "drawing penalty=1 drawn=HK hands=HK,HA/DA discard=...,CS draw=SA",
        "drawing drawn=HK hands=HK/HA discard=...,CN draw=SA",
        # the pile is turned when the last card was drawn; nobody who can play draws from no card
        "reshuffle hands=HK/HA discard=...,CN draw=-",
        "drawing drawn=HK hands=HK,HA/DA discard=...,CN draw=-",
        "drawing due=1 hands=CK,HA/... discard=CN draw=-",
        "drawing due=2 penalty=1 hands=DS,HA/... discard=CS draw=-",
        # a suit is bound by every jack but the opening card and the last one
        "jack-binding suit=- hands=HK/HA discard=...,CJ draw=SA",
        "drawing due=1 suit=- hands=HK/HA discard=...,CJ draw=SA",
        "drawing due=1 suit=H hands=HK/HA discard=...,CN draw=SA",
        "penalty-pending due=2 suit=H hands=HK/HA discard=...,CS draw=SA",
        "initial suit=H hands=SS,HK,DQ,DK,DA,DT,DN/HA,HQ,CQ,CK,CA,CT,SN discard=CJ draw=...",
        "game-over ending=won winner=1 suit=H hands=-/HA discard=...,CJ draw=SA",
        "game-over ending=endless suit=- hands=HK/HA discard=...,CJ draw=SA",
        # newly dealt
        "initial hands=SS,HK/HA,HQ discard=CN draw=...",
        "initial player=2 hands=SS,HK,DQ,DK,DA,DT,DN/HA,HQ,CQ,CK,CA,CT,SN discard=CN draw=...",
        "initial hands=SS,HK,DQ,DK,DA,DT,DN/HA,HQ,CQ,CK,CA,CT,SN discard=CA,CN draw=...",
        # an ending
        "game-over ending=won winner=2 hands=HA/- discard=...,CN draw=SA",
        "game-over ending=won winner=1 hands=-/HA discard=CN draw=...",
        "game-over ending=won winner=1 penalty=1 hands=-/HA discard=...,CN draw=SA",
        "game-over ending=out-of-cards due=2 hands=SS,HK/... discard=CN draw=-",
        "game-over ending=out-of-cards due=1 hands=SS,HK/HA discard=...,CN draw=-",
        "game-over ending=out-of-cards due=1 hands=CK,HK/... discard=CN draw=-",
        "game-over ending=endless drawn=HK hands=HK,DK/HA discard=...,CN draw=SA",
        "game-over ending=endless due=1 hands=HK,DK/HA discard=...,CN draw=SA",
        "game-over ending=endless hands=HK,DK/- discard=...,CN draw=SA",
    ],
)
def test_a_position_that_no_game_comes_to(at: At, short: str) -> None:
    with pytest.raises(PositionError):
        at(short)


@pytest.mark.parametrize(
    "short",
    [
        # the pile was turned in this turn: the sevens under the open one are the last cards of the draw pile
        "drawing due=3 penalty=1 drawn=HK hands=HK,HA/... discard=CS draw=CN,DS",
        # and they may have been drawn already
        "drawing due=1 penalty=1 drawn=DS hands=HK,HA,DS/... discard=CS draw=-",
        "drawing due=4 penalty=1 hands=HK,HA/... discard=CS draw=CN,DS",
        # a seven that was answered by drawing lies under one that is active
        "penalty-pending due=2 hands=HK/HA discard=...,DS,CS draw=SA",
        # the draw pile ran out with nothing to turn
        "await-play hands=HK,HA/... discard=CN,CS draw=-",
        "drawing due=1 hands=HK,HA/... discard=CS,CN draw=-",
        "game-over ending=won winner=1 due=2 hands=-/HA discard=...,DS,CS draw=SA",
        "game-over ending=won winner=1 hands=-/HA discard=...,CN,CJ draw=SA",
        "game-over ending=out-of-cards penalty=1 due=1 drawn=DS hands=HK,DS/... discard=CS draw=-",
    ],
)
def test_a_position_that_looks_odd_and_is_none_the_less_reached(at: At, short: str) -> None:
    game = at(short)
    assert MauMau.at(game.position()) == game


@pytest.mark.parametrize("kind", [MauMau, Uno])
def test_somebody_is_in_turn(kind: type[Game]) -> None:
    with pytest.raises(PositionError, match="player='-'; use a number from 1 to 2"):
        kind.at(kind.deal(2, 7).position().replace("player=1", "player=-"))


# ------------------------------------------------------------------ what games come to is accepted


def round_trips(kind: type[Game], games: int, seed: int) -> None:
    """Every position of some games, of players of all kinds, can be set up again and stays the same."""
    words = kind.declaration.codec
    for number in range(games):
        row, place = divmod(number, words.most - words.fewest + 1)
        game = kind.deal(words.fewest + place, seed, number, POLICIES[(number + row) % len(POLICIES)])
        while game.outcome is None and len(game.history) < MAX_STEPS:
            game.step()
            assert kind.at(game.position()) == game
            assert kind.at(game.position()).position() == game.position()


@pytest.mark.slow
@pytest.mark.parametrize("kind", GAMES)
@pytest.mark.parametrize(
    ("games", "seed"), [(9, 31), *(pytest.param(300, seed, marks=pytest.mark.thorough) for seed in range(3))]
)
def test_all_positions_of_games_are_accepted(kind: type[Game], games: int, seed: int) -> None:
    round_trips(kind, games, seed)


@pytest.mark.slow
@pytest.mark.parametrize("rule", HOUSE_RULES)
@pytest.mark.parametrize(("games", "seed"), [(3, 31), pytest.param(100, 7, marks=pytest.mark.thorough)])
def test_all_positions_of_games_with_a_house_rule_are_accepted(rule: str, games: int, seed: int) -> None:
    round_trips(MauMau.with_rules(rule), games, seed)


@query
def every_player_has_some_due(table: Any) -> bool:
    return all(cards // table.due for cards in table.hands)


def test_an_invariant_that_fails_refuses_the_position() -> None:
    with pytest.warns(CompilationWarning, match="GeneratorExp is not known there"):
        broken = replace(MAUMAU, invariants=(*MAUMAU.invariants, Invariant("some are due", every_player_has_some_due)))
    with pytest.raises(
        PositionError, match="await-play: no game comes to it, because its invariants fail: ZeroDivisionError"
    ):
        type("Broken", (Game,), {}, declaration=broken).at(LINE)


def test_a_drawn_card_is_one_of_several_of_its_name() -> None:
    """Whichever of the four wilds was drawn: the fact names the one in the hand of who has drawn it."""
    game = UnoOfficial.deal(2, seed=5, number=0)
    while str(game.phase) != "drawing" or "drawn=WC" not in game.position():
        game.step()
    again = UnoOfficial.at(game.position())
    assert again == game
    again.run()


def test_a_position_is_small_data() -> None:
    position = parse_position(MAUMAU, LINE)
    assert isinstance(position, Position)
    assert position == parse_position(MAUMAU, str(position))
    assert hash(position) == hash(parse_position(MAUMAU, str(position)))
    assert position.canonical() == parse_position(MAUMAU, LINE.replace("SS,SN", "SN,SS")).canonical()
