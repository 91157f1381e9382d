"""The registry: games by name, and games from files and modules outside the package."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from outside import game_file

from fsm import Game, MauMau, Uno, game_class, register, registry
from fsm.outside import OutsideError, admit, options_of, read_source
from fsm.variants import Variant


def mau_mau_called(name: str) -> type[Game]:
    return type("Other", (MauMau,), {"declaration": replace(MauMau.declaration, name=name)})


def test_built_in_games_are_known_by_name_and_by_class() -> None:
    assert (game_class("maumau"), game_class("uno"), game_class(Uno)) == (MauMau, Uno, Uno)
    assert registry.names()[:2] == ("maumau", "uno")


def test_a_registered_game_is_known_by_its_name() -> None:
    kind = register(mau_mau_called("other"))
    assert game_class("other") is kind
    assert "other" in registry.names()


def test_the_declaration_of_a_game_is_that_of_its_class() -> None:
    games = (*registry.BUILT_IN, "maumau+five-each", Uno, register(mau_mau_called("another")))
    assert [registry.declaration_of(game) for game in games] == [game_class(game).declaration for game in games]
    with pytest.raises(registry.RegistryError, match=r"^unknown game 'chess'; use one of maumau, uno, "):
        registry.declaration_of("chess")


def test_register_is_a_decorator_and_may_be_repeated() -> None:
    @register
    class Other(MauMau):
        declaration = replace(MauMau.declaration, name="other")

    assert register(Other) is Other is game_class("other")
    assert register(MauMau) is MauMau


@pytest.mark.parametrize("name", ["maumau", "uno", "other"])
def test_a_name_already_taken_is_refused(name: str) -> None:
    register(mau_mau_called("other"))
    with pytest.raises(registry.RegistryError, match=rf"the name '{name}' is taken by \S+; use another name"):
        register(mau_mau_called(name))


@pytest.mark.parametrize("name", ["", "Mau Mau", "../maumau", "my.py:Game", "a<b", "a\n", "-a"])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(registry.RegistryError, match="use lower-case words"):
        register(mau_mau_called(name))


@pytest.mark.parametrize("thing", [Game, int, None, MauMau.declaration, 3])
def test_what_is_no_game_is_refused(thing: object) -> None:
    for refused in (register, game_class):
        with pytest.raises(TypeError, match=r"give a subclass of fsm\.Game with a declaration"):
            refused(thing)  # type: ignore[arg-type]


def quiet(description: str = "A player says nothing.") -> Variant:
    return Variant("quiet", description, ())


def test_a_game_with_house_rules_makes_them_known_by_name() -> None:
    kind = MauMau.with_rules(quiet())
    assert register(kind) is kind
    assert game_class("maumau+quiet") is kind
    assert game_class("maumau") is MauMau


def test_a_rule_whose_name_is_taken_by_another_one_is_refused() -> None:
    register(MauMau.with_rules(quiet()))
    with pytest.raises(registry.RegistryError, match="quiet"):
        register(MauMau.with_rules(quiet("A player hums.")))


def test_an_unknown_rule_after_the_name_of_a_game_is_refused() -> None:
    with pytest.raises(registry.RegistryError, match="unknown rule 'loud'"):
        game_class("maumau+loud")


class Installed:
    """In place of what installed packages provide."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.points: list[EntryPoint] = []
        monkeypatch.setattr("importlib.metadata.entry_points", lambda group: self.points)

    def provides(self, name: str, value: str) -> None:
        self.points.append(EntryPoint(name, value, registry.GROUP))


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Installed:
    return Installed(monkeypatch)


def test_installed_packages_provide_games(installed: Installed) -> None:
    installed.provides("countdown", "bulk_fixtures:Countdown")
    assert "countdown" in registry.names()
    assert game_class("countdown").declaration.title == "Countdown"
    with pytest.raises(registry.RegistryError, match="'countdown' is taken"):
        register(mau_mau_called("countdown"))


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("bulk_fixtures:Nothing", "game 'wrong' cannot be loaded from bulk_fixtures:Nothing"),
        ("no_such_module:Game", "No module named 'no_such_module'"),
        ("bulk_fixtures:Countdown", "bulk_fixtures:Countdown is the game 'countdown'; name it 'wrong'"),
    ],
)
def test_an_entry_point_that_provides_no_such_game_is_reported(installed: Installed, value: str, why: str) -> None:
    installed.provides("wrong", value)
    with pytest.raises(registry.RegistryError, match=why):
        game_class("wrong")


def test_a_file_is_loaded_and_registered_once(tmp_path: Path) -> None:
    path = game_file(tmp_path)
    kind = admit(read_source(f"{path}:Other"))
    assert kind is admit(read_source(f"{path}:Other")) is game_class("other")
    assert options_of("other") == ["--game", f"{path}:Other"]
    assert options_of("uno+own-rule") == ["--game", "uno", "--with", "own-rule"]
    assert options_of("maumau") == []


def test_the_module_of_a_file_is_named_by_its_content_not_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    one, other = (admit(read_source(f"{game_file(folder)}:Other")) for folder in (tmp_path, tmp_path / "sub"))
    assert one is other
    assert "other" not in one.__module__


def test_another_file_with_the_same_name_of_a_game_is_refused(tmp_path: Path) -> None:
    admit(read_source(f"{game_file(tmp_path)}:Other"))
    changed = game_file(tmp_path, more="# changed\n")
    with pytest.raises(OutsideError, match="the name 'other' is taken"):
        admit(read_source(f"{changed}:Other"))


def test_a_module_is_imported() -> None:
    assert admit(read_source("bulk_fixtures:Countdown")) is game_class("countdown")
