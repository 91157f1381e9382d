"""Tests of extras that are not installed are skipped, with the extra that they need."""

from __future__ import annotations

import re
from importlib.util import find_spec

from fsm.edge.extras import EXTRAS

INSTALLING = re.compile(r"pip install -e '\.\[(\w+)\]'")
"""What a message says whose extra is not installed."""
ABSENT = frozenset(package for packages in EXTRAS.values() for package in packages if find_spec(package) is None)
"""The packages that this environment lacks; found before any test pretends that one is not there."""


def lacking(text: str) -> str | None:
    """The extra that a message asks for, if it is really missing here."""
    found = INSTALLING.search(text)
    return f"needs the extra {found[1]}" if found and ABSENT.intersection(EXTRAS.get(found[1], ())) else None


def lacked_by(error: BaseException | None) -> str | None:
    """Why a test failed by this error, if an extra is missing."""
    while error is not None:
        if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in ABSENT:
            return f"needs the package {error.name}"
        if why := lacking(str(error)):
            return why
        each = [lacked_by(one) for one in getattr(error, "exceptions", ())]
        if each and all(each):  # hypothesis groups what several examples have raised
            return each[0]
        error = error.__cause__ or error.__context__
    return None


def skip_if_lacking(text: str) -> None:
    """Raise ModuleNotFoundError in a test whose command says that an extra is missing: it is skipped, in CI it fails."""
    if lacking(text):
        raise ModuleNotFoundError(text)
