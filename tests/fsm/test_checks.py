"""The list of checks: each is there, and none is missing."""

import ast
from pathlib import Path

import fsm
from fsm.declaration.checks import CHECKS, COMPOSE, DECLARE, DECORATE, PLAY

ROOT = Path(fsm.__file__).parent.parent
REFUSALS = {"DeclarationError", "ClashError"}


def raising(path: Path, errors: set[str]) -> set[str]:
    """The functions of a module that make one of some errors, as the list names them."""
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    found: set[str] = set()

    def visit(node: ast.AST, names: list[str]) -> None:
        for child in ast.iter_child_nodes(node):
            is_call = isinstance(child, ast.Call) and isinstance(child.func, ast.Name)
            if is_call and child.func.id in errors:
                found.add(f"{module}:{'.'.join(names)}")
            is_named = isinstance(child, ast.FunctionDef | ast.ClassDef)
            visit(child, [*names, child.name] if is_named else names)

    visit(ast.parse(path.read_text("utf-8")), [])
    return found


def test_every_check_is_a_function_and_says_what_holds() -> None:
    for check in CHECKS:
        assert callable(check.function), check.where
    assert len({check.claim for check in CHECKS}) == len({check.where for check in CHECKS}) == len(CHECKS)


def test_the_stages_follow_each_other() -> None:
    assert list(dict.fromkeys(check.stage for check in CHECKS)) == [DECORATE, DECLARE, COMPOSE, PLAY]


def test_every_refusal_of_a_declaration_is_in_the_list() -> None:
    passing_on = {"fsm.declaration.chart:Chart.check"}  # raises what the checks of a chart find
    found = set().union(*(raising(path, REFUSALS) for path in (ROOT / "fsm").rglob("*.py"))) - passing_on
    assert len(found) > 20
    assert found <= {check.where for check in CHECKS}


def test_every_refusal_of_a_rule_function_is_in_the_list() -> None:
    found = raising(ROOT / "rules/rule.py", {"TypeError", "ValueError"})
    assert found == {check.where for check in CHECKS if check.stage is DECORATE}
