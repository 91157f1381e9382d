"""The hash of the rules of a game stays if every function is renamed and every sentence is worded in another way."""

from __future__ import annotations

import ast
import io
import json
import os
import shutil
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from packages import HOME

from fsm import registry
from fsm.hashes import rules_hash
from fsm.outside import admit, read_source

ROOT = Path(__file__).parents[2]
GAMES = ("maumau", "uno", "uno-official", "mahjong")
EXAMPLES = ("crazy_eights.py:CrazyEights", "go_fish.py:GoFish", "hearts.py:Hearts")
ROLES = ("guard", "effect", "choice", "query", "rule")
SENTENCES = ("rule", "description", "refusal", "title", "things")
"""The parameters that are sentences or labels."""
HASHES = """
import json, sys
from fsm import registry
from fsm.hashes import rules_hash
from fsm.outside import admit, read_source
kinds = [*map(registry.game_class, sys.argv[1].split()), *(admit(read_source(name)) for name in sys.argv[2].split())]
names = {function.__name__ for kind in kinds for arc in kind.declaration.arcs for function in (*arc.conditions, *arc.before)}
sentences = {arc.description for kind in kinds for arc in kind.declaration.arcs}
print(json.dumps([[rules_hash(kind.declaration) for kind in kinds], sorted(names), sorted(sentences)]))
"""


def is_rule(node: ast.AST) -> bool:
    """Whether a node defines a function that is marked as a rule."""
    marks = [each.func if isinstance(each, ast.Call) else each for each in getattr(node, "decorator_list", ())]
    return isinstance(node, ast.FunctionDef) and any(isinstance(mark, ast.Name) and mark.id in ROLES for mark in marks)


def other_names(trees: list[ast.AST]) -> Iterator[str]:
    """The names of fields, parameters and variables, which a function may share."""
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.arg | ast.keyword):
                yield str(node.arg)
            elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                yield node.id
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and "table" in node.value.id:
                yield node.attr


def sentences_of(tree: ast.AST) -> Iterator[ast.Constant]:
    """The sentences of a module: docstrings of rules, reasons of refusals, and what is said of arcs."""
    for node in ast.walk(tree):
        found: list[ast.AST] = []
        if is_rule(node):
            found += [node.body[0].value] if ast.get_docstring(node) else []
            found += [argument for mark in node.decorator_list if isinstance(mark, ast.Call) for argument in mark.args]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "among":
            found += node.args[1:]
        elif isinstance(node, ast.keyword) and node.arg in SENTENCES:
            found.append(node.value)
        for each in found:
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield each


def reworded(text: str, names: set[str], sentences: set[str]) -> str:
    """A module in which functions have other names and sentences other words."""
    tree = ast.parse(text)
    named = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value in sentences)
    places = {(node.lineno, node.col_offset) for node in (*sentences_of(tree), *named)}
    lines, changes = text.splitlines(keepends=True), []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        start = len(token.line[: token.start[1]].encode())
        if token.type == tokenize.NAME and token.string in names:
            changes.append((token.start, token.end, f"{token.string}_indeed"))
        elif token.type == tokenize.STRING and (token.start[0], start) in places:
            quote = token.string[: 3 if token.string.startswith('"""') else 1]
            more = "indeed_" if ast.literal_eval(token.string).isidentifier() else "So it is: "
            changes.append((token.start, token.end, f"{quote}{more}{token.string[len(quote) :]}"))
    for (row, first), (end, last), new in reversed(changes):
        before, after = lines[row - 1][:first], lines[end - 1][last:]
        lines[row - 1 : end] = [f"{before}{new}{after}"]
    return "".join(lines)


@pytest.mark.slow
def test_names_and_sentences_do_not_count(tmp_path: Path) -> None:
    for floor in ("rules", "fsm", "render", "maumau"):
        shutil.copytree(HOME / floor, tmp_path / floor, ignore=shutil.ignore_patterns("__pycache__"))
    for example in (ROOT / "examples").glob("*.py"):
        shutil.copy(example, tmp_path)
    files = [*tmp_path.rglob("*.py"), *tmp_path.rglob("*.pyi")]
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in files}
    rules = {node.name for tree in trees.values() for node in ast.walk(tree) if is_rule(node)}
    names = rules.difference(other_names(list(trees.values())))
    said = {each.value for tree in trees.values() for each in sentences_of(tree) if str(each.value).endswith(".")}
    for file in files:
        file.write_text(reworded(file.read_text(encoding="utf-8"), names, said), encoding="utf-8")
    kinds = [*map(registry.game_class, GAMES), *(admit(read_source(f"{ROOT}/examples/{name}")) for name in EXAMPLES)]
    command = [sys.executable, "-c", HASHES, " ".join(GAMES), " ".join(EXAMPLES)]
    done = subprocess.run(
        command,
        check=False,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    hashes, renamed, sentences = json.loads(done.stdout)
    assert hashes == [rules_hash(kind.declaration) for kind in kinds]
    used = {each.__name__ for kind in kinds for arc in kind.declaration.arcs for each in (*arc.conditions, *arc.before)}
    assert len(used.intersection(renamed) & names) <= 1, "one is named where it is made"
    assert len(names) > 0.9 * len(rules)
    told = {arc.description for kind in kinds for arc in kind.declaration.arcs}
    assert len(told.intersection(sentences)) < 0.1 * len(told)
