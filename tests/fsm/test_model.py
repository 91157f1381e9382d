"""A game's configuration makes any machine class of `transitions` play as the stepped game does."""

from __future__ import annotations

import inspect
import json
from dataclasses import replace
from typing import Any

import pytest
from transitions import Machine, MachineError
from transitions.extensions import AsyncMachine, GraphMachine

from fsm import Game, MauMau, Uno
from fsm.games.maumau import MAUMAU
from fsm.stepping.model import method_names
from fsm.stepping.steps import Step
from rules.rule import guard

KINDS = [MauMau, Uno]


POLICIES = ["house", "random", "first-legal"]


def names_of(game: Game, step: Step) -> tuple[str, ...]:
    """What is named with the event of a step."""
    offered = game.declaration.control[step.source].offers
    takes_card = any(offer.trigger == step.trigger and offer.cards is not None for offer in offered)
    return tuple(name for name in (step.card, step.suit) if name) if takes_card else ()


def facts(table: Any) -> dict[str, Any]:
    """All that lies on a table, but for dice, what was named last, and whether a position is back."""
    left_out = {"rolls", "returned", "card", "suit", "seed", "number"}
    return {name: getattr(table, name) for name in type(table).__dataclass_fields__ if name not in left_out}


def pair(kind: type[Game], number: int) -> tuple[Game, Any]:
    """A game and a model of the same deal."""
    fewest, most = kind.declaration.codec.fewest, kind.declaration.codec.most
    players = fewest + number % (most - fewest + 1)
    game = kind.deal(players, 17, number, POLICIES[number % 3])
    return game, kind.model(kind.deck_of(players, 17, number), players)


def play_along(game: Game, model: Any) -> None:
    """Fire on `model` what `game` steps, and compare every phase."""
    assert model.phase is game.phase
    while game.outcome is None:
        step = game.step()
        assert model.trigger(step.trigger, *names_of(game, step)) is True, step
        assert model.phase is game.phase, step
    assert facts(model.table) == facts(game.table)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("numbers", [range(30), pytest.param(range(30, 500), marks=pytest.mark.thorough)])
def test_a_plain_machine_plays_phase_by_phase_as_the_stepped_game(kind: type[Game], numbers: range) -> None:
    machine = Machine(model=None, **kind.machine_config())
    for number in numbers:
        game, model = pair(kind, number)
        machine.add_model(model)
        play_along(game, model)
        machine.remove_model(model)


@pytest.mark.parametrize("kind", KINDS)
async def test_an_asynchronous_machine_does_so_too(kind: type[Game]) -> None:
    for number in range(3):
        game, model = pair(kind, number)
        AsyncMachine(model, **kind.machine_config())
        while game.outcome is None:
            step = game.step()
            assert await model.trigger(step.trigger, *names_of(game, step))
            assert model.phase is game.phase
        assert facts(model.table) == facts(game.table)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("engine", ["pygraphviz", "mermaid"])
def test_a_graph_machine_draws_and_plays(kind: type[Game], engine: str) -> None:
    if engine == "pygraphviz":
        pytest.importorskip("pygraphviz", exc_type=ImportError)
    game, model = pair(kind, 0)
    GraphMachine(model, graph_engine=engine, **kind.machine_config())
    play_along(game, model)
    source = str(model.get_graph().source if engine == "mermaid" else model.get_graph())
    assert all(str(phase) in source for phase in kind.declaration.phases)


def test_the_configuration_is_plain_data() -> None:
    config = json.loads(json.dumps(MauMau.machine_config()))
    assert config == MauMau.machine_config()
    game, model = pair(MauMau, 5)
    Machine(model, **config)
    play_along(game, model)


@pytest.mark.parametrize("kind", KINDS)
def test_guards_and_effects_are_documented_methods_of_the_model(kind: type[Game]) -> None:
    model = kind.model(kind.deck_of(2, 7))
    names = {name for row in kind.machine_config()["transitions"] for part in ("conditions", "unless", "before")
             for name in row[part]}  # fmt: skip
    rules = {function for arc in kind.declaration.arcs for function in arc.conditions + arc.unless + arc.before}
    assert len(names) == len(rules) + 2
    for name in names:
        assert inspect.ismethod(getattr(model, name))
        assert inspect.getdoc(getattr(model, name)), name


def model_at_start() -> Any:
    # the statement's first example: the opening card is the seven of clubs, player 1 holds SS, SN, CE, CA, CK, DJ and HN
    line = "2 SS HA SN HQ CE SQ CA DT CK CQ DJ CN HN DN CS SA CJ DA HJ HS DE HT SE DK HK ST SJ HE DS CT DQ SK"
    model = MauMau.model(MauMau.parse(line).dealt_deck())
    Machine(model, **MauMau.machine_config())
    return model


def test_a_model_is_stepped_by_its_events() -> None:
    model = model_at_start()
    assert model.is_initial()
    assert model.open()
    assert model.state == "penalty-pending"
    assert model.may_play("SS")
    assert model.play("SS")
    assert (model.table.due, model.table.player) == (4, 1)


def test_what_the_rules_refuse_answers_no_and_changes_nothing() -> None:
    model = model_at_start()
    model.open()
    before = facts(model.table)
    assert not model.play("SN"), "no seven"
    assert not model.play("HA"), "in the hand of the other player"
    assert not model.play("SS", "C"), "a seven names no suit"
    assert not model.play()
    assert not model.draw("SS"), "no card is named with it"
    with pytest.raises(ValueError, match="unknown card"):
        model.play("XX")
    with pytest.raises(MachineError):
        model.skip()
    assert facts(model.table) == before
    assert model.state == "penalty-pending"
    assert model.is_penalty_pending()
    assert not model.is_await_play()


def test_a_rule_that_is_named_like_an_event_or_a_question_gets_its_role_as_well() -> None:
    names = {function.__name__: name for function, name in method_names(MAUMAU).items()}
    assert names["may_draw"] == "may_draw_guard"
    assert names["draw_one"] == "draw_one"
    assert {function.__name__: name for function, name in method_names(Uno.declaration).items()}["skip"] == "skip_guard"


def test_rules_with_one_name_get_names_of_their_own() -> None:
    def seven(table: Any) -> bool:
        return False

    other = replace(MAUMAU, arcs=tuple(replace(arc, unless=(*arc.unless, guard("it is none")(seven)))
                                       if arc.trigger == "skip" else arc for arc in MAUMAU.arcs))  # fmt: skip
    names = [name for name in method_names(other).values() if name.startswith("seven")]
    assert names == ["seven", "seven_guard"]
