"""Tests of extras that are not installed are skipped, with the extra that they need."""

from __future__ import annotations

import re
from configparser import RawConfigParser
from importlib.util import find_spec
from pathlib import Path

import pytest

SETUP = Path(__file__).parents[2] / "setup.cfg"
NEEDED = re.compile(r" requires ([\w, ]+); run pip install -e '\.\[(\w+)\]'")
"""The message of a command or a function whose extra is not installed."""


def packages_of_extras() -> set[str]:
    """The packages of all extras, by the names under which most of them are imported."""
    setup = RawConfigParser()
    setup.read(SETUP)
    listed = " ".join(setup["options.extras_require"].values())
    return {name.replace("-", "_") for name in re.findall(r"([\w-]+) >=", listed)} | {"pyspiel"}


def is_missing(package: str) -> bool:
    return find_spec(package) is None


ABSENT = frozenset(filter(is_missing, packages_of_extras()))
"""The packages that this environment lacks; found before any test pretends that one is not there."""


def lacking(text: str) -> str | None:
    """What a message says is missing, if it is really missing here."""
    found = NEEDED.search(text)
    if found is None or not ABSENT.intersection(re.split(r"\W+", found[1])):
        return None
    return f"needs the extra {found[2]}"


def lacked_by(error: BaseException | None) -> str | None:
    """Why a test failed by this error, if it is for want of an extra."""
    while error is not None:
        if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in ABSENT:
            return f"needs the package {error.name}"
        if why := lacking(str(error)):
            return why
        error = error.__cause__ or error.__context__
    return None


def skip_if_lacking(text: str) -> None:
    """Skip the test whose command says that an extra is missing."""
    if why := lacking(text):
        pytest.skip(why)
