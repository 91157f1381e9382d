"""Questions are answered as `transitions` itself answers them, models pickle, and nothing private of the library is used.

The judge is the library: its machine classes, made of `machine_config()`.
"""

from __future__ import annotations

import ast
import inspect
import io
import keyword
import os
import pickle
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import transitions
import transitions.core
from all_games import GAMES
from transitions import Machine
from transitions.extensions import HierarchicalGraphMachine, HierarchicalMachine, LockedMachine

from fsm import Game, MauMau, Uno
from fsm.stepping.fast_machine import fast_machine_of
from fsm.stepping.firing import FastEvent

HOME = Path(__file__).parents[2]
MACHINES = [Machine, HierarchicalMachine]
EVENTS = 60


def ends(found: list[Any]) -> list[tuple[str, str]]:
    return [(str(each.source), str(each.dest)) for each in found]


# ------------------------------------------------------------------ questions


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.declaration.name)
@pytest.mark.parametrize("machine_class", MACHINES)
def test_a_machine_answers_as_the_library_for_all_phases_and_events(kind: Any, machine_class: Any) -> None:
    own, game = kind.machine, kind.declaration
    theirs = machine_class(model=None, **kind.machine_config())
    assert list(own.states) == list(theirs.states) == [str(phase) for phase in game.phases]
    assert list(own.events) == list(theirs.events)
    assert own.initial == theirs.initial
    for phase in game.phases:
        name = str(phase)
        assert own.get_triggers(name) == own.get_triggers(phase) == theirs.get_triggers(name)
        assert own.get_state(name).final == theirs.get_state(name).final
        for other in game.phases:
            models = SimpleNamespace(phase=other), SimpleNamespace(state=str(other))
            assert own.is_state(name, models[0]) == theirs.is_state(name, models[1])
    for trigger, source, dest in product(
        ["", *game.triggers], ["*", *map(str, game.phases)], ["*", *map(str, game.phases)]
    ):
        mine, found = own.get_transitions(trigger, source, dest), theirs.get_transitions(trigger, source, dest)
        assert ends(mine) == ends(found), (trigger, source, dest)


@pytest.mark.parametrize(
    ("change", "arguments"),
    [
        ("add_transition", ("play", "game-over", "await-play")),
        ("add_transitions", ([["play", "game-over", "await-play"]],)),
        ("add_state", ("cheating",)),
        ("add_states", (["cheating"],)),
        ("remove_transition", ("play",)),
    ],
)
def test_a_declared_machine_is_not_changed(change: str, arguments: tuple[Any, ...]) -> None:
    before = MauMau.machine.get_transitions()
    with pytest.raises(
        TypeError, match=r"^(add|remove)_\w+: only a declaration can change this machine; .* AddArcs, DropArcs or Add"
    ):
        getattr(MauMau.machine, change)(*arguments)
    assert MauMau.machine.get_transitions() == before
    assert list(MauMau.machine.states) == [str(phase) for phase in MauMau.declaration.phases]


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.declaration.name)
@pytest.mark.parametrize("machine_class", MACHINES)
def test_may_and_trigger_answer_as_the_library_along_a_game(kind: Any, machine_class: Any) -> None:
    game = kind.deal(seed=5, policies="random")
    model = kind.model(kind.deck_of(game.players, 5), game.players)
    machine_class(model, **kind.machine_config())
    for _ in range(EVENTS):
        assert model.state == str(game.phase)
        for trigger in kind.declaration.triggers:
            assert game.may_trigger(trigger) == model.may_trigger(trigger), trigger
        for move in game.events():
            named = [move.card] if move.card else [], move.named
            assert game.may_trigger(*move)
            assert model.may_trigger(move.trigger, *named[0], **named[1]), move
            assert getattr(model, f"may_{move.trigger}")(*named[0], **named[1]), move
        for refused in game.events().refused:
            if len(words := refused.split()) <= 2:
                assert not game.may_trigger(*words), refused
                assert not model.may_trigger(*words), refused
        if game.outcome is not None:
            break
        step = game.step()
        card = [step.card] if step.trigger in kind.declaration.card_events else []
        assert model.trigger(step.trigger, *card, **{str(name): value for name, value in step.named.items()})


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.declaration.name)
def test_every_event_is_triggered_on_the_machine(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    triggered: list[str] = []
    trigger = FastEvent.trigger

    def noted(self: FastEvent, model: Any, *arguments: Any, **named: Any) -> bool:
        fired = trigger(self, model, *arguments, **named)
        if fired:
            triggered.append(self.name)
        return fired

    monkeypatch.setattr(FastEvent, "trigger", noted)
    game = kind.deal(seed=5)
    for _ in range(EVENTS):
        if game.outcome is None:
            game.step()
    assert triggered == [step.trigger for step in game.history] != []


# ------------------------------------------------------------------ pickles


class Own:
    """A model of a user."""

    def __init__(self) -> None:
        self.table = MauMau.deal(2, 7).table
        self.left: list[str] = []

    def on_exit_penalty_pending(self) -> None:
        self.left.append(str(self.phase))

    phase: Any = MauMau.declaration.phases.INITIAL


def test_an_own_model_pickles_with_its_machine() -> None:
    machine, model = fast_machine_of(MauMau.declaration), Own()
    machine.add_model(model)
    other: Any = pickle.loads(pickle.dumps(model))
    assert other.is_initial()
    assert other.may_open()
    assert other.trigger("open")
    assert other.phase is type(other.phase)(str(other.phase))
    assert model.phase is MauMau.declaration.initial, "the copy has a machine of its own"
    copied = pickle.loads(pickle.dumps(machine))
    assert ends(copied.get_transitions()) == ends(machine.get_transitions())
    assert copied.get_model_state(model).value is model.phase


class DrawnMachine(HierarchicalGraphMachine):
    """A machine that draws itself without Graphviz."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, graph_engine="mermaid", **options)


def model_kinds() -> list[type[Game]]:
    return [MauMau, Uno, MauMau.with_rules("nine-reverses"), MauMau.with_deck("SS SN HS HN CS CN DS DN", 2)]


@pytest.mark.parametrize("machine_class", [Machine, HierarchicalMachine, LockedMachine, DrawnMachine, None])
@pytest.mark.parametrize("number", range(4))
def test_a_model_pickles_with_its_machine_and_plays_on(machine_class: Any, number: int) -> None:
    kind = model_kinds()[number]
    game = kind.deal(2, 5, policies="random")
    model: Any = kind.model(kind.deck_of(2, 5), 2)
    if machine_class is not None:
        machine_class(model, **kind.machine_config())
    other = pickle.loads(pickle.dumps(model))
    assert type(other) is type(model)
    assert other.table == model.table
    if machine_class is None:
        Machine(other, **kind.machine_config())
    for _ in range(20):
        step = game.step()
        card = [step.card] if step.trigger in kind.declaration.card_events else []
        assert other.trigger(step.trigger, *card, **{str(name): value for name, value in step.named.items()})
        other = pickle.loads(pickle.dumps(other))
        assert other.phase is game.phase
        if game.outcome is not None:
            break
    assert machine_class is None or model.is_initial()


def test_a_registered_game_pickles_and_its_machine_is_that_of_its_class() -> None:
    kind: Any = MauMau
    game = kind.deal(2, 7)
    kind.machine.add_model(game)
    try:
        other = pickle.loads(pickle.dumps(game))
        copy = game.clone()
        assert vars(copy).keys() == vars(kind.deal(2, 7).clone()).keys(), "no methods that ask about another game"
    finally:
        kind.machine.remove_model(game)
    assert other == game
    assert other.machine is kind.machine
    assert other.trigger("open")
    assert (other.is_initial(), game.is_initial()) == (False, True)


# ------------------------------------------------------------------ nothing private of the library


def private_names() -> set[str]:
    """The private methods and attributes of the library's core."""
    tree = ast.parse(inspect.getsource(transitions.core))
    named = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    named |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    return {name for name in named if name.startswith("_") and not name.startswith("__")}


def names_used(path: Path) -> Iterator[str]:
    """The names that a module may have from the library.

    Where it imports the library: all that it reads, sets or defines, in strings, too. Elsewhere: what it reads from a
    machine.
    """
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    modules = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported = any(name.split(".")[0] == "transitions" for name in modules)
    for node in nodes:
        if isinstance(node, ast.Attribute) and (imported or "machine" in ast.unparse(node.value)):
            yield node.attr
        elif imported and isinstance(node, ast.FunctionDef):
            yield node.name
        elif imported and isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_nothing_private_of_the_library_is_named_where_it_is_used() -> None:
    private = private_names()
    assert {"_before_state_change", "_identify_callback", "_process", "_queued"} <= private
    for path in sorted((HOME / "fsm").rglob("*.py")):
        assert sorted(private & set(names_used(path))) == [], path


def renamed(text: str) -> str:
    """A module of the library with other names for all that is private."""
    tokens = [
        token._replace(string=f"_private{token.string}")
        if token.type == tokenize.NAME and re.match(r"_[a-z]", token.string) and not keyword.iskeyword(token.string)
        else token
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
    ]
    return tokenize.untokenize((token.type, token.string) for token in tokens)


@pytest.mark.slow
def test_a_version_with_other_private_names_does_as_well(tmp_path: Path) -> None:
    source = Path(transitions.__file__).parent
    for path in source.rglob("*.py"):
        place = tmp_path / "transitions" / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(renamed(path.read_text(encoding="utf-8")), encoding="utf-8")

    def run(*command: str) -> str:
        surroundings = os.environ | {"PYTHONPATH": str(tmp_path), "PYTEST_ADDOPTS": ""}
        done = subprocess.run(command, cwd=HOME, env=surroundings, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert run(sys.executable, "-c", "import transitions; print(transitions.__file__)").startswith(str(tmp_path))
    tests = [f"tests/fsm/{name}.py" for name in ("test_machine", "test_hooks", "test_hooks_see")]
    run(sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", "-m", "not slow and not thorough", *tests)
