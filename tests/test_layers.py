"""The floors of the house: cli -> render -> study -> fsm -> rules, and nothing points upwards."""

from __future__ import annotations

import ast
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
