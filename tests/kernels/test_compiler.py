"""The compiler: it writes down every arc, knows no game, and what it makes plays a game that it never saw."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter

import pytest
from bulk_fixtures import CLASSES, COUNTDOWN, Countdown, Task, compare, compare_kernels
from waiting import PASSING, SOME_END, STIRRING, UNCOVERING

from fsm import Game, MauMau, Uno, game_of, registry
from fsm.declaration.declaration import Declaration
from fsm.declaration.policy import RANDOM
from maumau.kernels.bulk import logged as logged_games
from maumau.kernels.compiler import source as compiler_source
from maumau.kernels.compiler.program import KernelPlan
from maumau.kernels.compiler.source import dealing_source, source_of
from maumau.kernels.lanes.module import traced
from maumau.kernels.lanes.request import UntraceableError
from rules.ending import Ending

pytest_plugins = ["bulk_fixtures"]
DECLARATIONS = [MauMau.declaration, Uno.declaration, COUNTDOWN]
WORDS_OF_GAMES = re.compile(r"mau.?mau|\buno\b|\bjacks?\b|\bsevens?\b|\bwilds?\b|draw.two|draw.four|\breverse\b", re.I)


@pytest.mark.parametrize("game", DECLARATIONS, ids=lambda game: game.name)
@pytest.mark.parametrize("log", [False, True])
def test_the_source_calls_every_callback_of_every_arc(game: Declaration, log: bool) -> None:
    source = source_of(KernelPlan(game, game.policies, tally=True, log=log, repetition=log)).listing
    for arc in game.arcs:
        for function in arc.before:
            assert f"{function.__name__}(table)" in source, arc
    assert [f"fired[{number}] += weight" in source for number in range(len(game.arcs))] == [True] * len(game.arcs)
    assert [phase for phase in game.phases if f"# {phase}\n" not in source] == []


@pytest.mark.parametrize("game", DECLARATIONS, ids=lambda game: game.name)
def test_a_kernel_with_a_log_asks_every_guard(game: Declaration) -> None:
    source = source_of(KernelPlan(game, game.policies, log=True)).listing
    for arc in game.arcs:
        for guard in (*arc.conditions, *arc.unless):
            assert f"{guard.__name__}(table)" in source, arc


def test_a_kernel_without_a_log_does_not_ask_whether_a_chosen_event_is_legal() -> None:
    house = MauMau.declaration.policies[:1]
    logging, other = (source_of(KernelPlan(MauMau.declaration, house, log=log)).listing for log in (True, False))
    legal = ["fits(table)", "answers_seven(table)", "fits_bound_suit(table)", "fits_as_drawn(table)", "may_draw(table)"]
    assert [guard for guard in legal if guard not in logging] == []
    assert [guard for guard in legal if re.search(rf"\b{re.escape(guard)}", other)] == []
    for arguments in ("last_card", "seven", "eight", "jack", "jack_is_open", "pile_runs_out", "piles_exhausted"):
        assert f"{arguments}(table)" in other


@pytest.mark.parametrize("game", DECLARATIONS, ids=lambda game: game.name)
def test_rule_functions_go_by_their_own_names(game: Declaration) -> None:
    for source in (source_of(KernelPlan(game, game.policies)), dealing_source(game)):
        compile(source.text, "generated", "exec")
        assert [name for name, function in source.functions.items() if name != function.__name__] == []
        assert {function.__module__ for function in source.functions.values()} == set(
            re.findall(r"^# (\S+): ", source.listing, re.M)
        )


def test_the_source_for_another_game_has_no_word_of_ours() -> None:
    source = source_of(KernelPlan(COUNTDOWN, COUNTDOWN.policies, tally=True, log=True, repetition=True)).text
    assert WORDS_OF_GAMES.findall(source + dealing_source(COUNTDOWN).text) == []


def test_rules_are_numbered_as_they_are_declared() -> None:
    assert COUNTDOWN.rule_names == ("least", "no choice", "random", "first-legal", "random-legal-card")


@pytest.mark.slow
@pytest.mark.parametrize(
    "policies",
    [
        ("steady", "lazy", "lazy"),
        *(
            pytest.param(policies, marks=pytest.mark.thorough)
            for policies in (("steady", "lazy", "random"), ("first-legal",))
        ),
    ],
    ids=",".join,
)
def test_a_game_that_the_compiler_never_saw_comes_out_as_stepped(
    policies: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry._registered, "countdown", Countdown)
    assert compare(Task("countdown", 3, policies, 300)) == []


def test_endless_games_of_another_game_are_found_and_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from maumau.kernels import bulk

    monkeypatch.setitem(registry._registered, "countdown", Countdown)
    logged = bulk.play_dealt(3, 300, 20, 0, ("steady", "lazy", "lazy"), log=True, game="countdown")
    totals = bulk.total(3, 300, 20, 0, ("steady", "lazy", "lazy"), threads=1, game="countdown")
    assert totals.endings["endless"] == (logged.games["ending"] == 3).sum() > 0
    assert (totals.fired, totals.used) == (logged.fired, logged.used)
    assert totals.turns == logged.games["turns"].sum()


@pytest.fixture
def returning(monkeypatch: pytest.MonkeyPatch) -> type[Game]:
    """Countdown in which a position that returns ends the game."""
    kind = game_of(replace(COUNTDOWN, name="returning", title="Returning", return_ends=True))
    monkeypatch.setattr(registry, "_registered", {"returning": kind})
    monkeypatch.setitem(CLASSES, "returning", kind)
    return kind


@pytest.mark.parametrize("declaration", [UNCOVERING, SOME_END, PASSING], ids=attrgetter("name"))
def test_a_return_ends_a_game_as_it_does_when_it_is_stepped(
    declaration: Declaration, registered: Callable[[Declaration], type[Game]]
) -> None:
    kind = registered(declaration)
    endings = Counter(kind.deal(2, 20, number, "random").run().ending for number in range(100))
    assert min(endings[Ending.ENDLESS], endings[Ending.WON]) > 5
    for policies in (("random",) * 2, ("random",) * 3, ("hasty", "random", "random")):
        task = Task(declaration.name, len(policies), policies, 300)
        assert compare(task) == compare_kernels(task) == []


@pytest.mark.parametrize("policies", [("stirring",) * 2, ("stirring",) * 3, ("stirring", "random")], ids=",".join)
def test_a_return_ends_a_game_whose_rules_roll_dice(
    policies: tuple[str, ...], registered: Callable[[Declaration], type[Game]]
) -> None:
    kind = registered(STIRRING)
    task = Task("stirring", len(policies), policies, 300)
    assert any(kind.deal(len(policies), 20, number, policies).run().ending == Ending.ENDLESS for number in range(20))
    assert compare(task) == compare_kernels(task) == []


def test_a_game_whose_random_players_a_return_stops_is_not_played_in_lanes() -> None:
    with pytest.raises(UntraceableError, match="a position that returns ends the game"):
        traced(UNCOVERING, 2, (RANDOM,))


@pytest.mark.slow
def test_where_a_return_ends_the_game_dice_change_nothing(returning: type[Game]) -> None:
    endless = [
        sum(kind.deal(2, 20, number, "random").run().ending is Ending.ENDLESS for number in range(300))
        for kind in (Countdown, returning)
    ]
    assert endless[0] < endless[1]
    assert compare(Task("returning", 2, ("random",), 300)) == []


@pytest.mark.slow
@pytest.mark.parametrize("matches", [False, True])
@pytest.mark.usefixtures("returning")
def test_games_with_more_positions_than_there_is_room_for_are_played_again(
    matches: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from maumau.kernels import bulk

    def played() -> list[object]:
        if matches:
            many = bulk.matches(2, 40, 20, policies=("random",), target=20, tally=True, game="returning")
            return [many.games.tolist(), many.rounds.tolist(), many.fired]
        kept = {"policies": ("random",), "game": "returning"}
        many, logged = (bulk.play_dealt(2, 100, 20, **kept, **more) for more in ({"tally": True}, {"log": True}))
        return [many.games.tolist(), many.fired, logged.games.tolist(), logged.log.tolist()]

    expected = played()
    monkeypatch.setattr(compiler_source, "FIRST_ROOM", 4)
    monkeypatch.setattr(logged_games, "FIRST_ROOM", 4)
    assert played() == expected


@pytest.mark.thorough
@pytest.mark.usefixtures("returning")
def test_returns_are_found_and_counted_alike_without_a_log() -> None:
    assert compare_kernels(Task("returning", 2, ("random",), 300)) == []
