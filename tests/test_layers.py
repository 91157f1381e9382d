"""The floors of the house: cli -> render -> study -> fsm -> rules, nothing points upwards, nothing general knows a game."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FLOORS = ["rules", "fsm", "study", "render", "cli"]
"""The lowest first."""


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the top-level name of each import of a module, those inside of functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            yield node.lineno, str(node.module).split(".")[0]


def imports_of(floor: str) -> list[tuple[str, str]]:
    found = sorted((ROOT / floor).rglob("*.py"))
    assert found
    return [(f"{path.relative_to(ROOT)}:{line}", name) for path in found for line, name in imports(path)]


@pytest.mark.parametrize("floor", FLOORS)
def test_a_floor_imports_nothing_from_above(floor: str) -> None:
    above = FLOORS[FLOORS.index(floor) + 1 :]
    assert [(where, name) for where, name in imports_of(floor) if name in above] == []


def test_the_rules_import_only_rules_and_the_standard_library() -> None:
    allowed = {"rules", *sys.stdlib_module_names}
    assert [(where, name) for where, name in imports_of("rules") if name not in allowed] == []


@pytest.mark.parametrize("floor", FLOORS)
def test_no_floor_imports_the_tests_or_benchmarks(floor: str) -> None:
    assert [where for where, name in imports_of(floor) if name in ("tests", "benchmarks", "plain_maumau")] == []


def test_the_plain_simulator_imports_nothing_of_the_project() -> None:
    names = {name for _, name in imports(ROOT / "tests" / "support" / "plain_maumau.py")}
    assert names <= set(sys.stdlib_module_names)


OF_GAMES = ("maumau", "uno")
WORDS_OF_GAMES = re.compile(
    r"mau.?mau|\buno\b|_uno|uno_|\bjacks?\b|\bsevens?\b|\bwilds?\b|draw.two|draw.four|\breverse\b", re.I
)
NAMES_OF_THE_PACKAGE = re.compile(
    r"MAUMAU_CACHE|_MAUMAU_COMPLETE|^_maumau$|^maumau\.(chunk|games|notebook)$"
    r"|(?<![.\w])maumau(?=[^\w])(?!\.\w*$)|(?<=[ '`])maumau\b"
)
EXCEPTIONS = {
    "fsm/__init__.py": "the public names of the games of this package",
    "fsm/registry.py": "the registry",
    "cli/options.py": "the default of --game",
    "cli/main.py": "the name of the command",
    "cli/completion.py": "the name of the command",
    "fsm/compiler/cache.py": "the name of the folder of kernels",
    "render/page/document.py": "the title of the page of the server",
    "render/study/plots.py": "a salt of identifiers",
    "study/identity.py": "the name of the package",
}


def general_modules() -> list[str]:
    """The modules that are of no game and of no other problem, but for those that are named as exceptions."""
    modules = (path.relative_to(ROOT) for floor in FLOORS[1:] for path in (ROOT / floor).rglob("*.py"))
    return sorted(path.as_posix() for path in modules if path.parts[1] not in OF_GAMES and str(path) not in EXCEPTIONS)


def _names(node: ast.Assign) -> list[str]:
    return [ast.unparse(target) for target in node.targets]


def code_words(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the text of each name and string of a module, without docstrings and help texts."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    told |= {id(node.value) for node in tree.body if isinstance(node, ast.Assign) and _names(node) == ["HELP"]}
    for node in ast.walk(tree):
        if id(node) in told:
            continue
        for field in ("id", "attr", "arg", "name", "module", "value"):
            if isinstance(word := getattr(node, field, None), str):
                yield getattr(node, "lineno", 0), word


@pytest.mark.parametrize("module", general_modules())
def test_no_branch_table_or_import_of_a_general_module_mentions_a_game(module: str) -> None:
    words = ((line, NAMES_OF_THE_PACKAGE.sub("", word)) for line, word in code_words(ROOT / module))
    assert [(line, word) for line, word in words if WORDS_OF_GAMES.search(word)] == []


def test_every_folder_of_modules_is_a_package_so_that_it_is_installed() -> None:
    root = Path(__file__).parents[1]
    folders = {path.parent for top in ("rules", "fsm", "study", "render", "cli") for path in (root / top).rglob("*.py")}
    assert [str(folder) for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []
