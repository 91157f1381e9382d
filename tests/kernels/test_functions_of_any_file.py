"""Rule functions of any origin are compiled: closures, lambdas, functions of one name, of files that no import finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fsm import Game, MauMau
from fsm.declaration.arcs import Arc
from maumau.kernels.compiler.program import KernelPlan
from maumau.kernels.compiler.source import source_of
from rules.maumau.game import add_two, lay_card, next_player
from rules.rule import effect, rule

pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")

from maumau.kernels import bulk
from maumau.kernels.compiler import machine_code as kernel

DECLARATION = MauMau.declaration


def swapped(**functions: Any) -> type[Game]:
    """Mau-Mau with other effects, each in place of the one of this name."""
    by_name = {"add_two": add_two, "lay_card": lay_card, "next_player": next_player}
    put = {by_name[name]: function for name, function in functions.items()}

    def edited(arc: Arc) -> Arc:
        return replace(arc, before=tuple(put.get(each, each) for each in arc.before))

    return type("Edited", (MauMau,), {"declaration": replace(DECLARATION, arcs=tuple(map(edited, DECLARATION.arcs)))})


def sevens_draw(cards: int) -> Callable[[Any], None]:
    @effect
    def add_cards(table: Any) -> None:
        table.due += cards

    return add_cards


@rule
def take_two(table: Any, cards: int) -> None:
    table.due += cards


def stepped_and_compiled(kind: type[Game], games: int = 30) -> tuple[list[Any], list[Any]]:
    played = bulk.play_dealt(3, games, 7, game=kind)
    return [kind.deal(3, 7, number).run().scores for number in range(games)], [*map(tuple, played.scores.tolist())]


@pytest.mark.slow
def test_one_function_with_two_numbers_makes_two_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAUMAU_CACHE", str(tmp_path))
    three, four = (stepped_and_compiled(swapped(add_two=sevens_draw(cards))) for cards in (3, 4))
    assert three[0] == three[1]
    assert four[0] == four[1]
    assert three != four
    assert len(list(tmp_path.glob("maumau-*"))) == 2
    monkeypatch.setattr(kernel, "_ready", {})
    messages: list[str] = []
    bulk.play_dealt(3, 1, 7, game=swapped(add_two=sevens_draw(3)), notify=messages.append)
    assert messages == [], "an equal game that is made again finds its kernel"


FILE = """
from rules.cards import NO_CARD
from rules.rule import effect, rule

STEP = 1

@rule
def run(number):
    return number + STEP

@effect
def next_player(table):
    table.turns += 1
    table.drawn = NO_CARD
    table.punished = 0
    table.player = run(table.player) % table.players
"""


def test_functions_of_a_file_lambdas_and_names_of_the_source_are_compiled(tmp_path: Path) -> None:
    file = tmp_path / "house.py"
    file.write_text(FILE)
    names: dict[str, Any] = {"__name__": "no_module"}
    exec(compile(FILE, str(file), "exec"), names)
    adding = effect(lambda table: take_two(table, 2))

    @effect
    def play(table: Any) -> None:
        lay_card(table)

    kind = swapped(add_two=adding, next_player=names["next_player"], lay_card=play)
    stepped, compiled = stepped_and_compiled(kind)
    assert stepped == compiled == stepped_and_compiled(MauMau)[0]
    source = source_of(KernelPlan(kind.declaration, DECLARATION.policies[:1]))
    assert source.functions["play_2"] is play
    assert source.functions["function_lambda"] is adding


@pytest.mark.slow
def test_two_functions_of_one_name_are_two_functions() -> None:
    one, other = sevens_draw(2), sevens_draw(3)
    kind = swapped(add_two=one)
    opened = [arc for arc in kind.declaration.leaving(DECLARATION.initial) if one in arc.before]
    assert opened
    arcs = tuple(replace(arc, before=(other,)) if arc in opened else arc for arc in kind.declaration.arcs)
    both = type("Both", (MauMau,), {"declaration": replace(DECLARATION, arcs=arcs)})
    source = source_of(KernelPlan(both.declaration, DECLARATION.policies[:1]))
    assert {source.functions["add_cards"], source.functions["add_cards_2"]} == {one, other}
    stepped, compiled = stepped_and_compiled(both, 200)
    assert stepped == compiled
