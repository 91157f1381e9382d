"""The public door: every name that it lists is there, and is what its module defines; to open it takes no time."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fsm
import fsm.variants
import maumau


def printed(code: str) -> str:
    line = [sys.executable, "-c", code]
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bulk", "UnoOfficial", "guard"])
def test_a_name_is_imported_where_nothing_else_has_been(name: str) -> None:
    """A module, a name that its package imports on first use, and one of the lowest floor."""
    assert name in printed(f"from maumau import {name}; print({name})").lower() or name == "UnoOfficial"


PACKAGES = pytest.mark.parametrize("package", [fsm, fsm.variants, maumau])


@PACKAGES
def test_the_table_of_names_is_that_of_the_stub(package: Any) -> None:
    statements = ast.parse(Path(f"{package.__file__}i").read_text(encoding="utf-8")).body
    stub = [
        (each.module, alias.name, alias.asname)
        for each in statements
        if isinstance(each, ast.ImportFrom)
        for alias in each.names
    ]
    table = [(module, name, name) for module, names in package.MODULES.items() for name in names.split()]
    assert sorted(table) == sorted(stub)
    assert len(package.__all__) == len(set(package.__all__)) == len(stub)


@PACKAGES
def test_every_listed_name_is_there(package: Any) -> None:
    assert set(package.__all__) <= set(dir(package))
    assert [name for name in package.__all__ if getattr(package, name, None) is None] == []


def test_the_door_exports_what_fsm_does() -> None:
    assert [name for name in fsm.__all__ if getattr(fsm, name) is not getattr(maumau, name, None)] == []


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'maumau' has no attribute 'Maumau'"):
        maumau.Maumau  # noqa: B018
