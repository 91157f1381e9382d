"""Games that do not end are given up, however they are played, with an error that names the first of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from bulk_fixtures import COUNTDOWN, LAZY, Counting, Heap, ways
from waiting import COMPARED, ONLY_WAITING, WAITING

from fsm import Control, Game, Move, Offer, View, game_of, register
from fsm.declaration.endless import LongGameError
from fsm.match.played import PlayedGame
from fsm.records import record_of, replay
from maumau.kernels import bulk
from maumau.kernels.bulk.lanes import MIN_GAMES
from maumau.kernels.compiler.source import FIRST_ROOM
from rules.ending import Ending
from rules.rule import query

PATIENT, MIXED, RANDOM = ("patient",), ("patient", "hasty"), ("random",)
all_games = pytest.mark.parametrize(
    "game", WAITING, ids=["not compared", "compared, but it does not matter", "never returning", "only waiting"]
)
GIVEN_UP = "waiting: game 5 has not ended after 1,000,000 events; use rules and policies by which every game ends"


@all_games
def test_a_stepped_game_is_given_up(game: type[Game], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fsm.stepping.stepped.LONGEST", 1000)
    with pytest.raises(LongGameError, match="waiting: game 5 has not ended after"):
        game.deal(2, 7, 5, PATIENT).run()


@pytest.mark.slow
@all_games
@pytest.mark.parametrize("log", [False, True])
def test_a_compiled_game_is_given_up(game: type[Game], log: bool) -> None:
    with pytest.raises(LongGameError) as given:
        bulk.play_dealt(2, 2, 7, 5, PATIENT, game=game, log=log, threads=1)
    assert (str(given.value), given.value.number) == (GIVEN_UP, 5)


@pytest.mark.slow
@pytest.mark.parametrize("game", WAITING[:3])
def test_a_game_that_leaves_the_lanes_is_given_up(game: type[Game]) -> None:
    with pytest.raises(LongGameError, match=GIVEN_UP):
        bulk.play_dealt(2, MIN_GAMES, 7, 5, PATIENT, game=game, threads=1)


def test_a_compiled_game_is_given_up_that_goes_on_when_a_position_returns() -> None:
    game = game_of(replace(ONLY_WAITING, arcs=COMPARED.arcs))
    with pytest.raises(LongGameError, match=GIVEN_UP):
        bulk.play_dealt(2, 1, 7, 5, RANDOM, game=game)


@pytest.mark.parametrize("log", [False, True])
def test_a_game_is_given_up_when_there_is_no_more_room_for_its_positions(
    log: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("maumau.kernels.compiler.source", "maumau.kernels.bulk.logged"):
        monkeypatch.setattr(f"{module}.MAX_ROOM", 2 * FIRST_ROOM)
    with pytest.raises(LongGameError, match=GIVEN_UP):
        bulk.play_dealt(2, 1, 7, 5, RANDOM, game=WAITING[-1], log=log)


@query
def no_number(table: Heap) -> int:
    return 0


ONLY_WAIT = game_of(
    replace(
        COUNTDOWN,
        name="only-wait",
        control={
            **COUNTDOWN.control,
            Counting.COUNT: Control(("give_up",), (Offer("call", no_number, ways), Offer("wait")), starts_turn=True),
        },
        policies=(LAZY,),
    )
)
LAZY_COUNTDOWN = game_of(replace(COUNTDOWN, name="lazy-countdown", policies=(LAZY,)))


def waits(view: View) -> Move:
    return view.moves[-1]


def test_where_a_position_returns_by_only_moves_a_game_ends_whoever_made_them() -> None:
    game, other = (ONLY_WAIT.deal(2, 7, policies=policy) for policy in ("lazy", waits))
    assert game.run() == other.run()
    assert other.outcome.ending == Ending.ENDLESS
    assert [step.trigger for step in game.history] == [step.trigger for step in other.history]
    check_played_again(other)


def where_two_waits_change_nothing(kind: type[Game]) -> Game:
    """The pile is empty, so that a wait changes only the parity of the count and who is in turn, of two players."""
    game = kind.deal(2, 7, policies="lazy")
    while game.phase is not Counting.COUNT or game.draw_pile:
        game.step()
    return game


def test_a_step_ends_a_game_in_which_a_position_returns_by_only_moves_that_were_made_by_hand() -> None:
    game = where_two_waits_change_nothing(ONLY_WAIT)
    for _ in range(4):  # by hand it may go on
        game.fire("wait")
    assert game.step().trigger == "give_up"
    check_played_again(game)


def test_a_choice_that_is_taken_back_hides_no_position_that_was_there_before_it() -> None:
    game = where_two_waits_change_nothing(LAZY_COUNTDOWN)
    game.step()
    game.fire("wait")  # which a player need not do, so that the return to the first position proves nothing
    assert game.step().rule is not None
    game.undo()
    game.undo()
    assert (game.step().trigger, game.step().trigger) == ("wait", "give_up")
    check_played_again(game)


def test_a_player_who_might_choose_otherwise_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    game, other = (LAZY_COUNTDOWN.deal(2, 7, policies=policy) for policy in ("lazy", waits))
    game.run()
    monkeypatch.setattr("fsm.stepping.stepped.MAX_CHOSEN", 100)
    assert other.run() == game.outcome
    assert len(game.history) < 100 < len(other.history) < 200
    check_played_again(other)


def check_played_again(game: Game) -> None:
    """By its events, and by its record."""
    register(type(game))
    played = PlayedGame.of(game)
    again = played.start()
    for step in game.history:
        assert again.fire_again(step) == step
    assert replay(record_of(game)).history == game.history


@pytest.mark.slow
def test_a_round_of_a_match_is_given_up() -> None:
    """Round 0 of match 5 has the deck and the number of game 5 * 1024."""
    for game in WAITING[:2]:
        with pytest.raises(LongGameError, match="waiting: game 5120 has not ended after"):
            bulk.matches(2, 1, 7, 5, PATIENT, target=10, game=game)


@pytest.mark.slow
@pytest.mark.parametrize("games", [50, MIN_GAMES])
def test_games_that_end_are_played_on(games: int) -> None:
    """The second player lays down three cards and wins at the turn after that."""
    for game in WAITING[:3]:
        found = bulk.total(2, games, 7, policies=MIXED, game=game)
        assert (found.endings["won"], found.wins) == (games, (0, games))
