"""Public names of a package, each imported on first use: its stub lists them for type checkers and editors, too."""

from __future__ import annotations

import ast
import sys
from functools import cache
from typing import Any


@cache
def listed(package: str) -> dict[str, tuple[str, str]]:
    """The module of each public name of a package, and what it is called there."""
    with open(f"{sys.modules[package].__file__}i", encoding="utf-8") as stub:
        statements = ast.parse(stub.read()).body
    imports = (statement for statement in statements if isinstance(statement, ast.ImportFrom))
    return {str(alias.asname): (str(each.module), alias.name) for each in imports for alias in each.names}


def found(package: str, name: str) -> Any:
    """What a public name stands for, and `__all__`, the list of them. Raises AttributeError."""
    if name == "__all__":
        return sorted(listed(package))
    if name not in listed(package):
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    module, called = listed(package)[name]
    return getattr(__import__(module, fromlist=[called]), called)  # which imports a module of this name, too
