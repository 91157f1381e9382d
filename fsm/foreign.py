"""The check that packages of general names are this distribution's own.

`rules`, `fsm` or `render` may be names of another distribution, or of a file where Python is started.
"""

from __future__ import annotations

from importlib.machinery import ModuleSpec
from importlib.util import find_spec

PACKAGES = ("rules", "fsm", "render")
MARK = "Part of maumau."
"""Stands in the `__init__.py` of each package."""


def check(*names: str) -> None:
    """Raise ImportError unless Python finds the packages `names` of this distribution; the message names the other one.

    Nothing of them is run.
    """
    for name in names:
        if problem := _problem(name):
            raise ImportError(problem, name=name)


def _problem(name: str) -> str | None:
    """What is wrong with the package that Python finds by `name`."""
    try:
        spec = find_spec(name)
    except ValueError:  # a module without a specification: somebody has made it by hand
        return f"the module {name!r} that is loaded is in the way of maumau's package {name!r}: do not replace it"
    if spec is None:
        return f"maumau's package {name!r} is missing: install maumau again"
    if MARK in _source(spec):
        return None
    where = spec.origin or ", ".join(spec.submodule_search_locations or ())
    return (
        f"{where} is in the way of maumau's package {name!r}: rename or move it, "
        "or install maumau into a virtual environment of its own"
    )


def _source(spec: ModuleSpec) -> str:
    """The source of a module; empty if there is none that Python can read."""
    read = getattr(spec.loader, "get_source", None)
    try:
        return (read and read(spec.name)) or ""
    except (ImportError, SyntaxError, UnicodeDecodeError):
        return ""
