"""Type checkers and editors know the events of each game: by the stubs of the built-in games, and by those that
`maumau stubs` writes for games of others.
"""

from __future__ import annotations

import ast
import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import maumau
from outside import game_file
from packages import HOME

from examples.go_fish import GoFish
from fsm import Game
from fsm.registry import BUILT_IN, game_class
from fsm.stepping.hooks import hook_names

EXAMPLES = Path(__file__).parents[1] / "examples"
TRICKY = '''#!/usr/bin/env python3
"""Games in several ways."""
from __future__ import annotations

from dataclasses import replace
import json, os.path

from maumau import Game, MauMau, game_of

LOW, ÄÖÜ = 1, "ä"; MASK = LOW | 6
BOTH = {"a": 1} | {"b": 2}
Name = str | None
OTHER = game_of(replace(MauMau.declaration, name="third", title="Third"))
Second = game_of(replace(MauMau.declaration, name="second", title="Second"))


class NoGame: ...


class First(Game, declaration=replace(MauMau.declaration, name="first")): "A game."  # on one line


def both(left: int, right: int = 2) -> int:
    found = left | right
    return found


class Loud(MauMau):
    """A game with a method and a hook of its own."""

    declaration = replace(MauMau.declaration, name="loud")

    def skip(self, why: str = ""): return self.fire("skip")

    def after_play(self) -> None: ...

    def size(self) -> int:
        found = self.players | 1
        return found
    # the end
'''
GOOD = """
from go_fish import GoFish
from maumau import IllegalMove, Mahjong, MauMau, Step, Uno, UnoOfficial
from other import Other
from tricky import First, Game, Loud, MASK, Name, Second, both, json

game = MauMau.deal(players=3, seed=7)
step: Step = game.play("HJ", suit="C")
game.draw(), game.step(), game.undo()
game.before_play(print)
MauMau.machine.on_enter_drawing(print)
may: bool = game.may_play("HK") or game.is_await_play()
due: int = game.due
MauMau.with_rules("lively").deal(2).play("HK")
game.fire("plya")

step = Uno.deal().play("WC", colour="R")
step = UnoOfficial.deal().name("R")
step = Mahjong.deal().chow("1B")
step = GoFish.deal().ask(2)
step = Other.deal().play("HK")
step = First.deal().play("HK")
step = Second.deal().play("HK")
Loud.deal().skip("why")
number: int = both(MASK) + Loud.deal().size()
name: Name = json.dumps(1)


class Own(Loud):
    def on_enter_drawing(self) -> None: ...
"""
"""Calls that type checkers accept."""
BAD = """
from go_fish import GoFish
from maumau import Game, Mahjong, MauMau, Uno, UnoOfficial
from other import Other
from tricky import First, Loud, Second, both, nothing  # attr-defined

game = MauMau.deal(players=3, seed=7)
game.plya("HK")  # attr-defined
game.play(3.5)  # arg-type
game.play()  # call-arg
game.play("HJ", seat=2)  # call-arg
game.draw("HK")  # call-arg
game.may_plya("HK")  # attr-defined
game.may_play(3.5)  # arg-type
game.before_play(3.5)  # arg-type
game.is_await_plya()  # attr-defined
MauMau.plya  # attr-defined
Uno.deal().play("WC", suit="R")  # call-arg
Uno.deal().name("R")  # attr-defined
UnoOfficial.deal().name()  # call-arg
UnoOfficial.deal().name(1)  # arg-type
Mahjong.deal().chow(1)  # arg-type
Mahjong.deal().cow("1B")  # attr-defined
GoFish.deal().aks(2)  # attr-defined
GoFish.deal().ask("K")  # arg-type
Other.deal().plya("HK")  # attr-defined
First.deal().plya("HK")  # attr-defined
Second.deal().play(3.5)  # arg-type
Loud.deal().skip(3.5)  # arg-type
both("a")  # arg-type


def play(any_game: Game) -> None:
    any_game.play("HK")  # attr-defined
"""
"""What type checkers refuse: each line with the code of mypy's error."""


def stub_of_class(text: str, name: str) -> dict[str, ast.FunctionDef]:
    """The methods of a class in a stub."""
    (found,) = [each for each in ast.parse(text).body if isinstance(each, ast.ClassDef) and each.name == name]
    return {each.name: each for each in found.body if isinstance(each, ast.FunctionDef)}


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_stub_of_a_built_in_game_is_what_its_declaration_says(name: str) -> None:
    module = BUILT_IN[name][0].replace(".", "/")
    written = (HOME / module / "game.pyi").read_text(encoding="utf-8")
    assert maumau("stubs", name).stdout == written, f"maumau stubs {name} -o {module}/game.pyi writes it again"


@pytest.mark.parametrize("kind", [*map(game_class, BUILT_IN), GoFish], ids=lambda kind: kind.declaration.name)
def test_a_stub_lists_every_event_with_its_parameters_and_sentences(kind: type[Game], tmp_path: Path) -> None:
    game, name = kind.declaration, kind.declaration.name
    source = name if name in BUILT_IN else f"{EXAMPLES / 'go_fish.py'}:GoFish"
    stub = maumau("stubs", source, "-o", "-").stdout
    methods = stub_of_class(stub, kind.__name__)
    for trigger in game.triggers:
        for method in (trigger, f"may_{trigger}"):
            there = [each.arg for each in methods[method].args.args]
            assert there == list(inspect.signature(getattr(kind, method)).parameters)
        text = ast.get_docstring(methods[trigger])
        assert text is not None
        assert all(arc.description in text for arc in game.arcs if arc.trigger == trigger)
    assert {f"is_{str(phase).replace('-', '_')}" for phase in game.phases} <= methods.keys()
    assert [hook for hook in hook_names(game) if f"    {hook}: _Attached\n" not in stub] == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder outside the repository, with files of games and their stubs."""
    made = tmp_path_factory.mktemp("own")
    shutil.copy(EXAMPLES / "go_fish.py", made)
    (made / "tricky.py").write_text(TRICKY, encoding="utf-8")
    game_file(made)
    for source in ("go_fish.py:GoFish", "tricky.py:Second", "other.py:Other"):
        done = subprocess.run(
            [sys.executable, "-m", "maumau", "stubs", source], cwd=made, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", f"maumau: wrote {source.split(':')[0]}i\n")
    return made


@pytest.mark.slow
def test_mypy_accepts_events_and_refuses_typos_and_wrong_arguments(folder: Path) -> None:
    """In a folder of somebody who has installed the package: no line of the packages is reported."""
    pytest.importorskip("mypy")
    (folder / "good.py").write_text(GOOD)
    (folder / "bad.py").write_text(BAD)
    line = [sys.executable, "-m", "mypy", "--cache-dir", "/dev/null", "good.py", "bad.py"]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
    found = re.findall(r"^(\S+?):(\d+): error: .*\[(.*)\]$", done.stdout, re.M)
    wanted = [
        ("bad.py", str(line), text.split("  # ")[1]) for line, text in enumerate(BAD.split("\n"), 1) if "#" in text
    ]
    assert found == wanted, done.stdout + done.stderr


@pytest.mark.thorough
def test_a_stub_says_what_its_file_says(folder: Path) -> None:
    """By the judge of mypy: it imports both and compares names, parameters and defaults."""
    pytest.importorskip("mypy")
    line = [
        sys.executable,
        "-m",
        "mypy.stubtest",
        "tricky",
        "other",
        *(f"{BUILT_IN[name][0]}.game" for name in BUILT_IN),
    ]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_only_what_a_class_has_from_its_declaration_is_added(folder: Path) -> None:
    methods: Any = stub_of_class((folder / "tricky.pyi").read_text(encoding="utf-8"), "Loud")
    assert list(methods)[:3] == ["skip", "after_play", "size"]
    assert {"play", "draw"} <= methods.keys()
    assert len(methods["skip"].args.args) == 2


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("nosuch", "unknown game 'nosuch'; use one of maumau, uno, mahjong, uno-official"),
        ("nosuch.py:Game", "nosuch.py: no such file or directory; use FILE.py:NAME or MODULE:NAME"),
        ("other.py", "'other.py' names no class after a colon; use FILE.py:NAME or MODULE:NAME"),
        ("other.py:Nothing", "other.py: it does not define 'Nothing'; use one of Other"),
        ("other.py:MauMau", "other.py:MauMau: MauMau is not made there; use `class MauMau(Game, ...)`"),
        ("maumau+five-each", "MauMau is not made there; use `class MauMau(Game, ...)`"),
    ],
)
def test_what_has_no_stub_is_refused_in_one_sentence(
    source: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_file(tmp_path)
    monkeypatch.chdir(tmp_path)
    done = maumau("stubs", source)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("maumau stubs: ")
    assert message in done.stderr
    assert not list(tmp_path.glob("*.pyi"))
