"""RULES.md is whole: every sentence and every numbered rule is there, and every test that it names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

TESTS = Path(__file__).parents[1]
NO_RULE = "no rule: "
SENTENCES = {"Mau-Mau": 79, "UNO": 46, "Mahjong": 57}
"""The sentences of each statement; that of acquaintance is lost."""
RULES = {"Mau-Mau": 8, "UNO": 11, "Mahjong": 7, "Acquaintance": 4}
"""The numbered rules of the readings that make each statement exact."""
BESIDES = {"Mau-Mau": ["cards", "out of cards", "endless", "output", "queue", "figures"]}
"""What the readings say without a number."""


class Row(NamedTuple):
    number: str
    description: str
    shown_by: str


def sections() -> dict[str, list[Row]]:
    """The rows of each table by its heading."""
    found: dict[str, list[Row]] = {}
    for line in (TESTS / "RULES.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            rows = found.setdefault(line[3:], [])
        elif line.startswith("| ") and not line.startswith(("| no.", "| ---")):
            rows.append(Row(*line[2:-2].split(" | ")))
    return found


SECTIONS = sections()


def rows() -> Iterator[Row]:
    for table in SECTIONS.values():
        yield from table


def named_in(path: Path) -> Iterator[str]:
    """The tests of a module, those of a class with its name before them."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        functions = node.body if isinstance(node, ast.ClassDef) else [node]
        before = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
        for function in functions:
            if isinstance(function, ast.FunctionDef) and function.name.startswith("test_"):
                yield f"{path.stem}::{before}{function.name}"


def numbers(count: int) -> list[str]:
    return [str(number) for number in range(1, count + 1)]


def test_there_is_a_table_for_each_statement_and_for_the_readings_of_each_problem() -> None:
    statements = [f"{problem}: the statement" for problem in SENTENCES]
    assert sorted(SECTIONS) == sorted([*statements, *(f"{problem}: the readings" for problem in RULES)])


@pytest.mark.parametrize("problem", SENTENCES)
def test_every_sentence_of_a_statement_has_its_row(problem: str) -> None:
    assert [row.number for row in SECTIONS[f"{problem}: the statement"]] == numbers(SENTENCES[problem])


@pytest.mark.parametrize("problem", RULES)
def test_every_numbered_rule_has_its_row(problem: str) -> None:
    expected = numbers(RULES[problem]) + BESIDES.get(problem, [])
    assert [row.number for row in SECTIONS[f"{problem}: the readings"]] == expected


def test_every_row_has_a_sentence_and_a_test_or_the_reason_why_there_is_none() -> None:
    for row in rows():
        assert row.description, row
        if row.shown_by.startswith(NO_RULE):
            assert len(row.shown_by) > len(NO_RULE), row
        else:
            assert all(re.fullmatch(r"`test_\w+(::\w+)+`", name) for name in row.shown_by.split("<br>")), row


def test_no_numbered_rule_is_without_a_test() -> None:
    for heading, table in SECTIONS.items():
        if heading.endswith("the readings"):
            assert [row for row in table if row.shown_by.startswith(NO_RULE)] == []


@pytest.mark.slow
def test_every_test_that_is_named_is_there() -> None:
    there = {name for path in TESTS.rglob("test_*.py") for name in named_in(path)}
    named = {name for row in rows() for name in re.findall(r"`(\w+(?:::\w+)+)`", row.shown_by)}
    assert sorted(named - there) == []
