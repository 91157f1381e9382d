"""Machines without cards: what works with a game works with them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from command import maumau
from traffic_light import TrafficLight
from turnstile import Turnstile

from fsm import Game, IllegalMove, game_of
from fsm.check import explore_stepped
from fsm.declaration.facts import Fact
from fsm.stepping.steps import turn_sentence
from maumau import Phase, Postcondition, automaton, choose, forced, on, query
from rules.table import CardTable, each_seat
from rules.visibility import seen_by_all

COURSE = Path(__file__).parents[2] / "docs" / "course"


def test_a_turnstile_is_stepped_and_refuses_with_a_reason() -> None:
    game: Any = Turnstile.deal(players=1, seed=0)
    assert str(game.step().dest) == "locked"
    assert [str(move) for move in game.events()] == ["coin", "empty", "switch_off"]
    for _ in range(3):
        game.coin()
        game.push()
    assert game.table.coins == 3
    assert str(game) == "locked, coins: 3"
    with pytest.raises(IllegalMove, match="the box is full"):
        game.coin()
    game.undo()
    assert str(game.phase) == "unlocked"
    game.push()
    game.empty()
    assert game.table.coins == 0
    game.switch_off()
    assert str(game.outcome.ending) == "out of cards"


def test_its_positions_are_those_that_one_counts_by_hand() -> None:
    """Before the start 1; locked with 0 to 3 coins 4, unlocked with 1 to 3 coins 3, off with 0 to 3 coins 4."""
    report = explore_stepped(Turnstile, Turnstile.declaration.small_decks[0])
    assert (report.positions, report.events) == (12, 1 + 3 + 4 + 4 + 3)
    assert report.failures == []
    assert report.never_fired == []


@query
def no_coin(before: Any, after: Any) -> bool:
    return after.coins == before.coins


def test_an_event_that_fails_is_fired_but_not_gone_on_from() -> None:
    """Before the start 1; locked and off without a coin: the coin, the box, the switch are tried where it is locked."""
    demand = Postcondition("no coin is taken", no_coin, triggers=("coin",))
    kind = game_of(replace(Turnstile.declaration, name="free", postconditions=(demand,)))
    report = explore_stepped(kind, kind.declaration.small_decks[0])
    assert (report.positions, report.events) == (3, 1 + 3)
    assert [report.fired[arc] for arc in report.game.arcs] == [1, 1, 1, 1, 0]
    assert [report.properties[number] for number in report.failed.elements()] == ["no coin is taken"]


@pytest.mark.parametrize("kind", [Turnstile, TrafficLight])
def test_a_position_is_written_and_read(kind: type[Game]) -> None:
    game = kind.deal(players=1, seed=5)
    while game.outcome is None:
        assert kind.at(game.position()).position() == game.position()
        game.step()


class OneWay(Phase):
    START = "start"
    HERE = "here"
    END = "end"


MOVES = {
    OneWay.START: forced(on("begin", OneWay.HERE, rule="It begins.")),
    OneWay.HERE: choose(on("stop", OneWay.END, rule="It ends.")),
}


def test_the_first_phase_is_initial_and_the_last_one_final() -> None:
    declared = automaton("One way", OneWay, MOVES)
    assert (declared.initial, declared.final, declared.name) == (OneWay.START, OneWay.END, "one-way")


@dataclass(slots=True)
class Scored(CardTable):
    points: list[int] = seen_by_all(factory=each_seat(4))


def test_a_list_is_printed_with_an_item_for_each_seat() -> None:
    declared = automaton("Scores", OneWay, MOVES)
    codec = replace(declared.codec, facts=(Fact("points", "points", "counts"),))
    game = game_of(replace(declared, table=Scored, codec=codec)).deal(1, 7)
    game.table.points[0] = 4
    assert str(game) == "start, points: 4"


def test_its_texts_are_not_about_cards() -> None:
    game: Any = Turnstile.deal(players=1, seed=0)
    game.step()
    game.switch_off()
    assert turn_sentence(Turnstile.declaration) == ""
    assert game.outcome.sentence(Turnstile.declaration) == "Nobody wins: stopped. Points: player 1 0."


@pytest.mark.slow
def test_a_study_of_it_has_no_tables_about_cards_turns_and_points() -> None:
    game = f"{COURSE}/turnstile.py:Turnstile"
    report = maumau("study", "--game", game, "--players", "1", "--games", "20", "--policy", "random").stdout
    assert "stopped" in report
    for text in ("Points", "How long games are", "A turn ends", "reshuffle", "out of cards"):
        assert text not in report


@pytest.mark.slow
@pytest.mark.parametrize("name", ["turnstile.py:Turnstile", "traffic_light.py:TrafficLight"])
def test_commands_take_it(name: str, tmp_path: Path) -> None:
    game = f"{COURSE}/{name}"
    assert maumau("check", "--game", game).returncode == 0
    assert maumau("check", "--game", game, "--exhaustive", "--games", "0").returncode == 0
    decks = maumau("deal", "--game", game, "--players", "1", "--games", "3").stdout
    stepped, compiled = (
        maumau("simulate", "--json", "--game", game, "--policy", "random", "--engine", engine, data=decks).stdout
        for engine in ("machine", "compiled")
    )
    assert stepped == compiled
    assert stepped.count("\n") == 3
    assert maumau("diagram", "--game", game, "-o", str(tmp_path / "machine.dot")).returncode == 0
