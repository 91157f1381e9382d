"""Packages that need not be installed: the extra of each, and one error for all that are missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from rules.errors import Explained
from rules.notation import listed

BULK = ("llvmlite", "numpy")
EXTRAS = {
    "bulk": BULK,
    "study": (*BULK, "scipy", "rich", "pyarrow", "filelock", "matplotlib"),
    "cluster": (*BULK, "scipy", "pyarrow", "distributed"),
    "web": ("starlette", "uvicorn", "websockets", "uvloop", "segno"),
    "play": ("textual",),
    "diagrams": ("pygraphviz",),
    "gymnasium": (*BULK, "gymnasium"),
    "pettingzoo": ("numpy", "gymnasium", "pettingzoo"),
    "openspiel": ("numpy", "pyspiel"),
    "minari": ("numpy", "gymnasium", "minari", "h5py", "PIL"),
}
"""The packages of each extra, by the names under which they are imported."""
PACKAGES = frozenset(package for packages in EXTRAS.values() for package in packages)


class MissingExtra(Explained, ImportError):
    """A package of an extra is not installed; the message says what requires it and what to install."""


class Later:
    """A package that is imported when anything of it is first used, and need not be installed before.

    name: of the package.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        with naming_extras():
            module = import_module(self._name)
        found = vars(self)[name] = getattr(module, name)
        return found


def install_command(extra: str) -> str:
    """Return the command that installs an extra. The package is on no index, so it is installed from a clone."""
    return f"pip install -e '.[{extra}]' in a clone of the repository"


def missing_packages(what: str, *packages: str) -> str | None:
    """Return the message for those of `packages` that cannot be imported, or None if all can.

    what: what requires them (`the compiled engine`). packages: of one extra at least.
    """
    missing = [name for name in packages if find_spec(name) is None]
    return _message(what, missing, packages) if missing else None


def _message(what: str, missing: list[str], required: tuple[str, ...]) -> str:
    extra = next(extra for extra, packages in EXTRAS.items() if {*packages} >= {*required})
    return f"{what} requires {listed(missing, ' and ')}; run {install_command(extra)}"


def require(what: str, *packages: str) -> None:
    """Raise MissingExtra unless all packages can be imported. what, packages: as for `missing_packages`."""
    if message := missing_packages(what, *packages):
        raise MissingExtra(message)


@contextmanager
def naming_extras(what: str = "this", *packages: str) -> Iterator[None]:
    """Raise MissingExtra where a package of an extra cannot be imported in this context.

    what: what requires it. packages: others that it requires, in whose extra the package is.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in PACKAGES or find_spec(package) is not None:
            raise
        raise MissingExtra(_message(what, [package], (package, *packages)), name=package) from None
