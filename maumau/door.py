"""The public names and the modules that they come from, as `__init__.pyi` lists them for type checkers and editors."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Any

from maumau.neighbours import check_neighbours


@cache
def names() -> dict[str, str]:
    """The module of each public name."""
    listed = ast.parse(Path(__file__).with_name("__init__.pyi").read_text(encoding="utf-8"))
    statements = (statement for statement in listed.body if isinstance(statement, ast.ImportFrom))
    return {alias.name: str(each.module) for each in statements for alias in each.names}


def found(name: str) -> Any:
    """What a public name stands for."""
    check_neighbours()
    return getattr(__import__(names()[name], fromlist=[name]), name)  # which imports a module of this name, too
