"""What must come about in every way in which a game can go on: paths and loops that never come to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from alike import found_alike
from command import maumau
from hypothesis import given
from hypothesis import strategies as st
from turnstile import Turnstile

from fsm import Game, MauMau, UnoOfficial
from fsm.check import explore_stepped
from fsm.check.stepped import shrunk
from fsm.check.temporal import avoiding, lasso
from fsm.declaration.arcs import SmallDeck
from fsm.declaration.chart import DeclarationError
from fsm.records import RecordError
from fsm.records.counterexamples import record_of_counterexample, replay_counterexample
from maumau import Check, MauMauPhase, Variant, Waive, always, eventually, guard, leads_to, query
from maumau.kernels.explorer.exhaustive import explore
from rules.ending import WON

COURSE = Path(__file__).parents[2] / "docs" / "course"
_, LOCKED, UNLOCKED, OFF = Turnstile.declaration.phases


def stating(*properties: Any, kind: type[Game] = Turnstile) -> type[Game]:
    return type("Stating", (kind,), {"declaration": replace(kind.declaration, over_time=properties)})


def found(kind: type[Game]) -> Any:
    return explore_stepped(kind, kind.declaration.small_decks[0])


@query
def full(table: Any) -> bool:
    return bool(table.coins == 3)


@query
def empty(table: Any) -> bool:
    return bool(table.coins == 0)


@query
def below_three(table: Any) -> bool:
    return bool(table.coins < 3)


@query
def somebody_wins(table: Any) -> bool:
    return bool(table.ending == WON)


@pytest.mark.parametrize(
    "holds",
    [
        leads_to("who has paid may pass", UNLOCKED, LOCKED),
        leads_to("what is locked was full or is", full, (full, empty)),
        eventually("it is switched on", LOCKED),
        always("it is locked, unlocked or off", query(lambda table: table.coins <= 3)),
    ],
)
def test_what_comes_about_holds(holds: Any) -> None:
    assert found(stating(holds)).failures == []


@pytest.mark.parametrize(
    ("fails", "length"),
    [
        (eventually("it is switched off", OFF), 1),  # the box is emptied for ever
        (leads_to("who has paid switches it off", UNLOCKED, OFF), 3),  # push, empty, and empty for ever; or a round
        (leads_to("a full box is emptied", full, empty), 0),  # it is switched off with three coins
    ],
)
def test_a_counterexample_is_a_path_and_a_loop_that_can_be_stepped(fails: Any, length: int) -> None:
    kind = stating(fails)
    report = found(kind)
    assert report.failures == [fails.description]
    example = report.examples[report.properties.index(fails.description)]
    game: Any = kind.parse(example.line)
    for move in example.events:
        game.fire(move)
    assert game.position() == example.position
    for move in example.loop:
        game.fire(move)
        assert not fails.ends(game.phase, game.table)
    assert game.position() == example.position
    assert bool(example.loop) or game.outcome is not None
    assert bool(example.loop) == (length > 0)


def test_an_always_is_an_invariant() -> None:
    report = found(stating(always("two coins at most", below_three)))
    assert report.failures == ["two coins at most"]


def test_conditions_are_phases_of_the_game_and_queries() -> None:
    @guard("never")
    def no(table: Any) -> bool:
        return False

    with pytest.raises(DeclarationError, match=r"over time 'x': no is marked as a guard; use a query"):
        stating(leads_to("x", no, OFF))
    with pytest.raises(DeclarationError, match="'x': unknown phase 'drawing'"):
        stating(eventually("x", MauMauPhase.DRAWING))


def test_a_house_rule_states_and_waives_what_comes_about() -> None:
    skips = leads_to("whoever is skipped plays later", MauMauPhase.SKIP_PENDING, MauMauPhase.AWAIT_PLAY)
    never = leads_to("a jack is followed by a seven", MauMauPhase.JACK_BINDING, MauMauPhase.PENALTY_PENDING)
    sevens = MauMau.declaration.responses[0].description
    rule = Variant("states", "It states.", (Check(skips), Check(never), Waive(sevens)))
    kind = MauMau.with_rules(rule)
    stated = [each.description for each in kind.declaration.responses]
    assert sevens not in stated
    assert stated[-2:] == [skips.description, never.description]
    assert found(kind).failures == [never.description]


def test_machine_code_finds_the_same_ways() -> None:
    kind = stating(
        leads_to("a jack is followed by a seven", MauMauPhase.JACK_BINDING, MauMauPhase.PENALTY_PENDING),
        eventually("the game ends", MauMau.declaration.final),
        eventually("somebody wins", somebody_wins),
        leads_to("whoever is skipped plays later", MauMauPhase.SKIP_PENDING, MauMauPhase.AWAIT_PLAY),
        kind=MauMau,
    )
    small = kind.declaration.small_decks[0]
    assert len(found_alike(kind, small).failures) == 3


def test_fewer_cards_show_the_same() -> None:
    never = leads_to("a jack is followed by a seven", MauMauPhase.JACK_BINDING, MauMauPhase.PENALTY_PENDING)
    kind = stating(never, kind=MauMau)
    report = found(kind)
    number = report.properties.index(never.description)
    fewer = shrunk(kind, kind.declaration.small_decks[0], number)
    assert fewer is not None
    assert fewer[0].cards.split() == ["DS", "HS", "DJ"] or len(fewer[0].cards.split()) == 3
    assert fewer[1].failed[number]
    assert shrunk(kind, fewer[0], number) is None


@pytest.mark.usefixtures("pictures")
def test_the_command_shows_the_loop_and_says_what_is_assumed(tmp_path: Path) -> None:
    text = (COURSE / "turnstile.py").read_text(encoding="utf-8").replace(
        "    table=Box,\n", '    table=Box,\n    over_time=(eventually("it is switched off", OFF),),\n'
    ).replace("effect, forced", "effect, eventually, forced").replace('"Turnstile"', '"Gate"')  # fmt: skip
    file = tmp_path / "turnstile.py"
    file.write_text(text, encoding="utf-8")
    game = f"{file}:Turnstile"
    done = maumau("check", "--game", game, "--games", "0")
    assert done.returncode == 1
    assert "FAILED  it is switched off: " in done.stdout
    assert "then      empty, for ever" in done.stdout
    assert "players may choose anything, forced events happen" in done.stdout
    told = maumau("check", "--game", game, "--games", "0", "--json")
    assert told.returncode == 1
    record = json.loads(told.stdout)
    assert record["property"] == "it is switched off"
    assert [event["event"] for event in record["loop"]] == ["empty"]
    page = tmp_path / "page.html"
    done = maumau("replay", "--game", game, "-o", str(page), "-", data=told.stdout)
    assert done.returncode == 0, done.stderr
    assert "FAILED it is switched off, by 1 event for ever" in page.read_text(encoding="utf-8")
    assert "(loop, 1 of 1, for ever)" in page.read_text(encoding="utf-8")
    other = json.dumps(record | {"position": record["position"].replace("coins=0", "coins=1")})
    done = maumau("replay", "--game", game, "-o", str(page), "-", data=other)
    assert done.returncode == 2
    assert "<stdin>:1: position is " in done.stderr
    done = maumau("diagram", "--game", game, "--format", "table", "--path", "-", data=told.stdout)
    assert done.returncode == 0, done.stderr
    assert "`start`" in done.stdout
    done = maumau("simulate", "--game", game, "--from-json", "-", data=told.stdout)
    assert (done.returncode, done.stdout) == (2, "")
    assert "not a record of a game" in done.stderr


@pytest.mark.slow
def test_no_loop_goes_through_a_position_whose_return_ends_the_game() -> None:
    ends = eventually("the round ends", UnoOfficial.declaration.final)
    wins = eventually("somebody wins", somebody_wins)
    kind = stating(ends, wins, kind=UnoOfficial)
    small = kind.declaration.small_decks[0]
    report = explore_stepped(kind, small)
    assert report.failures == [wins.description]
    (example,) = report.examples.values()
    record = record_of_counterexample(kind, small, example, report.properties[0])
    assert [event["event"] for event in record["events"]][-1] == "abandon"
    assert explore(kind, small).examples == report.examples
    shown = replay_counterexample(record)
    assert (shown.loop, str(shown.game.outcome)) == (0, "no winner: endless")


@pytest.mark.slow
def test_a_loop_leads_back_to_the_position_in_whatever_order_a_hand_has_come() -> None:
    kind = stating(eventually("the game ends", MauMau.declaration.final), kind=MauMau)
    small = SmallDeck("HQ HS DQ DS DE HE DJ HJ", 2, 2)
    report = explore(kind, small)
    (example,) = report.examples.values()
    record = record_of_counterexample(kind, small, example, report.properties[0])
    shown = replay_counterexample(record)
    assert shown.game.position() != record["position"], "the cards of a hand have come in another order"
    with pytest.raises(RecordError, match=r"^loop: it leads to .*; it must lead back to the position"):
        replay_counterexample(record | {"loop": record["loop"][:-1]})
    with pytest.raises(RecordError, match=r"^position is "):
        replay_counterexample(record | {"events": [], "loop": []})
    with pytest.raises(RecordError, match=r"^property: 'the game is long' is unknown; use one that check reports"):
        replay_counterexample(record | {"property": "the game is long"})
    number = len(record["events"]) + 2
    with pytest.raises(RecordError, match=rf"^event {number}: card: 3 is not a text"):
        replay_counterexample(record | {"loop": [record["loop"][0], record["loop"][1] | {"card": 3}]})


# ---------------------------------------------------------------- graphs, against the definition

GRAPHS = st.integers(1, 6).flatmap(
    lambda size: st.lists(st.lists(st.integers(0, size - 1), max_size=3), min_size=size, max_size=size)
)


def lassos(graph: list[list[int]], path: tuple[int, ...], goals: set[int]) -> Iterator[int]:
    """The lengths of all ways without a repetition that avoid the goals: positions of the path and of the loop."""
    here = path[-1]
    if not graph[here]:
        yield len(path)
    for each in graph[here]:
        if each in path:
            yield len(path)
        elif each not in goals:
            yield from lassos(graph, (*path, each), goals)


@given(GRAPHS, st.sets(st.integers(0, 5)))
def test_a_way_is_found_exactly_where_there_is_one_and_is_as_short_as_any(
    graph: list[list[int]], goals: set[int]
) -> None:
    found = avoiding(graph, goals)
    for start in range(len(graph)):
        lengths = [] if start in goals else list(lassos(graph, (start,), goals))
        assert (start in found) == bool(lengths)
        if not lengths:
            continue
        way = lasso(graph, start, found)
        walked = (*way.path, *way.loop)
        assert walked[0] == start
        assert not goals & set(walked)
        assert all(other in graph[one] for one, other in pairwise(walked))
        assert way.loop[-1] == way.path[-1] if way.loop else not graph[way.path[-1]]
        assert len(set(walked)) == len(walked) - bool(way.loop)
        assert len(set(walked)) == min(lengths)
