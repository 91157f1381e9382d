"""Docstrings name the parameters, so that `help` and editors show them: of all that the door exports, methods too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from inspect import Parameter, getdoc, isclass, isfunction, ismethod, signature, unwrap
from types import ModuleType
from typing import Any

import pytest

import maumau

FLOORS = ("rules", "fsm", "render", "maumau")
VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def is_ours(thing: Any) -> bool:
    return str(thing.__module__).partition(".")[0] in FLOORS


def exported() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every function and class of this project that the door exports, and all their public methods, by name."""
    for name in sorted(maumau.__all__):
        found = getattr(maumau, name)
        if isinstance(found, ModuleType):
            yield from functions(name, found)
        elif isclass(found) and is_ours(found):
            yield name, found
            yield from functions(name, found)
        elif isfunction(unwrap(found)) and is_ours(found):
            yield name, found


def functions(name: str, owner: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions of a module, or of a class with those that it inherits; the default of a field is none."""
    for each in dir(owner):
        found = getattr(owner, each)
        is_field = each in getattr(owner, "__dataclass_fields__", ())
        if each.startswith("_") or is_field or not (isfunction(found) or ismethod(found)):
            continue
        if found.__module__ == owner.__name__ if isinstance(owner, ModuleType) else is_ours(found):
            yield f"{name}.{each}", found


def parameters(called: Callable[..., Any]) -> list[str]:
    """What a caller may name. Members of an enumeration and most exceptions are made in Python's own way."""
    if isclass(called) and issubclass(called, Enum | Exception) and "__init__" not in vars(called):
        return []
    given = signature(called).parameters.values()
    return [each.name for each in given if each.kind not in VARIADIC and each.name[0] != "_" and each.name != "self"]


def description(called: Callable[..., Any]) -> str:
    """What `help` says of it: of a class also by which arguments it is made."""
    made = getattr(called, "__init__", None) if isclass(called) else None
    return f"{getdoc(called) or ''}\n{getdoc(made) or ''}".strip()


def listed(text: str) -> set[str]:
    """The names that a docstring explains: before a colon (`seed, number: the dice`), or in backticks."""
    before_colon = re.findall(r"\b(\w+(?:,\s+\w+)*):", text)
    return {*re.findall(r"\w+", " ".join(before_colon)), *re.findall(r"`(\w+)`", text)}


@pytest.mark.parametrize("called", [pytest.param(called, id=name) for name, called in exported()])
def test_the_docstring_lists_every_parameter(called: Callable[..., Any]) -> None:
    text = description(called)
    assert text
    assert [name for name in parameters(called) if name not in listed(text)] == []
