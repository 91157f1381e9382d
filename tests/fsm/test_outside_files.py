"""Files from outside the package: each is loaded once, whoever names or imports it, with the files beside it."""

from __future__ import annotations

import inspect
import os
import pickle
import sys
from importlib import import_module
from pathlib import Path

import pytest
from outside import command, game_file

from fsm import game_class, registry
from fsm.edge import outside_files
from fsm.outside import OutsideError, admit, admit_player, admit_rule, origins_of, read_source
from fsm.variants import classes
from maumau.study.cluster import identity_of
from maumau.study.identity import differences, identity

EXAMPLES = Path(__file__).parents[2] / "examples"
NO_ACES = """
from crazy_eights import fitting
from fsm.variants import Means, Variant
from rules.rule import query


@query
def fitting_but_no_aces(table):
    return fitting(table) & ~0b1111


NO_ACES = Variant("no-aces", "Aces are not played.", (Means(fitting, fitting_but_no_aces),))
"""
GAME, RULE = "crazy_eights.py:CrazyEights", "no_aces.py:NO_ACES"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which commands run, with a game and a house rule for it, each in a file of its own."""
    (tmp_path / "crazy_eights.py").write_text((EXAMPLES / "crazy_eights.py").read_text())
    (tmp_path / "no_aces.py").write_text(NO_ACES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def aces_played(game: str, rule: str = RULE) -> int:
    """How many aces are played in some games of a game with a house rule."""
    decks = command("deal", "--game", game, "--players", 3, "--games", 20, "--seed", 7).out
    traced = command("simulate", "--game", game, "--with", rule, "--trace", data=decks)
    assert (traced.status, traced.err) == (0, "")
    return sum(f"plays {suit}A" in traced.out for suit in "DHSC")


@pytest.mark.usefixtures("folder")
def test_a_rule_of_a_file_is_about_the_game_of_a_file_that_it_imports() -> None:
    decks = command("deal", "--game", GAME, "--players", 3, "--games", 20, "--seed", 7).out
    assert any(f"plays {suit}A" in command("simulate", "--game", GAME, "--trace", data=decks).out for suit in "DHSC")
    assert aces_played(GAME) == 0


def test_a_file_is_the_same_under_all_its_paths(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "link.py").symlink_to(folder / "no_aces.py")
    kind = admit(read_source(GAME))
    for path in (folder / "crazy_eights.py", f"{folder}/sub/../crazy_eights.py"):
        assert admit(read_source(f"{path}:CrazyEights")) is kind
    rules = [admit_rule(read_source(f"{path}:NO_ACES"), kind) for path in ("no_aces.py", "./sub/link.py")]
    assert rules[0] is rules[1]
    assert kind.with_rules("no-aces").declaration.arcs != kind.declaration.arcs


def test_files_of_one_name_in_two_folders_are_two(folder: Path) -> None:
    for place, limit in (("a", 2), ("b", 3)):
        (folder / place).mkdir()
        (folder / place / "limits.py").write_text(f"LIMIT = {limit}\n")
        (folder / place / "players.py").write_text(
            "from limits import LIMIT\n\n\ndef choose(view):\n    return view.moves[:LIMIT][-1]\n"
        )
    names = [admit_player(read_source(f"{place}/players.py:choose")) for place in "ab"]
    files = [outside_files.read(f"{place}/players.py") for place in "ab"]
    assert len(set(names)) == 2
    assert [outside_files.load(file).LIMIT for file in files] == [2, 3]
    assert files[0].digest != files[1].digest


@pytest.mark.parametrize("name", ["random", "colorsys", "rules", "click"])
def test_a_file_never_stands_in_for_another_module(folder: Path, name: str) -> None:
    """Neither for the standard library, nor for this package, nor for an installed one; it can be named itself."""
    (folder / f"{name}.py").write_text(game_file(folder).read_text())
    (folder / "uses.py").write_text(f"import {name}\n")
    assert admit(read_source(f"{name}.py:Other")) is game_class("other")
    assert outside_files.read("uses.py").beside == ()
    used = getattr(outside_files.load(outside_files.read("uses.py")), name)
    assert used is import_module(name)
    assert not hasattr(used, "Other")


def test_files_may_import_each_other(folder: Path) -> None:
    (folder / "one.py").write_text("ONE = 1\n\n\ndef both():\n    import two\n\n    return ONE + two.TWO\n")
    (folder / "two.py").write_text("import one\n\nTWO = one.ONE + 1\n")
    one, two = (outside_files.load(outside_files.read(f"{name}.py")) for name in ("one", "two"))
    assert (two.one, one.both()) == (one, 3)


def test_a_file_that_is_edited_is_loaded_again_and_the_lines_of_both_are_known(folder: Path) -> None:
    path = folder / "players.py"
    path.write_text("def choose(view):\n    return view.moves[0]\n")
    first = outside_files.load(outside_files.read("players.py"))
    path.write_text("# changed\n\n\ndef choose(view):\n    raise ValueError('no idea')\n")
    second = outside_files.load(outside_files.read("players.py"))
    assert inspect.getsource(first.choose).endswith("return view.moves[0]\n")
    assert inspect.getsource(second.choose).endswith("raise ValueError('no idea')\n")


def test_an_edited_file_beside_it_makes_another_player(folder: Path) -> None:
    (folder / "helper.py").write_text("PLACE = 0\n")
    (folder / "players.py").write_text(
        "from helper import PLACE\n\n\ndef choose(view):\n    return view.moves[PLACE]\n"
    )
    before = read_source("players.py:choose").digest
    (folder / "helper.py").write_text("PLACE = -1\n")
    assert read_source("players.py:choose").digest != before


def test_an_error_in_a_file_that_is_imported_names_its_place(folder: Path) -> None:
    (folder / "helper.py").write_text("x = 1\nx = 1 / 0\n")
    (folder / "players.py").write_text("import helper\n")
    with pytest.raises(OutsideError, match=r"^helper\.py:2: ZeroDivisionError: division by zero$"):
        admit_player(read_source("players.py:choose"))
    (folder / "helper.py").write_text("x = (\n")
    with pytest.raises(OutsideError, match=r"^helper\.py:1: syntax error: '\(' was never closed$"):
        admit_player(read_source("players.py:choose"))
    (folder / "helper.py").write_text("")
    with pytest.raises(OutsideError, match=r"players\.py: it does not define 'choose'"):
        admit_player(read_source("players.py:choose"))


def test_a_worker_gets_all_files_that_a_rule_needs(folder: Path) -> None:
    kind = admit(read_source(GAME))
    admit_rule(read_source(RULE), kind)
    name = "crazy-eights+no-aces"
    here, sent = identity(name), pickle.loads(pickle.dumps(origins_of(name)))
    for file in os.listdir():
        (folder / file).unlink()
    for module in [module for module in sys.modules if module.startswith("game_from_outside_")]:
        del sys.modules[module]
    registry._registered.pop("crazy-eights")
    identity.cache_clear()
    classes._own_rulebooks.pop("crazy-eights")
    assert differences(here, identity_of((name,), sent)) == []
    assert game_class(name).plain is not kind


def test_a_module_that_was_imported_before_is_what_a_rule_is_about(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setitem(sys.modules, "crazy_eights", None)  # so that what is imported here is forgotten in the end
    del sys.modules["crazy_eights"]
    (folder / "crazy_eights.py").open("a").write("\n# imported in the usual way\n")
    assert aces_played("crazy_eights:CrazyEights") == 0


def test_what_is_imported_in_the_usual_way_later_is_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(folder)
    (folder / "own_game.py").write_text(game_file(folder, "own-game", "Own").read_text())
    kind = admit(read_source("own_game.py:Own"))
    monkeypatch.setitem(sys.modules, "own_game", sys.modules["own_game"])
    assert import_module("own_game").Own is kind
